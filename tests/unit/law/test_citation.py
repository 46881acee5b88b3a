"""Citations have one canonical form, a place in their norm, and a LexML address."""

from datetime import date
from itertools import pairwise

import pytest
from pydantic import BaseModel, ValidationError

from tenants.law.citation import RANKS, Citation, CitationError, Device, Norm, NormStatus, parse_citations

TOWN = "urn:lex:br;mato.grosso;cotriguacu:municipal:lei:2009-12-15;624"


def norm(rank: str = "lei", urn: str = TOWN, label: str = "Lei 624/2009") -> Norm:
    return Norm(label=label, rank=rank, urn=urn, status=())


@pytest.mark.parametrize(
    ("written", "canonical", "fragment"),
    [
        ("art. 52, § ún.", "art. 52, § ún.", "art52_par1u"),
        ("art. 20, § 1", "art. 20, § 1", "art20_par1"),
        ("art. 4, VII", "art. 4, VII", "art4_inc7"),
        ('art. 11, I, alínea "b"', "art. 11, I, b", "art11_inc1_ali2"),
        ("art. 20, § 1, II, a (2)", "art. 20, § 1, II, a [2]", "art20_par1_inc2_ali1~2"),
        ("art. 9, IV [2]", "art. 9, IV [2]", "art9_inc4~2"),
        ("artigo 12-A, parágrafo único", "art. 12-A, § ún.", "art12-1_par1u"),
        ("art. 1º,  caput", "art. 1, caput", "art1_cpt"),
        ("art.8,§1º", "art. 8, § 1", "art8_par1"),
        ("art. 3, II, c, item 4", "art. 3, II, c, item 4", "art3_inc2_ali3_ite4"),
        ("anexo", "anexo", "anx1"),
        ("anexo, grupo II, item 8", "anexo, grupo II, item 8", "anx1_grp2_ite8"),
        ("anexo II, tabela 1", "anexo II, tabela I", "anx2_tab1"),
        ("capítulo V [2]", "capítulo V [2]", "cap5~2"),
    ],
)
def test_a_device_has_one_form_and_one_fragment(written: str, canonical: str, fragment: str) -> None:
    device = Device.parse(written)

    assert (str(device), device.fragment) == (canonical, fragment)
    assert Device.parse(canonical) == device


@pytest.mark.parametrize(
    ("text", "position", "why"),
    [
        ("art. 20, § 1, § 2", 14, "from the larger to the smaller"),
        ("art. 20, 5", 9, "not a part"),
        ("art. 20, IIII", 9, "IIII is no roman numeral"),
        ("art. 20 foo", 7, "not a part"),
        ("art. 0", 0, "not a part"),
        ("§ 1", 0, "begins with artigo"),
        ("art. 4,", 7, "not a part"),
        ("", 0, "not a part"),
    ],
)
def test_what_the_grammar_refuses_is_named_with_its_place(text: str, position: int, why: str) -> None:
    with pytest.raises(CitationError, match=why) as refused:
        Device.parse(text)

    assert refused.value.position == position


def test_devices_sort_and_contain_as_the_text_does() -> None:
    texts = ["art. 2", "art. 10", "art. 10, § 1", "art. 10, IX", "art. 10, X", "art. 10-A"]

    assert [str(d) for d in sorted(map(Device.parse, texts[::-1]))] == texts
    assert Device.parse("art. 10").covers(Device.parse("art. 10, § 1"))
    assert not Device.parse("art. 10, § 1").covers(Device.parse("art. 10"))
    assert not Device.parse("art. 1").covers(Device.parse("art. 10"))


def test_a_citation_takes_the_first_norm_unless_it_names_one() -> None:
    own = Citation.parse("art. 20, § 1", "Lei 3.085/2009")
    other = Citation.parse("Lei 624/2009, art. 40, II", "Lei 3.085/2009")

    assert (str(own), own.short) == ("Lei 3.085/2009, art. 20, § 1", "art. 20, § 1")
    assert (str(other), other.norm) == ("Lei 624/2009, art. 40, II", "Lei 624/2009")
    assert Citation.parse("Constituição Federal") == Citation("Constituição Federal")
    assert str(Citation.parse("Lei 12.587, de 2012, art. 12-A")) == "Lei 12.587, de 2012, art. 12-A"


