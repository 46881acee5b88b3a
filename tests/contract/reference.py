"""The parts of the documents that the code says itself: kinds, values, facts, events, settings.

They stand between marks in the documents; a test holds them to the code, and this writes them anew:

    .venv/bin/python -m tests.contract.reference
"""

import ast
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from services.access import OPERATOR_POWERS
from services.settings import Settings
from tenants.law import cel, citation, values
from tenants.law.calendar import Counting
from tenants.law.citation import RANKS
from tenants.law.events import EVENTS
from tenants.law.facts import LISTS, REGISTER
from tenants.law.kinds.registry import BASIS, KINDS, RULES
from tenants.law.lint import CHECKS
from tenants.law.quantity import Rounding
from tenants.law.receivers import GENERAL, PEOPLE, POWERS
from tenants.law.rule import Demand, Item, Rule
from tenants.law.values import Value, Word
from tenants.law.wording import FIELDS
from tests.contract.model_tables import comments_of, doc, escaped, keys_of, said, table

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SOURCES = sorted(path for room in ("services", "graphql/api") for path in (ROOT / room).rglob("*.py"))
MARKS = re.compile(r"<!-- begin: (?P<name>[a-z ]+) -->\n(?P<text>.*?)<!-- end: (?P=name) -->", re.DOTALL)

# What a lawyer calls each kind.
PORTUGUESE = {
    "municipality": "município",
    "norm": "norma",
    "office": "órgão, competência",
    "parameter": "parâmetro: o que só o município diz",
    "supplied": "valor informado de um parâmetro",
    "reading": "interpretação de texto ambíguo",
    "choice": "interpretação escolhida",
    "unit": "unidade fiscal",
    "holiday": "feriado",
    "list": "lista de códigos",
    "fact": "fato próprio do município",
    "series": "série: população, índice",
    "counting": "contagem de prazo",
    "notice": "aviso de vencimento",
    "template": "texto de um aviso",
    "category": "categoria de serviço",
    "instrument": "instrumento de outorga",
    "holder_policy": "quem pode ser titular",
    "exclusion": "impedimento",
    "quota": "limite de vagas",
    "share": "parcela da frota",
    "selection": "seleção, desempate",
    "requirement": "requisito, documento",
    "vehicle_spec": "característica do veículo",
    "equipment": "equipamento",
    "restriction": "vedação, restrição",
    "conduct": "dever de conduta",
    "vehicle_age": "idade do veículo",
    "inspection": "vistoria",
    "campaign": "recadastramento",
    "term": "prazo, validade",
    "fee": "taxa",
    "infraction": "infração",
    "sanction": "penalidade à disposição do órgão",
    "overlap": "concurso de infrações",
    "measure": "medida: o que se conta do passado",
    "ladder": "reincidência",
    "points": "pontuação",
    "process": "processo administrativo",
    "service": "intimação, notificação",
    "transfer": "transferência",
    "substitute": "substituto",
    "crew": "condutores e auxiliares",
    "stand": "ponto",
    "stand_policy": "regime dos pontos",
    "roster": "escala, plantão",
    "service_duty": "jornada, folga",
    "tariff": "tarifa",
    "tariff_policy": "regime das tarifas",
}

# --- the law pack ---------------------------------------------------------------------------------------------------


def common() -> Iterator[str]:
    for model, title, inherited in (
        (Item, "Every item", ()),
        (Rule, "Every rule, besides", (Item,)),
        (Demand, "Every rule that demands something, besides", (Rule,)),
    ):
        yield f"### {title}\n\n{doc(model)}\n\n{table(keys_of(model, inherited))}"


def base_of(kind: type[Item]) -> type[Item]:
    return next(base for base in (Demand, Rule, Item) if issubclass(kind, base))


def kinds() -> Iterator[str]:
    for title, several in (("What rules stand on", BASIS), ("Rules", RULES)):
        yield f"## {title}\n"
        for kind in several:
            yield _kind(kind)


