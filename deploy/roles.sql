-- Roles, extensions and ownership, by a superuser in Praça's database, once; safe to repeat.
-- Passwords are set apart: alter role praca_owner password '…'; alter role praca_app password '…';
--   praca_owner    migrates and owns every table
--   praca_app      the API and the workers: never superuser, never past row-level security, owner of nothing
--   praca_sweeper  nobody logs in as it: owner of the few functions that look across towns and return only their ids, counts and ages
do $$
begin
    if to_regrole('praca_owner') is null then
        create role praca_owner login nosuperuser nobypassrls nocreaterole;
    end if;
    if to_regrole('praca_app') is null then
        create role praca_app login nosuperuser nobypassrls nocreaterole;
    end if;
    if to_regrole('praca_sweeper') is null then
        create role praca_sweeper nologin nosuperuser nobypassrls nocreaterole;
    end if;
    execute format('alter database %I owner to praca_owner', current_database());
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to praca_app', current_database());
end
$$;

-- The owner gives functions to the sweeper, but does not read through its policies.
grant praca_sweeper to praca_owner with inherit false, set true;
grant usage, create on schema public to praca_owner;
grant usage on schema public to praca_app;
grant usage, create on schema public to praca_sweeper;

create extension if not exists btree_gist;
create extension if not exists unaccent;
create extension if not exists pg_trgm;
