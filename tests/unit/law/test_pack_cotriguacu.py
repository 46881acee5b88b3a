"""The pack of Cotriguaçu beside its law: the tables, the ambiguities, the articles."""

import csv
from pathlib import Path

from tenants.law.citation import Citation
from tenants.law.device import Device
from tenants.law.kinds.basis import Choice, Parameter, Reading, Supplied
from tenants.law.kinds.infractions import Infraction
from tenants.law.kinds.stands import Stand
from tenants.law.lint import lint
from tenants.law.loader import load
from tenants.law.quantity import Amount
from tenants.law.rule import walk
from tenants.law.values import Const

ROOT = Path(__file__).resolve().parents[3]
TABLES = ROOT / "tests/laws"
PACK = load((ROOT / "tenants/municipalities/cotriguacu.toml").read_text(encoding="utf-8"))
TOWN = "cotriguacu"

# Every row of the list of ambiguities, and what stands for it in the pack.
AMBIGUITIES: dict[str, set[str]] = {
    "8§1, 40§2 × 9§un": {"unidade", "dia_da_ufm", "valor_ufm"},
    "8: until January": {"renovar_ate"},
    "8§2 × 17 I × 16 I": {"extincao_sem_renovacao"},
    "8§2, 12§un": {"impedimento"},
    "8§1 × 40 II": {"duas_multas"},
    "40 X, 44 × 37/38": {"remissao_37"},
    "59, 64 × 65/66-67; 63§un × 60; 28 × 24": {"remissao_65", "recurso_direto", "remissao_24"},
    "6 II × 11 I a": {"categoria_cnh"},
    "10 VI × 11 I h": {"idade"},
    "8 × 10 × 16 I": {"idade_quando"},
    "11 II c × 14 II": {"veiculos_empresa"},
    "13 × 18§1, 14 V, 14§2": {"quem_dirige"},
    "19 × 21; 19 × 4": {"novos_pontos", "outorga_nova"},
    "42/16 × 43/17 × 38 IV": {"formas_de_fim"},
    "41; 41 II × 17 II": {"duracao_suspensao", "etapas_abandono"},
    "40§1 × 45-58": {"multa_do_agente", "primeira_instancia"},
    "52, 45§un, 69": {"inicio_da_defesa"},
    "52§un, 58, 63": {"rolar", "prazo_do_prefeito"},
    "8 equal period; 14 III × 14§1; 29 IX × 14": {"prorrogacao", "isencoes", "cessao"},
    "7 × 49; 26; 2§1; 9 IV; 33 I": {
        "revogacao_precaria",
        "hora_comercial",
        "duas_portas",
        "numeracao",
        "codigo_de_transito",
    },
    "25§un": {"corrida"},
    "16 I, 17 I-II, 24, 29 III, 41 II, 60, 73": {"prazos"},
    "52, 60": {"inicio_nao_util"},
    "40 I": {"advertencia"},
    "40§2 × 40 VI": {"multa_sem_permissao"},
    "17 II × 41 II": {"justa_causa"},
    "68 I": {"recurso_de_oficio"},
    "29 VI": {"infracao_29_vi"},
}
DEFAULTS = {
    "unidade": "alias",
    "renovar_ate": "month_end",
    "extincao_sem_renovacao": "staged_16I",
    "impedimento": "sanction_only",
    "duas_multas": "dedupe",
    "remissao_37": "to_38",
    "idade": "strictest",
    "novos_pontos": "21",
    "corrida": "start_time",
    "prazos": "as_52",
    "inicio_nao_util": "start_any_day",
    "advertencia": "after_final",
    "multa_sem_permissao": "same_amount",
    "justa_causa": "just_cause",
    "recurso_de_oficio": "no_ex_officio",
    "infracao_29_vi": "off",
}


def table(name: str) -> list[dict[str, str]]:
    with (TABLES / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def penalty(rule: Infraction) -> str:
    return f"end:{rule.cause}" if rule.do == "end" else rule.do


def amount(rule: Infraction) -> tuple[str, str]:
    match rule.amount:
        case Const(literal=Amount(value=value, unit=unit)):
            return f"{value:f}", unit
        case None:
            return "", ""
    raise AssertionError(f"{rule.code} has no plain amount")


def test_the_infractions_are_those_of_the_table() -> None:
    ours = {
        (r.code, "; ".join(c.short for c in r.cite), penalty(r), *amount(r), r.title)
        for r in PACK.items
        if isinstance(r, Infraction)
    }
    theirs = {tuple(row.values()) for row in table("infractions-cotriguacu.csv")}

    assert ours - theirs == set()
    assert theirs - ours == set()


def test_the_stands_are_those_of_the_table() -> None:
    ours = {(str(s.number), s.place, str(s.slots)) for s in PACK.items if isinstance(s, Stand)}
    rows = [row for row in table("stands.csv") if row["municipality"] == TOWN]

    assert ours == {(row["number"], row["place"], row["vacancies"]) for row in rows}


def test_every_ambiguity_is_a_reading_or_a_parameter() -> None:
    known = {item.code for item in PACK.items if isinstance(item, (Reading, Parameter))}

    assert {row: codes - known for row, codes in AMBIGUITIES.items() if codes - known} == {}


def test_readings_say_what_counts_on_what_ground() -> None:
    readings = {item.code: item for item in PACK.items if isinstance(item, Reading)}

    assert {code: readings[code].default for code in DEFAULTS} == DEFAULTS
    for reading in readings.values():
        assert reading.default in reading.options
        assert len(reading.options) > 1
        assert reading.ask.endswith("?")
        assert reading.why


def test_nothing_is_supplied_chosen_or_sampled_in_the_pack() -> None:
    assert not [item.code for item in PACK.items if isinstance(item, (Supplied, Choice))]
    assert not [raw.code for raw in PACK.raws if "sample" in str(raw.payload)]


def test_every_device_cited_stands_in_the_law() -> None:
    law = {Device.parse(line) for line in (TABLES / "devices-cotriguacu.txt").read_text("utf-8").splitlines()}
    cited = {part.device for item in PACK.items for part in walk(item) if isinstance(part, Citation)}

    assert {str(device) for device in cited - law} == set()


def test_every_article_of_the_law_has_its_data() -> None:
    lines = (TABLES / "devices-cotriguacu.txt").read_text("utf-8").splitlines()
    articles = {line.split(",")[0] for line in lines}
    cited = {c.short.split(",")[0] for item in PACK.items for c in walk(item) if isinstance(c, Citation)}

    assert articles - cited == {"art. 74"}  # the last one only says from when: the norm's own status


def test_the_linter_finds_only_the_law_s_own_wrong_citations() -> None:
    found = lint(PACK.items, PACK.raws)

    assert {problem.severity for problem in found} == {"warning"}
    wrong = [p.message.partition("the text cites ")[2].partition(", which")[0] for p in found]
    assert sorted(wrong) == ["art. 17, I", "art. 24", "art. 37", "art. 60", "art. 65"]