def _kind(kind: type[Item]) -> str:
    base = base_of(kind)
    about = [
        {"Item": "an item", "Rule": "a rule", "Demand": "a rule that demands"}[base.__name__],
        "cites its article" if kind.cited else "needs no citation",
        *([f"its code is its `{kind.named_by}` where none is written"] if kind.named_by != "code" else []),
    ]
    title = f"### `[[{kind.kind}]]`" if kind.kind not in ("municipality", "list") else f"### `[{kind.kind}]`"
    return (
        f"{title} ({PORTUGUESE[kind.kind]})\n\n{doc(kind)}\n\n*{'; '.join(about)}.*\n\n{table(keys_of(kind, [base]))}"
    )


def inner_tables() -> list[type[BaseModel]]:
    """Every table that stands inside another one, in the order of their names."""
    found: set[type[BaseModel]] = set()
    look: list[Any] = [Item, Rule, Demand, *KINDS.values()]
    apart = {Word, Rounding, *value_models()}
    while look:
        model = look.pop()
        for field in model.model_fields.values():
            for inner in _models_in(field.annotation):
                if inner not in found and inner not in apart:
                    found.add(inner)
                    look.append(inner)
    return sorted(found, key=lambda model: model.__name__)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if annotation == Value:
        return
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for arg in get_args(annotation):
        yield from _models_in(arg)


def inner() -> Iterator[str]:
    for model in inner_tables():
        yield f"### {model.__name__}\n\n{doc(model)}\n\n{table(keys_of(model))}"


def value_models() -> list[type[BaseModel]]:
    """The tables that may stand for a value, and the lines of two of them."""
    return [*(get_args(each)[0] for each in get_args(get_args(Value)[0])), values.Band, values.Case]


def value_tables() -> Iterator[str]:
    for model in value_models():
        if model is values.Const:
            continue
        keys = [key._replace(name="each option") if key.name == "options" else key for key in keys_of(model)]
        yield f"### {model.__name__}\n\n{doc(model)}\n\n{table(keys)}"


def words() -> Iterator[str]:
    yield table([key for key in keys_of(Counting) if key.name != "code"])


def facts() -> Iterator[str]:
    rows = ["| fact | type | proof | meaning | question |", "|---|---|---|---|---|"]
    for spec in REGISTER:
        kind = f"{spec.type}, of the list `{spec.list}`" if spec.list else spec.type
        kind += f", {spec.unit}" if spec.unit else ""
        rows.append(f"| `{spec.code}` | {kind} | {spec.proof} | {spec.meaning} | {spec.ask} |")
    yield "\n".join(rows) + "\n"


def lists() -> Iterator[str]:
    rows = [f"| `{name}` | {', '.join(f'`{code}`' for code in codes)} |" for name, codes in LISTS.items()]
    yield "\n".join(["| list | codes |", "|---|---|", *rows]) + "\n"


def checks() -> Iterator[str]:
    yield "\n".join(f"- {escaped(' '.join((check.__doc__ or '').split()))}" for check in CHECKS) + "\n"


def notice_fields() -> Iterator[str]:
    rows = [
        f"| `{field.name}` | {'list' if field.several else 'text'} "
        f"| {', '.join(f'`{kind}`' for kind in field.of) or 'all'} | {escaped(field.says)} | {escaped(field.example)} |"
        for field in FIELDS.values()
    ]
    yield "\n".join(["| field | is | of | what it says | such as |", "|---|---|---|---|---|", *rows]) + "\n"


def receivers() -> Iterator[str]:
    rows = [
        f"| `{kind}` | {', '.join(f'`{w}`' for w in sorted(ws))} | `{POWERS.get(kind, GENERAL)}` |"
        for kind, ws in PEOPLE.items()
    ]
    yield "\n".join(["| subject | its people | `office`: those who may |", "|---|---|---|", *rows]) + "\n"


def events() -> Iterator[str]:
    rows = [f"| `{of}` | {', '.join(f'`{event}`' for event in sorted(known))} |" for of, known in EVENTS.items()]
    yield "\n".join(["| `of` | events |", "|---|---|", *rows]) + "\n"


