"""One record of every kind that a notice may be about, with whoever holds, drives, answers and represents."""

from uuid import UUID, uuid4

from services import acts
from services.access import system
from services.database import Transaction
from tests.support.register import make_licence, make_permit

DECISION = '{"outcome": "ALLOWED", "message": "Pode.", "citations": ["Lei 1/2000, art. 3"]}'
HOLDER, DRIVER, ADVOCATE, CITIZEN = "ana@example.org", "bia@example.org", "caio@example.org", "dora@example.org"
# Of each kind, in the order of their keys: what refers to nothing but permit, vehicle, driver, and the rows before it.
ROWS = {
    "vehicle": "INSERT INTO vehicle (tenant_id, plate, holder_id) VALUES (:tenant, :plate, :holder)",
    "enrolment": "INSERT INTO enrolment (tenant_id, driver_id, holder_id, category, role, number, during, act_id) "
    "VALUES (:tenant, :driver, :holder, 'taxi', 'auxiliar', :text, daterange(:day, NULL), :act)",
    "substitute": "INSERT INTO substitute (tenant_id, permit_id, driver_id, rule, during, act_id) "
    "VALUES (:tenant, :permit, :driver, 'substituto', daterange(:day, NULL), :act)",
    "occurrence": "INSERT INTO occurrence (tenant_id, client_id, content_hash, number, seen_at, seen_on, received_at, "
    "place, permit_id, holder_id, driver_id, infractions, inspector, office, state, decision, act_id) "
    "VALUES (:tenant, :text, sha256('x'), :text, :now, :day, :now, 'Praça', :permit, :holder, :driver, '{I-1}', "
    "'fiscal', 'cadastro', 'applied', CAST(:decision AS jsonb), :act)",
    "fine": "INSERT INTO fine (tenant_id, number, permit_id, occurrence_id, infraction, seen_on, units, unit, rate, "
    "brl, decision, act_id) VALUES (:tenant, :text, :permit, :occurrence, 'I-1', :day, 30, 'UX', 1.5, 1234.5, "
    "CAST(:decision AS jsonb), :act)",
    "penalty": "INSERT INTO penalty (tenant_id, holder_id, driver_id, infraction, what, nth, seen_on, state, fine_id, "
    "effect, act_id) VALUES (:tenant, :holder, :driver, 'I-1', 'fine', 1, :day, 'applied', :fine, '{}', :act)",
    "proposal": "INSERT INTO proposal (tenant_id, permit_id, effect, ground, proposed_on, decision, act_id) "
    "VALUES (:tenant, :permit, 'suspend', 'x', :day, CAST(:decision AS jsonb), :act)",
    "suspension": "INSERT INTO suspension (tenant_id, permit_id, proposal_id, during, act_id) "
    "VALUES (:tenant, :permit, :proposal, daterange(:day, NULL), :act)",
    "tariff": "INSERT INTO tariff (tenant_id, category, holder_id) VALUES (:tenant, 'onibus', :holder)",
    "town tariff": "INSERT INTO tariff (tenant_id, category) VALUES (:tenant, 'taxi')",
    "selection": "INSERT INTO selection_call (tenant_id, number, category, rule, vacancies, announced_on, opens_on, "
    "closes_on, opened_act) VALUES (:tenant, :text, 'taxi', 'ordem', 1, :day, :day, :day, :act)",
    "candidate": "INSERT INTO selection_candidate (tenant_id, call_id, holder_id, vehicle_id, enrolled_on, "
    "enrolled_act) VALUES (:tenant, :selection, :holder, :vehicle, :day, :act)",
    "case": "INSERT INTO proceeding (tenant_id, number, process, opened_by, permit_id, seen_on, opened_on, opened_act, "
    "decision, step) VALUES (:tenant, :text, 'rito', 'auto', :permit, :day, :day, :act, CAST(:decision AS jsonb), 'x')",
    "party": "INSERT INTO proceeding_party (tenant_id, proceeding_id, role, holder_id, since, act_id) "
    "VALUES (:tenant, :case, 'respondent', :holder, :day, :act)",
    "other party": "INSERT INTO proceeding_party (tenant_id, proceeding_id, role, driver_id, since, act_id) "
    "VALUES (:tenant, :case, 'respondent', :driver, :day, :act)",
    "advocate": "INSERT INTO proceeding_party (tenant_id, proceeding_id, role, person_id, acts_for, since, act_id) "
    "VALUES (:tenant, :case, 'representative', :lawyer, :party, :day, :act)",
    "complaint": "INSERT INTO complaint (tenant_id, number, secret_hash, received_at, received_on, text, permit_id, "
    "email, decision, answer, founded, answered_on, answered_act, act_id) VALUES (:tenant, :text, sha256('x'), :now, "
    ":day, 'Recusou.', :permit, 'dora@example.org', CAST(:decision AS jsonb), 'Apurado.', true, :day, :act, :act)",
}


async def every_subject(tx: Transaction) -> dict[str, UUID]:
    """By kind, and by the name of what is no subject: their ids."""
    permit = await make_permit(tx, email=HOLDER)
    act = (await acts.record(tx, system(tx.tenant_id), "test.made", on=("permit", permit.id))).id
    made: dict[str, UUID] = {
        "permit": permit.id,
        "licence": (await make_licence(tx, until=tx.today, permit=permit)).id,
        "holder": permit.holder_id,
        "driver": await _driver(tx),
        "lawyer": await _person(tx, "Caio Rocha", ADVOCATE),
    }
    for kind, statement in ROWS.items():
        given = {
            **{name.replace(" ", "_"): id for name, id in made.items()},
            "act": act,
            "day": tx.today,
            "now": tx.now,
        }
        given |= {"text": f"{kind} {uuid4()}", "plate": f"ABC{uuid4().int % 10}D{uuid4().int % 100:02d}"}
        given["decision"] = DECISION
        named = {name: value for name, value in given.items() if f":{name}" in statement}
        made[kind] = await tx.scalar(f"{statement} RETURNING id", **named)
    return made


async def _person(tx: Transaction, name: str, email: str) -> UUID:
    found: UUID = await tx.scalar(
        "INSERT INTO person (tenant_id, cpf, name, email) VALUES (:tenant, :cpf, :name, :email) RETURNING id",
        cpf=f"{uuid4().int % 10**11:011d}",
        name=name,
        email=email,
    )
    return found


async def _driver(tx: Transaction) -> UUID:
    found: UUID = await tx.scalar(
        "INSERT INTO driver (tenant_id, person_id) VALUES (:tenant, :person) RETURNING id",
        person=await _person(tx, "Bia Lima", DRIVER),
    )
    return found
