"""Every document that front ends send, asked for real by the role of its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.acceptance import (
    contest_cases,
    enforcement_cases,
    fleet_cases,
    import_cases,
    lawmaking_cases,
    letter_cases,
    life_cases,
    notice_cases,
    office_cases,
    proceeding_cases,
    public_cases,
    recomputing_cases,
    service_cases,
    tariff_cases,
    watching_cases,
)
from tests.acceptance.operations import ALONE, CASES, Asking
from tests.acceptance.stage import DOCUMENTS

if TYPE_CHECKING:
    from tests.acceptance.stage import Stage

GATHERED = (
    contest_cases,
    enforcement_cases,
    fleet_cases,
    import_cases,
    lawmaking_cases,
    letter_cases,
    life_cases,
    notice_cases,
    office_cases,
    proceeding_cases,
    public_cases,
    recomputing_cases,
    service_cases,
    tariff_cases,
    watching_cases,
)


def test_every_document_has_a_case() -> None:
    assert set(CASES) == set(DOCUMENTS)


def test_every_role_has_documents() -> None:
    roles = {document.partition("/")[0] for document in DOCUMENTS}

    assert roles == {"public", "holder", "driver", "clerk", "inspector", "secretary", "mayor", "operator"}


@pytest.mark.parametrize("document", [each for each in CASES if each not in ALONE])
async def test_a_document_is_answered(seen: Stage, document: str) -> None:
    town, asks = CASES[document]

    await asks(Asking(seen, document, town))


@pytest.mark.parametrize("document", sorted(ALONE))
async def test_a_document_is_answered_in_registers_of_its_own(stage: Stage, document: str) -> None:
    town, asks = CASES[document]

    await asks(Asking(stage, document, town))
