"""The third town comes by its file alone: through the use case, and through the operator's mutation."""

from datetime import date
from typing import TYPE_CHECKING

import pytest

from services.municipalities.publishing import check_text
from tests.third_town.asking import ONBOARD, TODAY, Ipe, pack_text

if TYPE_CHECKING:
    from services.database import Database


async def test_the_operator_s_mutation_brings_it(ipe: Ipe) -> None:
    town = await ipe.run("{ municipality { slug name uf zone } }")

    assert ipe.onboarding == {"__typename": "Onboarded", "slug": "vila-nova-do-ipe", "name": "Vila Nova do Ipê"}
    assert town == {**town, "slug": "vila-nova-do-ipe", "uf": "PR", "zone": "America/Sao_Paulo"}


async def test_only_the_operator_brings_towns(ipe: Ipe) -> None:
    for subject, operator, code in (("", False, "FORBIDDEN"), ("alguem", False, "FORBIDDEN"), ("p", True, "CONFLICT")):
        answer = await ipe.run(ONBOARD, subject=subject, operator=operator, text=pack_text())

        assert answer["code"] == code


async def test_the_use_case_brings_it_with_every_item_of_its_file(own_database: "Database") -> None:
    from services.access import operator
    from services.municipalities.publishing import onboard

    town = await onboard(own_database, operator("plataforma"), text=pack_text())

    async with own_database.reader(town.id) as tx:
        law = await tx.law(on=TODAY)
        written = {(item.kind, item.code) for item in check_text(pack_text()).items}
        assert {(item.kind, item.code) for item in law.book.items()} == written
        assert law.first_day == date(2018, 3, 1)
    assert (town.name, town.fictitious) == ("Vila Nova do Ipê", False)


@pytest.mark.parametrize("wrong", ["UIP", "uteis_ipe", "prontuario_motos", "moradores", "conselho_motos"])
def test_a_name_that_nothing_has_is_found_where_it_stands(wrong: str) -> None:
    checked = check_text(pack_text().replace(f'code = "{wrong}"', f'code = "{wrong}x"'))

    assert checked.refused
    assert all(problem.line for problem in checked.problems)
    assert any(f"'{wrong}'" in problem.message for problem in checked.problems if problem.severity == "error")


async def test_a_file_with_one_name_wrong_is_refused_whole(own_database: "Database") -> None:
    from services.access import operator
    from services.municipalities.publishing import PackInvalid, onboard

    with pytest.raises(PackInvalid):
        await onboard(own_database, operator("plataforma"), text=pack_text().replace('code = "UIP"', 'code = "UIPx"'))

    async with own_database.directory() as directory:
        assert await directory.scalar("SELECT count(*) FROM municipality") == 0
