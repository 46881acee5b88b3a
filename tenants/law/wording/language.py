"""What words may be made of. Nothing can be reached but the fields: no attribute, no call, no arithmetic.

The check looks at the parsed text and allows what it knows; the sandbox in `filling` is a second wall, not the first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jinja2 import Environment, TemplateSyntaxError, nodes

from tenants.law.wording.fields import FIELDS

DEEPEST_BLOCKS = 8  # law-free: conditions and lists in one another
DEEPEST = 60  # law-free: parts of an expression in one another
LOOP = "loop"
OF_LOOP = frozenset({"first", "last", "index"})
FILTERS = frozenset({"upper", "lower", "capitalize", "trim", "default", "join", "first", "last", "length"})
TESTS = frozenset({"defined", "none"})
PLAIN = (
    nodes.Output,
    nodes.TemplateData,
    nodes.If,
    nodes.CondExpr,
    nodes.And,
    nodes.Or,
    nodes.Not,
    nodes.Compare,
    nodes.Operand,
    nodes.Concat,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What a text may not say, and where in it."""

    message: str
    line: int = 1
    column: int = 1


def parsed(environment: Environment, source: str) -> nodes.Template | Fault:
    try:
        return environment.parse(source)
    except TemplateSyntaxError as error:
        line = error.lineno or 1
        return _at(source, line, "{%", f"O modelo não se lê: {error.message}")
    except RecursionError:
        return Fault("O modelo tem expressões demais umas dentro das outras.")


def forbidden(tree: nodes.Template, source: str) -> Iterator[Fault]:
    """Everything in a text that is not of the language."""
    for node in tree.body:
        yield from _node(node, source, {}, 0, 0)


def _node(node: nodes.Node, source: str, named: Mapping[str, bool], blocks: int, depth: int) -> Iterator[Fault]:
    """``named``: the fields of the lists that this stands in."""
    if depth > DEEPEST or blocks > DEEPEST_BLOCKS:
        yield Fault("O modelo tem partes demais umas dentro das outras.", node.lineno or 1)
        return
    match node:
        case nodes.For():
            yield from _list(node, source, named, blocks, depth)
            return
        case nodes.Name():
            yield from _name(node, source, named)
        case nodes.Getattr(node=nodes.Name(name=name), attr=attr) if name == LOOP and LOOP in named and attr in OF_LOOP:
            return
        case nodes.Const():
            if not isinstance(node.value, (str, int, bool, type(None))):
                yield _at(source, node.lineno, "", "O modelo só conhece textos e números inteiros.")
        case nodes.Filter():
            yield from _filter(node, source)
        case nodes.Test():
            if node.name not in TESTS or node.args or node.kwargs:
                yield _at(source, node.lineno, node.name, f"O modelo não conhece o teste “{node.name}”.")
        case _ if not isinstance(node, PLAIN):
            yield _refused(node, source)
            return
    inner = blocks + isinstance(node, nodes.If)
    for child in node.iter_child_nodes():
        yield from _node(child, source, named, inner, depth + 1)


def _list(node: nodes.For, source: str, named: Mapping[str, bool], blocks: int, depth: int) -> Iterator[Fault]:
    """Through a field that is a list, and no other: so that none is longer than what the register says.

    Never within another: lists in one another are gone through as often as their lengths multiplied say, in silence.
    """
    if LOOP in named:
        yield _at(source, node.lineno, "for", "Uma lista não se percorre dentro de outra.")
        return
    known = isinstance(node.iter, nodes.Name) and node.iter.name in FIELDS and FIELDS[node.iter.name].several
    if not known or node.recursive or node.test is not None:
        several = ", ".join(field.name for field in FIELDS.values() if field.several)
        yield _at(source, node.lineno, "for", f"Só se percorre um campo que é lista: {several}.")
        return
    if not isinstance(node.target, nodes.Name) or node.target.name in FIELDS or node.target.name.startswith("_"):
        yield _at(source, node.lineno, "for", "Dê a cada item da lista um nome simples, que não seja de um campo.")
        return
    inner = {**named, node.target.name: True, LOOP: True}
    for child in (*node.body, *node.else_):
        yield from _node(child, source, inner, blocks + 1, depth + 1)


def _name(node: nodes.Name, source: str, named: Mapping[str, bool]) -> Iterator[Fault]:
    if node.name in FIELDS or (node.name in named and node.name != LOOP):
        return
    if node.name.startswith("_"):
        yield _at(source, node.lineno, node.name, f"“{node.name}” não é campo: nomes com _ no início não existem aqui.")
        return
    yield _at(source, node.lineno, node.name, f"Não há o campo “{node.name}”. Os campos: {', '.join(FIELDS)}.")


def _filter(node: nodes.Filter, source: str) -> Iterator[Fault]:
    if node.name not in FILTERS or node.node is None:
        known = ", ".join(sorted(FILTERS))
        yield _at(source, node.lineno, node.name, f"O modelo não conhece o filtro “{node.name}”. Conhece: {known}.")
    elif node.kwargs or node.dyn_args or node.dyn_kwargs or not all(_simple(each) for each in node.args):
        yield _at(source, node.lineno, node.name, f"O filtro “{node.name}” só recebe textos ou campos.")


def _simple(node: nodes.Expr) -> bool:
    return isinstance(node, (nodes.Const, nodes.Name))


def _refused(node: nodes.Node, source: str) -> Fault:
    match node:
        case nodes.Getattr():
            word = node.attr
            said = f"“.{word}” não se usa: um campo é só o seu texto, e nada se alcança por ele."
        case nodes.Getitem():
            word, said = "[", "“[…]” não se usa: um campo é só o seu texto, e nada se alcança por ele."
        case nodes.Call():
            word, said = "(", "Nada se chama num modelo: ele só preenche campos."
        case nodes.BinExpr() | nodes.UnaryExpr():
            word, said = "", "Não se fazem contas num modelo: os valores vêm prontos nos campos."
        case _:
            word, said = "", f"“{type(node).__name__}” não é da linguagem dos modelos: só campos, if e for."
    return _at(source, node.lineno, word, said)


def _at(source: str, line: int | None, word: str, message: str) -> Fault:
    """Where the word first stands on its line; the parser itself knows lines alone, and not of everything."""
    line = line or 1
    lines = source.splitlines()
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return Fault(message, line, max(text.find(word), 0) + 1)