@pytest.mark.parametrize("text", ["art. 1; art. 2", "atr. 20", "Lei 624/2009, art. XX"])
def test_what_is_no_single_citation_is_refused(text: str) -> None:
    with pytest.raises(CitationError):
        Citation.parse(text, "Lei 624/2009")


def test_a_bare_article_needs_a_default_norm() -> None:
    with pytest.raises(CitationError, match="no norm is named"):
        Citation.parse("art. 1")


def test_citations_are_split_at_semicolons() -> None:
    found = parse_citations("art. 37; anexo, grupo I, item 23", "Lei 3.085/2009")

    assert [c.short for c in found] == ["art. 37", "anexo, grupo I, item 23"]


def test_the_urn_of_a_citation_is_its_norms_with_a_fragment() -> None:
    assert Citation.parse("Lei 624/2009, art. 40, II").urn(norm()) == f"{TOWN}!art40_inc2"
    with pytest.raises(ValueError, match="is not of"):
        Citation.parse("Lei 1/2000, art. 1").urn(norm())


def test_models_read_citations_and_write_them_as_text() -> None:
    class Model(BaseModel):
        cite: Citation

    read = Model.model_validate({"cite": "art. 8"}, context={"norm": "Lei 624/2009"})

    assert read.cite == Citation.parse("Lei 624/2009, art. 8")
    assert Model.model_validate_json(read.model_dump_json()) == read
    with pytest.raises(ValidationError, match="no norm is named"):
        Model.model_validate({"cite": "art. 8"})


@pytest.mark.parametrize(
    "urn",
    [
        TOWN,
        "urn:lex:br;mato.grosso;barra.garcas:municipal:lei:2009;3085",
        "urn:lex:br:federal:constituicao:1988-10-05;1988",
        "urn:lex:br:conselho.nacional.transito:resolucao:2017-05-25;672",
    ],
)
def test_lexml_urns_are_taken_and_the_year_alone_too(urn: str) -> None:
    assert norm(urn=urn).urn == urn


@pytest.mark.parametrize(
    "urn",
    [
        "urn:lex:br;mato.grosso;cotriguacu:municipal:lei:2009-13-15;624",
        "urn:lex:br;mato.grosso;cotriguaçu:municipal:lei:2009;624",
        "urn:lex:br;mato.grosso;cotriguacu:lei:2009;624",
        TOWN + "!art1",
        "Lei 624/2009",
    ],
)
def test_what_is_no_urn_is_refused(urn: str) -> None:
    with pytest.raises(ValidationError):
        norm(urn=urn)


def test_norms_rank_in_the_brazilian_order() -> None:
    constitution = norm("constituicao", "urn:lex:br:federal:constituicao:1988-10-05;1988")
    federal = norm("lei", "urn:lex:br:federal:lei:2012-01-03;12587")
    state = norm("decreto", "urn:lex:br;mato.grosso:estadual:decreto:2000;1")
    organic, law, decree, ordinance = (norm(rank) for rank in ("lei_organica", "lei", "decreto", "portaria"))
    ordered = [constitution, federal, state, organic, law, decree, ordinance]

    assert [n.precedence for n in ordered] == sorted({n.precedence for n in ordered})
    assert all(a.outranks(b) and not b.outranks(a) for a, b in pairwise(ordered))
    assert len(set(RANKS)) == len(RANKS)


def test_a_complementary_law_does_not_outrank_a_law() -> None:
    assert not norm("lei_complementar").outranks(norm("lei"))
    assert not norm("lei").outranks(norm("lei_complementar"))


def test_an_unknown_rank_is_refused() -> None:
    with pytest.raises(ValidationError, match="unknown rank 'ley'"):
        norm("ley")


def test_a_status_may_concern_single_devices() -> None:
    status = NormStatus.model_validate({"is": "suspended", "from": date(2012, 1, 1), "devices": ["art. 8, § 2"]})

    assert status.concerns(Device.parse("art. 8, § 2"))
    assert status.concerns(Device.parse("art. 8, § 2, I"))
    assert not status.concerns(Device.parse("art. 8"))
    assert not status.concerns(None)
    assert NormStatus.model_validate({"is": "in_force", "from": {"param": "publicacao"}}).concerns(None)
