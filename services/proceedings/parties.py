"""Who answers in a case, who acts for them, and who of them an account stands for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from services import acts, deadlines
from services.access import Actor
from services.acts.record import Act
from services.database import Reader, Transaction
from services.errors import Conflict, Invalid
from services.proceedings import store
from services.proceedings.pieces import NewPiece, file_piece
from services.proceedings.tables import Party
from services.registry import store as registry

RESPONDENT, REPRESENTATIVE = "respondent", "representative"


@dataclass(frozen=True, slots=True)
class Respondent:
    """Exactly one of these."""

    holder_id: UUID | None = None
    driver_id: UUID | None = None
    person_id: UUID | None = None
    name: str | None = None


async def add_respondents(tx: Transaction, act: Act, case_id: UUID, who: Sequence[Respondent]) -> None:
    """Raises Invalid for nobody, or for one who is several; NotFound for one who is in no register of this town."""
    if not who:
        raise Invalid("respondents", "empty", "O processo precisa de autuado.")
    for each in who:
        known = [each.holder_id, each.driver_id, each.person_id]
        if [*known, each.name].count(None) != len(known) or each.name == "":
            raise Invalid("respondents", "one_of", "De cada autuado, diga um só: titular, condutor, pessoa ou nome.")
        for kind, id in zip(("holder", "driver", "person"), known, strict=True):
            if id is not None:
                await registry.must_exist(tx, kind, id)
    rows = [
        Party(
            tenant_id=tx.tenant_id,
            proceeding_id=case_id,
            role=RESPONDENT,
            holder_id=each.holder_id,
            driver_id=each.driver_id,
            person_id=each.person_id,
            name=each.name,
            since=act.legal_day,
            act_id=act.id,
        )
        for each in who
    ]
    await registry.add_all(tx, rows)


async def add_representative(
    tx: Transaction,
    actor: Actor,
    *,
    case_id: UUID,
    party_id: UUID,
    text: str,
    name: str | None = None,
    person_id: UUID | None = None,
    since: date | None = None,
) -> UUID:
    """Somebody acts for a respondent from a day on (procuração); answers the case's id.

    Args:
        name: Of somebody who is not in the register; otherwise ``person_id``.
        text: The power of attorney: a piece.
    """
    office, day = actor.must("register"), _come(tx, since)
    case = await store.lock_case(tx, case_id)
    await deadlines.settle(tx, day, ("case", case_id))
    party = await store.party(tx, case_id, party_id)
    if (name is None) == (person_id is None) or party.role != RESPONDENT:
        raise Invalid("personId", "one_of", "Diga quem representa um autuado: pessoa do cadastro ou nome.")
    if person_id is not None:
        await registry.must_exist(tx, "person", person_id)
    act = await acts.record(
        tx, actor, "case.represented", on=("case", case_id), office=office, legal_day=day, changes={"party": party_id}
    )
    row = Party(
        tenant_id=tx.tenant_id,
        proceeding_id=case_id,
        role=REPRESENTATIVE,
        person_id=person_id,
        name=name,
        acts_for=party_id,
        since=day,
        act_id=act.id,
    )
    await registry.add(tx, row)
    new = NewPiece(kind="mandate", title="Procuração", text=text, filed_on=day, party_id=party_id, office=office)
    await file_piece(tx, case_id, act, new)
    case.version += 1
    await tx.session.flush()
    return case_id


def _come(tx: Transaction, since: date | None) -> date:
    """Not a day to come, until which what runs would be found over."""
    if since is not None and since > tx.today:
        raise Invalid("since", "future", "O dia da procuração ainda não chegou.")
    return since or tx.today


async def end_representation(
    tx: Transaction, actor: Actor, *, case_id: UUID, party_id: UUID, text: str, on: date | None = None
) -> UUID:
    """A representative acts no more from a day on (renúncia ou revogação do mandato); answers the case's id.

    What they filed stays filed, and the terms of whom they acted for run on.

    Args:
        party_id: The representative.
        text: The paper that says so: a piece.

    Raises:
        Conflict: They have been gone already.
    """
    office, day = actor.must("register"), on or tx.today
    case = await store.lock_case(tx, case_id)
    await deadlines.settle(tx, day, ("case", case_id))
    party = await store.party(tx, case_id, party_id)
    if party.role != REPRESENTATIVE:
        raise Invalid("partyId", "role", "Só o mandato de um representante termina.")
    if party.ended_on is not None:
        raise Conflict(message=f"O mandato terminou em {party.ended_on:%d/%m/%Y}.")
    if not party.since <= day <= tx.today:
        raise Invalid("on", "order", "O mandato não termina antes de começar, nem no futuro.")
    act = await acts.record(
        tx,
        actor,
        "case.represented_no_more",
        on=("case", case_id),
        office=office,
        legal_day=day,
        changes={"party": party_id},
    )
    await store.end_party(tx, party_id, day, act.id)
    title = f"Fim do mandato de {party.shown}, desde {day:%d/%m/%Y}"
    new = NewPiece(kind="mandate", title=title, text=text, filed_on=day, party_id=party.acts_for, office=office)
    await file_piece(tx, case_id, act, new)
    case.version += 1
    await tx.session.flush()
    return case_id


def respondents(parties: Sequence[Row[Any]]) -> list[Row[Any]]:
    return [party for party in parties if party.role == RESPONDENT]


def stands_for(actor: Actor, parties: Sequence[Row[Any]], party_id: UUID, on: date) -> bool:
    """Whether the account is the party's own, or of somebody who acts for it on that day."""
    acting = (party for party in parties if party.ended_on is None or on < party.ended_on)
    own = (party for party in acting if party_id in (party.id, party.acts_for))
    return any(
        (actor.person_id is not None and party.of_person == actor.person_id)
        or (actor.company_id is not None and party.of_company == actor.company_id)
        for party in own
    )


async def is_party(tx: Reader, actor: Actor, case_id: UUID) -> bool:
    parties = await store.parties(tx, case_id)
    return any(stands_for(actor, parties, each.id, tx.today) for each in respondents(parties))
