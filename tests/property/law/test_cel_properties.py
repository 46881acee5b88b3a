"""What is decided on some facts stays decided whatever the others turn out to be."""

from datetime import date
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tenants.law.cel import Condition, Fails, Holds, Unproven
from tenants.law.facts import Facts, FactSpec, Vocabulary

CODES = ("local.a", "local.b", "local.c", "local.n")
VOCABULARY = Vocabulary(
    FactSpec(code=code, type="int" if code == "local.n" else "bool", of="candidate", ask="?") for code in CODES
)
POSSIBLE: dict[str, tuple[object, ...]] = dict.fromkeys(CODES, (False, True)) | {"local.n": (0, 1, 2)}
ON = date(2026, 1, 1)
ATOMS = st.sampled_from([*CODES[:3], "local.n > 1", "local.n == 0", "1 < local.n + 1", "true", "local.a == local.b"])
FORMULAS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
    ),
    max_leaves=6,
)
PARTIAL = st.fixed_dictionaries({}, optional={code: st.sampled_from(values) for code, values in POSSIBLE.items()})


@given(FORMULAS, PARTIAL)
def test_a_decision_on_part_of_the_facts_holds_for_every_completion(source: str, known: dict[str, object]) -> None:
    condition = Condition.compile(source, VOCABULARY, {})
    verdict = condition.evaluate(Facts.of(known, VOCABULARY), ON)
    if isinstance(verdict, Unproven):
        assert verdict.missing == condition.facts - known.keys()
        return

    assert verdict in (Holds(), Fails())
    missing = sorted(condition.facts - known.keys())
    for values in product(*(POSSIBLE[code] for code in missing)):
        complete = Facts.of({**known, **dict(zip(missing, values, strict=True))}, VOCABULARY)
        assert condition.evaluate(complete, ON) == verdict


@given(FORMULAS, PARTIAL)
def test_what_is_referred_to_is_what_the_source_names(source: str, known: dict[str, object]) -> None:
    assert Condition.compile(source, VOCABULARY, {}).facts == {code for code in CODES if code in source}
