"""Whether a town's words may be saved: they are read, compared with the language, and filled once with examples."""

from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import TemplateError

from tenants.law.wording.fields import FIELDS, examples
from tenants.law.wording.filling import LONGEST, Words, environment, filled
from tenants.law.wording.language import Fault, forbidden, parsed

SOURCE_MOST = LONGEST  # what is written is no longer than what may come out
TAGS = frozenset(
    {"a", "b", "blockquote", "br", "caption", "div", "em", "h1", "h2", "h3", "hr", "i", "li", "ol", "p", "span"}
) | {"strong", "table", "tbody", "td", "th", "thead", "tr", "u", "ul"}
ATTRIBUTES = frozenset({"href", "scope", "colspan", "rowspan", "lang"})
LINKS = ("https://", "mailto:")
FIELD = "\ufffc"  # stands for whatever is filled in


def faults(words: Words) -> dict[str, list[Fault]]:
    """Of each part (`subject`, `body`, `html`) what is wrong with it; nothing: it may be saved."""
    parts = {"subject": words.subject, "body": words.body, "html": words.html}
    found = {part: list(_faults(part, source)) for part, source in parts.items() if source is not None}
    return {part: wrong for part, wrong in found.items() if wrong}


def _faults(part: str, source: str) -> Iterator[Fault]:
    if not source.strip():
        yield Fault("O modelo está vazio.")
        return
    if len(source) > SOURCE_MOST[part]:
        yield Fault(f"O modelo passa de {SOURCE_MOST[part]} letras.")
        return
    tree = parsed(environment(part), source)
    if isinstance(tree, Fault):
        yield tree
        return
    wrong = list(forbidden(tree, source))
    if part == "html" and not wrong:
        wrong = list(_markup(source))
    yield from wrong or _tried(part, source)


def _tried(part: str, source: str) -> Iterator[Fault]:
    """With every field, and with none: what fails here would fail when it is due."""
    nothing = {name: [] if field.several else "" for name, field in FIELDS.items()}
    for fields in (examples(), nothing):
        try:
            made = filled(part, source, fields)
        except TemplateError as error:
            yield Fault(f"O modelo não pode ser preenchido: {error}.")
            return
        if part == "subject" and fields is not nothing and not made.strip():
            yield Fault("O assunto fica vazio.")


def _markup(source: str) -> Iterator[Fault]:
    """Only plain, accessible markup: nothing that loads, runs, or hides; a field never inside a tag."""
    reader = _Reader()
    reader.feed("".join(value if kind == "data" else _covered(value) for _, kind, value in _tokens(source)))
    reader.close()
    yield from reader.wrong


def _tokens(source: str) -> Iterator[tuple[int, str, str]]:
    return environment("html").lex(source)


def _covered(value: str) -> str:
    """As long as it was, so that lines and columns stay."""
    return "".join(letter if letter == "\n" else FIELD for letter in value)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.wrong: list[Fault] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if FIELD in (self.get_starttag_text() or ""):
            self._say("Um campo não pode estar dentro de uma marca (<…>).")
        elif tag not in TAGS:
            self._say(f"A marca <{tag}> não se usa em avisos.")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self._say(f"O atributo “{name}” não se usa em avisos.")
            elif name == "href" and not (value or "").startswith(LINKS):
                self._say("Um endereço começa com https:// ou mailto:.")

    def handle_data(self, data: str) -> None:
        if "<" in data:
            self._say("Uma marca não foi fechada; o sinal < escreve-se &lt;.")

    def handle_comment(self, data: str) -> None:
        self._say("Comentários não se usam em avisos.")

    def handle_decl(self, decl: str) -> None:
        self._say("Escreva só o conteúdo, sem <!DOCTYPE> nem <html>.")

    def unknown_decl(self, data: str) -> None:
        self._say("Escreva só o conteúdo, sem declarações.")

    def handle_pi(self, data: str) -> None:
        self._say("Escreva só o conteúdo, sem instruções.")

    def _say(self, message: str) -> None:
        line, column = self.getpos()
        self.wrong.append(Fault(message, line, column + 1))
