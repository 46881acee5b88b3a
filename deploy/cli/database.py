"""The application's database, for verbs that run a use case themselves."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from deploy.cli.servers import servers
from services.access import Actor, operator
from services.clock import clock_of
from services.database import Database
from services.errors import Expected
from services.municipalities import store
from services.municipalities.publishing import PackInvalid
from services.settings import Settings
from tenants.law.pack import Problem

T = TypeVar("T")

OPERATOR: Actor = operator("praca-cli")


def on_servers(work: Callable[[Database], Awaitable[T]]) -> T:
    """Run ``work`` on the user's servers, those of a `./praca run` beside us, or embedded ones for this call."""
    with servers():
        return asyncio.run(with_database(work))


async def with_database(work: Callable[[Database], Awaitable[T]]) -> T:
    """Run ``work`` on the database that the environment names; an expected no ends the program with its message."""
    settings = Settings()
    database = Database(settings, clock_of(settings))
    try:
        await database.check_role()
        return await work(database)
    except PackInvalid:
        raise  # the verb knows the file that the problems are in
    except Expected as no:
        raise SystemExit(f"{no.code}: {no}") from no
    finally:
        await database.close()


async def town_called(database: Database, slug: str) -> UUID:
    """Raises SystemExit, naming the towns that there are."""
    async with database.directory() as directory:
        found = await store.town_by_slug(directory, slug)
        towns = await store.towns(directory) if found is None else []
    if found is None:
        known = ", ".join(town.slug for town in towns) or "none yet: ./praca onboard FILE brings one"
        raise SystemExit(f"There is no town {slug!r}. The towns are: {known}.")
    return found


def text_of(file: Path) -> str:
    """A relative path is from where the program was called. Raises SystemExit when the file cannot be read."""
    try:
        return (Path(os.environ.get("PRACA_CALLED_FROM", "")) / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{file} cannot be read: {error}") from error


def show(file: Path, problems: Iterable[Problem]) -> None:
    """Each problem on a line of its own, as editors and terminals make links of them: file:line:column."""
    for problem in problems:
        print(f"{file}:{problem}", file=sys.stderr)


def refused(file: Path, problems: Iterable[Problem]) -> SystemExit:
    """The end of a verb whose file is refused: all its problems, then how many."""
    problems = list(problems)
    show(file, problems)
    errors = sum(problem.severity == "error" for problem in problems)
    return SystemExit(f"{file} is refused: {errors} error(s), {len(problems) - errors} warning(s). Nothing is changed.")
