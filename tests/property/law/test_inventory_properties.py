"""Whatever law comes next: each deadline that it sets running has an opener, an end, and hands for what follows."""

from datetime import date

from hypothesis import given

from services.inventory import lacking
from tenants.law.book import Book
from tenants.law.inventory import inventory
from tenants.law.kinds.terms import Term
from tests.property.law.generator import packs
from tests.property.lives.laws import laws
from tests.support.law import published

DAY = date(2026, 3, 10)


@given(packs())
def test_no_deadline_of_any_law_lacks_anything(text: str) -> None:
    law = Book.of(published(text)).on(DAY)
    kinds = inventory(law)

    assert list(lacking(kinds)) == []
    assert {each.rule for each in kinds} >= {term.code for _, term in law.all(Term)}


@given(laws())
def test_no_deadline_of_a_law_of_permits_lacks_anything(text: str) -> None:
    assert list(lacking(inventory(Book.of(published(text)).on(DAY)))) == []
