"""A case as its offices and parties conduct it over HTTP, each with the documents of its front end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.acceptance.stage import COTRIGUACU, TODAY, Stage

DAY = TODAY.isoformat()


@dataclass(slots=True)
class Trial:
    """One case of Cotriguaçu, as the last step has left it."""

    stage: Stage
    case: Any
    fines: Sequence[str] = ()
    day: str = DAY

    @classmethod
    async def opened(
        cls, stage: Stage, permit: str, *infractions: str, day: str = DAY, fined: bool = True, **given: Any
    ) -> "Trial":
        """Of a fact that was fined on the street, unless it was not."""
        codes = infractions or ("CO-40-III",)
        fines = [await fine_of(stage, permit, code, day) for code in codes] if fined else []
        asked = {"infractions": list(codes), "seenOn": day, "openedBy": "registro_de_ocorrencia", "permitId": permit}
        case = await stage.done(
            "inspector/openCase",
            {**asked, "text": "Registro de ocorrência do agente.", "fineIds": fines, "openedOn": day, **given},
            town=COTRIGUACU,
        )
        return cls(stage, case, fines, day)

    @property
    def id(self) -> str:
        return str(self.case["id"])

    @property
    def party(self) -> str:
        return str(self.case["parties"][0]["id"])

    async def done(self, document: str, *, role: str = "", **given: Any) -> Any:
        self.case = await self.stage.done(document, {"caseId": self.id, **given}, town=COTRIGUACU, role=role)
        return self.case

    async def act(self, document: str, *, role: str = "", **given: Any) -> Any:
        return await self.stage.act(document, {"caseId": self.id, **given}, town=COTRIGUACU, role=role)

    async def served(self, day: str = "", way: str = "person", name: str = "acknowledged", **given: Any) -> Any:
        dates = [{"name": name, "on": day or self.day}]
        return await self.done("inspector/serveParty", partyId=self.party, way=way, dates=dates, **given)

    async def defended(self, **given: Any) -> Any:
        return await self.done("clerk/fileDefence", partyId=self.party, text="Não recusei passageiro.", **given)

    async def replied(self, **given: Any) -> Any:
        return await self.done("inspector/takeStep", text="Mantenho o auto.", **given)

    async def decided(self, outcome: str = "upheld", role: str = "secretary", **given: Any) -> Any:
        waiting = [each["id"] for each in self.case["charges"] if each["finalOn"] is None]
        said = [{"chargeId": id, "outcome": outcome} for id in waiting]
        return await self.done(f"{role}/decideCase", outcomes=said, text="Fundamentos e decisão.", **given)

    async def judged(self) -> "Trial":
        """Defended, replied to, and upheld by the first instance."""
        for step in (self.served, self.defended, self.replied, self.decided):
            await step()
        return self

    def term(self, kind: str) -> Any:
        """The deadline of a step."""
        return next(term for term in self.case["deadlines"] if term["kind"] == kind)

    @property
    def charge(self) -> Any:
        return self.case["charges"][0]


async def fine_of(stage: Stage, permit: str, infraction: str, day: str, **given: Any) -> str:
    asked = {"permitId": permit, "infractions": [infraction], "seenOn": day, "notifiedOn": day, **given}
    return str((await stage.done("inspector/issueFine", asked, town=COTRIGUACU))["id"])
