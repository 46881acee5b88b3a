"""What `./praca run` prepares before the API starts, and tells when it answers: towns, tokens, queries to try."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from api.types.scalars import global_id
from deploy.cli.database import with_database
from deploy.cli.progress import say
from deploy.fictitious.load import Loaded, load_all
from services.accounts import store as accounts
from services.clock import clock_of
from services.database import Database
from services.municipalities.store import towns
from services.registry import store as registry
from services.settings import Settings
from services.tokens import Issuer

OPERATOR, SECRETARY = "operator", "secretary"
PERMITS = (
    '{ permits(first: 5, state: "active") { totalCount edges { node { number category holder { name } '
    "vehicle { plate } stand { place } licence { until state } } } } }"
)


@dataclass(frozen=True, slots=True)
class Example:
    """A town to try, and somebody who would like a permit there: their ids as the API knows them."""

    loaded: Loaded
    today: date
    holder: str
    vehicle: str

    @property
    def slug(self) -> str:
        return self.loaded.plan.slug

    @property
    def infraction_query(self) -> str:
        asked = f'codes: ["{self.loaded.plan.infraction}"], seenOn: "{self.today}"'
        return f"{{ quoteInfraction({asked}) {{ outcome message citations {{ text }} }} }}"

    @property
    def eligibility_query(self) -> str:
        category = self.loaded.plan.candidate.category
        asked = f'category: "{category}", holderId: "{self.holder}", vehicleId: "{self.vehicle}"'
        answer = "outcome message citations { text }"
        return f"{{ eligibility({asked}) {{ outcome message missing {{ ask }} parts {{ {answer} }} }} }}"


def prepare_register() -> list[Example]:
    """Both towns and their fictitious register, in the database that the environment names; made only once."""
    return asyncio.run(with_database(prepared))


async def prepared(database: Database) -> list[Example]:
    async with database.directory() as directory:
        real = [town.name for town in await towns(directory) if not town.fictitious]
    if real:
        say(f"Real towns live in this database ({', '.join(real)}): nothing fictitious is loaded beside them")
        return []
    loaded = await load_all(database, say)
    return [await example(database, each) for each in loaded if each.town.fictitious]


async def example(database: Database, loaded: Loaded) -> Example:
    async with database.reader(loaded.town.id) as tx:
        account = await accounts.account(tx, loaded.plan.candidate.account or "", tx.today)
        if account is None:
            raise LookupError(f"{loaded.town.slug} has no account of the candidate of its plan")
        (holder,) = await registry.holders_of(tx, person_id=account.person_id, company_id=None)
        (vehicle,) = await registry.vehicles_in_name(tx, holder)
        return Example(loaded, tx.today, global_id("holder", holder), global_id("vehicle", vehicle))


def welcome(address: str, folder: Path, examples: Sequence[Example]) -> None:
    """Print where things are, one token per role and town, and three queries."""
    print("\n".join([*places(address, folder, examples), *tokens(examples), *queries(address, examples)]), flush=True)


def places(address: str, folder: Path, examples: Sequence[Example]) -> Iterator[str]:
    embedded = Settings().embedded
    in_browser = " In a browser, by town:" if examples else ""
    yield f"\nPraça answers at {address}/graphql, where a host or a token says the town.{in_browser}"
    yield from (f"  {at(address, each)}" for each in examples)
    kept = f"E-mails are kept in {folder / 'mail'}, logs in" if embedded else "Logs are kept in"
    yield f"{kept} {folder / 'log'}."


def at(address: str, example: Example) -> str:
    return f"{address}/t/{example.slug}/graphql"


def tokens(examples: Sequence[Example]) -> Iterator[str]:
    """The embedded issuer's; elsewhere there is none to give."""
    settings = Settings()
    if settings.keys_dir is None:
        return
    issuer, clock = Issuer(settings.keys_dir), clock_of(settings)
    yield "\nTokens, to be sent as `Authorization: Bearer …` (./praca token gives them again):"
    yield f"  the platform's {OPERATOR}\n    {issuer.token(settings, clock, subject=OPERATOR, operator=True)}"
    for each in examples:
        yield f"  {each.slug}"
        for account in each.loaded.plan.account:
            token = issuer.token(settings, clock, subject=account.subject, town=each.slug)
            yield f"    {account.role}, {account.subject}\n      {token}"


def queries(address: str, examples: Sequence[Example]) -> Iterator[str]:
    if not examples:
        return
    yield "\nTo try:"
    yield "  1. One question, each town's own law: what does an infraction draw?"
    yield from (f"    {curl(at(address, each), each.infraction_query)}" for each in examples)
    for each in examples[:1]:
        secretary = next(account.subject for account in each.loaded.plan.account if account.role == SECRETARY)
        yield "  2. May this candidate be granted a permit? Every demand, its article, and what is still to prove:"
        yield f"    {curl(at(address, each), each.eligibility_query, each.slug, secretary)}"
        yield "  3. Permits in force, with holder, vehicle, stand and yearly licence:"
        yield f"    {curl(at(address, each), PERMITS, each.slug, secretary)}"


def curl(url: str, query: str, town: str = "", subject: str = "") -> str:
    """A line for the terminal; the token is asked for again, so that the line stays short."""
    body = json.dumps({"query": query})
    bearer = f' -H "Authorization: Bearer $(./praca token {subject} --town {town})"' if subject else ""
    return f"curl -s {url} -H 'content-type: application/json'{bearer} -d '{body}'"
