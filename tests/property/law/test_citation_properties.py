"""Every device that can be written is read back as itself."""

from hypothesis import given
from hypothesis import strategies as st

from tenants.law.citation import Citation, Device

NUMBERS = st.integers(1, 3000)
ROMANS = st.sampled_from(["I", "II", "III", "IV", "VIII", "IX", "XIV", "XL", "XCIX", "CD"])
SUFFIXES = st.sampled_from(["", "", "", "-A", "-B", "-AA"])
TIMES = st.sampled_from(["", "", "", " [2]", " [3]"])


@st.composite
def devices(draw: st.DrawFn) -> str:
    """Canonical texts, from the larger part to the smaller."""
    if draw(st.booleans()):
        parts = [f"art. {draw(NUMBERS)}{draw(SUFFIXES)}"]
        parts += draw(st.sampled_from([[], ["caput"], ["§ ún."], [f"§ {draw(NUMBERS)}{draw(SUFFIXES)}"]]))
    else:
        parts = [draw(st.sampled_from(["anexo", f"anexo {draw(ROMANS)}"])), f"grupo {draw(ROMANS)}"]
    smaller = [draw(ROMANS) + draw(SUFFIXES), draw(st.sampled_from("abcdefgxz")), f"item {draw(NUMBERS)}"]
    parts += [part for part in smaller if draw(st.booleans())]
    return ", ".join(part + draw(TIMES) for part in parts)


@given(devices())
def test_a_canonical_device_is_read_back_as_itself(text: str) -> None:
    assert str(Device.parse(text)) == text
    assert str(Citation.parse(f"Lei 1/2000, {text}")) == f"Lei 1/2000, {text}"


@given(devices(), devices())
def test_two_devices_never_share_a_fragment(one: str, other: str) -> None:
    """But for the first annex, which a law with no other writes without its number."""
    same = one.replace("anexo I,", "anexo,") == other.replace("anexo I,", "anexo,")
    assert (Device.parse(one).fragment == Device.parse(other).fragment) == same


@given(st.text(alphabet="art. §1IVXabc,únexogrupitm()[]-º ", max_size=25))
def test_any_text_is_read_canonically_or_refused(text: str) -> None:
    try:
        device = Device.parse(text)
    except ValueError:
        return

    assert Device.parse(str(device)) == device
