-- A call may be for the vacancies of an area, and may be undone where the law knows it (revogação, anulação).
ALTER TABLE selection_call
    ADD COLUMN area text CHECK (area <> ''),
    ADD COLUMN undone text CHECK (undone <> ''),
    ADD COLUMN undone_why text CHECK (undone_why <> ''),
    ADD CHECK (num_nulls(undone, undone_why) IN (0, 2)),
    ADD CHECK (undone IS NULL OR (ended_on IS NOT NULL AND awarded_on IS NULL));

CREATE OR REPLACE FUNCTION state(it selection_call, day date) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN it.ended_on <= day THEN CASE WHEN it.undone IS NULL THEN 'ended' ELSE 'undone' END
        WHEN it.awarded_on <= day THEN 'awarded'
        WHEN it.result_on <= day THEN 'published'
        WHEN it.frozen_on <= day THEN 'frozen'
        WHEN it.closes_on < day THEN 'closed'
        WHEN it.opens_on <= day THEN 'open'
        ELSE 'announced'
    END
$$;