def functions() -> Iterator[str]:
    rows = [
        f"| `{name}({', '.join(_cel(each) for each in given)})` | {_cel(result)} |"
        for name, (result, given, _) in cel._FUNCTIONS.items()
    ]
    yield "\n".join(["| function | gives |", "|---|---|", *rows]) + "\n"


def _cel(kind: Any) -> str:
    return {"STRING": "text", "TIMESTAMP": "day", "INT": "int", "BOOL": "bool"}[kind.name()]


def ranks() -> Iterator[str]:
    levels = dict.fromkeys(level for level, _ in RANKS)
    forms = {level: [form for at, form in RANKS if at == level] for level in levels}
    rows = [f"| {level} | {', '.join(f'`{form}`' for form in forms[level])} |" for level in levels]
    peers = ", ".join(f"`{form}` (as `{of}`)" for form, of in citation._PEERS.items())
    yield "\n".join(["| level, the strongest first | `rank` |", "|---|---|", *rows]) + f"\n\nBesides: {peers}.\n"


def powers() -> Iterator[str]:
    """Powers that a use case asks for: found in the code, where each is a literal."""
    asked = {power for path in SOURCES for power in _powers_in(ast.parse(path.read_text(encoding="utf-8")))}
    yield f"{', '.join(f'`{power}`' for power in sorted(asked))}.\n"
    yield f"The platform's operator has {', '.join(f'`{power}`' for power in sorted(OPERATOR_POWERS))} in every town.\n"


def _powers_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="must" | "must_hold"), args=[*_, ast.Constant(value=str() as power)]):
                yield power


# --- running it -------------------------------------------------------------------------------------------------------


def settings() -> Iterator[str]:
    notes = comments_of(Settings)
    rows = ["| variable | takes | absent | |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "**required**" if field.is_required() else f"`{shown(field.default)}`"
        kind = ", ".join([setting(field.annotation), *limits(field)])
        rows.append(f"| `PRACA_{name.upper()}` | {kind} | {default} | {escaped(notes[name])} |")
    yield "\n".join(rows) + "\n"


def limits(field: FieldInfo) -> Iterator[str]:
    for bound in field.metadata:
        for attribute, word in (("ge", "at least"), ("le", "at most")):
            if hasattr(bound, attribute):
                yield f"{word} {getattr(bound, attribute):_}"


def setting(annotation: Any) -> str:
    names = {
        "PostgresDsn": "address of PostgreSQL",
        "RedisDsn": "address of Valkey or Redis",
        "HttpUrl": "URL",
        "Path": "path",
        "SecretStr": "secret",
        "datetime": "instant with its offset",
    }
    if get_origin(annotation) is tuple:
        return "JSON list of text"
    if get_origin(annotation) in (Union, types.UnionType):
        return " or ".join(setting(arg) for arg in get_args(annotation) if arg is not type(None))
    name = getattr(annotation, "__name__", "")
    return names.get(name) or said(annotation)


def shown(default: Any) -> str:
    match default:
        case None | "" | ():
            return "none"
        case bool():
            return str(default).lower()
        case int():
            return f"{default:_}"
    return str(default)


SECTIONS = {
    "common": common,
    "kinds": kinds,
    "inner tables": inner,
    "value tables": value_tables,
    "counting": words,
    "facts": facts,
    "lists": lists,
    "checks": checks,
    "events": events,
    "functions": functions,
    "ranks": ranks,
    "powers": powers,
    "notice fields": notice_fields,
    "receivers": receivers,
    "settings": settings,
}


def written(document: str) -> str:
    """A document with each marked part as the code has it now."""

    def part(found: re.Match[str]) -> str:
        name = found["name"]
        text = "\n".join(SECTIONS[name]())
        return f"<!-- begin: {name} -->\n\n{text}\n<!-- end: {name} -->"

    return MARKS.sub(part, document)


def main() -> None:
    for path in sorted(DOCS.glob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = written(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)} is written anew.\n")


if __name__ == "__main__":
    main()
