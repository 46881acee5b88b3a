"""One town with a random law, and one of its cases: what may be done to it next, and what must hold whenever."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from services.access import Actor
from services.clock import FixedClock
from services.deadlines import settle
from services.deadlines import store as deadlines
from services.enforcement.fining import issue_fine
from services.errors import Conflict, Invalid, Refused
from services.proceedings import archiving, deciding, enforcing, filing, instructing, opening, serving, store
from services.proceedings.path import BY_SERVICE, PARTY, Path
from services.proceedings.pieces import broken
from tests.property.proceedings.rites import FINED, INFRACTIONS, WAYS
from tests.support.register import make_permit

if TYPE_CHECKING:
    from services.database import Database

AFTERNOON = time(16)  # UTC: the same day everywhere in Brazil
FIRST = date(2012, 3, 5)
POWERS = ("read", "register", "record", "propose", "fine", "decide", "cancel", "suspend", "publish")
OFFICES = ("o0", "o1")
NOES = (Conflict, Invalid, Refused)
LAST_DAYS = 4000


class Walk:
    """``seen``: what has happened in any walk, to tell whether all of it has."""

    def __init__(self, database: Database, seed: int, seen: Counter[str]) -> None:
        self.database, self.random, self.seen = database, Random(seed), seen  # noqa: S311 - no secret
        self.today = FIRST
        self.case: UUID | None = None
        self.fines: list[UUID] = []
        self.links: list[str] = []
        self.final: dict[UUID, tuple[date, str]] = {}
        self.town: UUID = UUID(int=0)
        self.changed = True
        self._at()

    def _at(self) -> None:
        assert isinstance(self.database.clock, FixedClock)
        self.database.clock.at = datetime.combine(self.today, AFTERNOON, UTC)

    def actor(self) -> Actor:
        powers = dict.fromkeys(POWERS, OFFICES[1])
        return Actor(subject="todos", kind="office", tenant_id=self.town, offices=OFFICES, powers=powers)

    async def do(self, use_case: Any, **given: Any) -> Any:
        async with self.database.transaction(self.town) as tx:
            done = await use_case(tx, self.actor(), case_id=self.case, **given)
        self.changed = True
        return done

    # --- what may be done -----------------------------------------------------------------------------------------

    async def opens(self) -> None:
        async with self.database.transaction(self.town) as tx:
            permit = await make_permit(tx)
            codes = self.random.sample(INFRACTIONS, self.random.choice([1, 2, 3, 3]))
            fined = [code for code in codes if code in FINED and self.random.random() < 0.6]
            for code in fined:
                fine = await issue_fine(tx, self.actor(), permit_id=permit.id, infractions=[code], seen_on=self.today)
                self.fines.append(fine.id)
            names = [{"name": f"Autuado {n}"} for n in range(self.random.randint(1, 2))]
            self.case = await opening.open_case(
                tx,
                self.actor(),
                infractions=codes,
                seen_on=self.today,
                opened_by="auto",
                text="Auto.",
                permit_id=permit.id,
                respondents=names,
                fine_ids=list(self.fines),
            )

    async def passes(self, days: int) -> None:
        self.today += timedelta(days=days)
        self._at()
        if self.random.random() < 0.7:
            await self.night()

    async def night(self) -> None:
        async with self.database.transaction(self.town) as tx:
            await settle(tx)
        self.changed = True

    async def tries(self, action: str) -> None:
        """Whatever it is: a no is one that is expected, and changes nothing."""
        try:
            await getattr(self, action)()
        except NOES as no:
            self.seen[f"no: {type(no).__name__}"] += 1
        else:
            self.seen[action] += 1

    async def goes_on(self) -> None:
        """Something that the case may well be waiting for."""
        case = await self._case()
        if case.step is None:
            await self.tries(self.random.choice(["enforces", "archives"]))
            return
        async with self.database.reader(self.town) as tx:
            path = Path.of(await tx.law(on=tx.today), "rito")
        step = path.step(case.step)
        if step.actor == PARTY:
            files = "defends" if step.instance == 1 else "appeals"
            await self.tries(self.random.choice(["serves", files, files]))
        elif step == path.judged_at(step.instance):
            await self.tries(self.random.choice(["orders", "decides", "decides"]))
        else:
            await self.tries("takes")

    async def serves(self) -> None:
        way = self.random.choice(list(WAYS))
        known: dict[str, Any] = {"dates": {WAYS[way]: self.today}}
        if self.random.random() < 0.2:
            known = {"failed_on": self.today}
        await self.do(serving.serve_party, party_id=await self._party(), way=way, **known)

    async def defends(self) -> None:
        to = self.random.choice([None, *OFFICES])
        await self._files(filing.file_defence, party_id=await self._party(), text="Defesa.", addressed_to=to)

    async def appeals(self) -> None:
        ids = [charge.id for charge in await self.charges() if charge.outcome == "upheld"]
        part = self.random.sample(ids, self.random.randint(1, len(ids))) if ids and self.random.random() < 0.8 else None
        await self._files(filing.file_appeal, party_id=await self._party(), text="Recurso.", charge_ids=part)

    async def _files(self, use_case: Any, **given: Any) -> None:
        before = len(await self._pieces())
        await self.do(use_case, **given)
        self.seen["late" if (await self._pieces())[before].late else "in time"] += 1

    async def enters(self) -> None:
        """What an office received some days ago comes into the file only now: in time, it undoes what had followed."""
        party = await self._party()
        async with self.database.reader(self.town) as tx:
            terms = await deadlines.of_subjects(tx, [("case", self._id)], tx.today)
        ran = [term for term in terms if term.state == "expired" and term.inputs.get("party") == str(party)]
        if not ran:
            raise Conflict
        term = self.random.choice(ran)
        files = filing.file_defence if term.kind == "defesa" else filing.file_appeal
        await self.do(files, party_id=party, text="Achada.", filed_on=term.last_day)
        final = {charge.id for charge in await self.charges() if charge.final_on is not None}
        for id in self.final.keys() - final:
            assert self.final.pop(id)[0] > term.last_day, "it was final before it was challenged"
            self.seen["reopened"] += 1

    async def takes(self) -> None:
        await self.do(instructing.take_step, text="Manifestação.")

    async def orders(self) -> None:
        await self.do(instructing.order_diligence, text="Diligência.")

    async def decides(self) -> None:
        said = [
            {"charge_id": charge.id, "outcome": self.random.choice(["upheld", "upheld", "upheld", "dismissed"])}
            for charge in await self._waiting()
        ]
        await self.do(deciding.decide_case, outcomes=said, text="Decisão.")
        for each in said:
            self.seen[str(each["outcome"])] += 1

    async def enforces(self) -> None:
        upheld = [charge for charge in await self.charges() if charge.enforced_on is None]
        if not upheld:
            raise Conflict
        await self.do(enforcing.enforce_charge, charge_id=self.random.choice(upheld).id)

    async def archives(self) -> None:
        await self.do(archiving.archive_case, text="Arquive-se.")

    # --- what must hold -------------------------------------------------------------------------------------------

    async def holds(self) -> None:
        """Every invariant, after whatever was done; nothing has changed since where it was refused."""
        if not self.changed:
            return
        self.changed = False
        async with self.database.reader(self.town) as tx:
            self.seen[f"step: {(await store.case(tx, self._id)).step or 'none'}"] += 1
            pieces = await store.pieces(tx, self._id)
            links = [piece.chain for piece in pieces]
            assert broken(pieces) == []
            assert links[: len(self.links)] == self.links, "a piece was lost, or another stands in its place"
            self.links = links
            charges = await store.charges(tx, self._id)
            for charge in charges:
                await self._holds_of(tx, charge)
        decided = [
            charge for charge in charges if charge.outcome == "upheld" and charge.decided_act != charge.final_act
        ]
        if any(each.appealed_on for each in decided) and any(each.final_on for each in decided):
            self.seen["split"] += 1

    async def _holds_of(self, tx: Any, charge: Any) -> None:
        await self._waits(tx, charge)
        if charge.final_on is None:
            assert charge.id not in self.final, "what was final is not final any more"
            return
        assert charge.appealed_on is None, "what was appealed against waits for its judgement"
        said = (charge.final_on, charge.outcome)
        assert self.final.setdefault(charge.id, said) == said, "what is final changes no more"
        assert charge.final_on <= self.today + timedelta(days=1)
        await self._had_its_term(tx, charge)

    async def _waits(self, tx: Any, charge: Any) -> None:
        """No penalty takes effect while it is suspended."""
        if charge.suspended_on is None:
            return
        assert (charge.final_on, charge.enforced_on) == (None, None)
        if charge.fine_id is not None:
            terms = await deadlines.of_subjects(tx, [("fine", charge.fine_id)], tx.today)
            assert [term.state for term in terms if term.state == "open"] == []
            self.seen["suspended"] += 1

    async def _had_its_term(self, tx: Any, charge: Any) -> None:
        """Nothing upheld is final before everybody concerned has filed, or their term has run to its end."""
        if charge.outcome == "dismissed":
            return
        path = Path.of(await tx.law(on=tx.today), "rito")
        people = [each.id for each in await store.parties(tx, self._id) if each.role == "respondent"]
        step: Any = path.first
        if charge.decided_act != charge.final_act:  # an office has decided: who could have appealed?
            act = await tx.one("SELECT body FROM act WHERE tenant_id = :tenant AND id = :id", id=charge.decided_act)
            step = path.appeal_from(path.step(json.loads(act.body)["changes"]["step"]).instance)
        for person in people if step is not None else []:
            assert await self._over(tx, step, person, charge.final_on), "somebody's term had not run"
        self.seen["by default" if charge.decided_act == charge.final_act else "by decision"] += 1

    async def _over(self, tx: Any, step: Any, person: UUID, day: date) -> bool:
        """It was used, or nobody uses it any more."""
        filed = (await store.filed(tx, self._id, step.code)).get(person)
        terms = [term for term in await store.terms(tx, self._id, step.code) if term.party == str(person)]
        run = bool(terms) and all(term.state == "expired" and term.last_day < day for term in terms)
        return run or (filed is not None and filed <= day)

    # --- to the end -----------------------------------------------------------------------------------------------

    async def ends(self) -> None:
        """Whatever state it is in, the case comes to its end when everybody does their part."""
        await self.night()
        for _ in range(LAST_DAYS):
            case = await self._case()
            if case.archived_on is not None:
                break
            await self._next(case)
            await self.holds()
        charges = await self.charges()
        assert (await self._case()).archived_on is not None, f"it never ended: {case.step}"
        assert all(charge.final_on for charge in charges)
        upheld = [charge for charge in charges if charge.outcome == "upheld"]
        assert all(charge.enforced_on for charge in upheld)
        self.seen["ended: enforced" if upheld else "ended: dismissed"] += 1

    async def _next(self, case: Any) -> None:
        """The one thing that the case waits for; where it waits for time, days pass. Some papers come late."""
        if self.random.random() < (0.15 if case.step else 0.4):
            await self.tries(self.random.choice(["enters", "enters", "defends", "appeals"]))
            return
        if case.step is None:
            for charge in await self.charges():
                if charge.outcome == "upheld" and charge.enforced_on is None:
                    await self.do(enforcing.enforce_charge, charge_id=charge.id)
            await self.archives()
            return
        async with self.database.reader(self.town) as tx:
            path = Path.of(await tx.law(on=tx.today), "rito")
        step = path.step(case.step)
        if step == path.judged_at(step.instance) and (step.actor != PARTY or await self._waiting()):
            try:
                await self.decides()
                return
            except NOES:
                self.seen["waits"] += 1
        elif step.actor != PARTY:
            await self.takes()
            return
        if step.actor == PARTY and self.random.random() < 0.4:
            await self.tries("defends" if step.instance == 1 else "appeals")
            return
        if step.after == BY_SERVICE:
            for party in await self._parties():
                try:
                    await self.do(
                        serving.serve_party, party_id=party, way="pessoal", dates={WAYS["pessoal"]: self.today}
                    )
                except NOES:
                    self.seen["served already"] += 1
        self.today += timedelta(days=self.random.randint(1, 9))
        self._at()
        await self.night()

    # --- what there is --------------------------------------------------------------------------------------------

    @property
    def _id(self) -> UUID:
        assert self.case is not None
        return self.case

    async def charges(self) -> list[Any]:
        async with self.database.reader(self.town) as tx:
            return list(await store.charges(tx, self._id))

    async def _waiting(self) -> list[Any]:
        charges = [charge for charge in await self.charges() if charge.final_on is None]
        appealed = [charge for charge in charges if charge.appealed_on is not None]
        return appealed or [charge for charge in charges if charge.outcome is None]

    async def _pieces(self) -> list[Any]:
        async with self.database.reader(self.town) as tx:
            return list(await store.pieces(tx, self._id))

    async def _case(self) -> Any:
        async with self.database.reader(self.town) as tx:
            return await store.case(tx, self._id)

    async def _parties(self) -> list[UUID]:
        async with self.database.reader(self.town) as tx:
            return [each.id for each in await store.parties(tx, self._id) if each.role == "respondent"]

    async def _party(self) -> UUID:
        return self.random.choice(await self._parties())


def new_slug() -> str:
    return f"vila-{uuid4().hex[:12]}"
