"""A town's words fill fields in and reach nothing else: what would is refused where it stands, twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import TemplateError

from tenants.law.wording import FIELDS, Words, examples, faults, fields_of_kind, fill
from tenants.law.wording.filling import LONGEST, environment, filled, sound

NOTHING: dict[str, Any] = {name: [] if field.several else "" for name, field in FIELDS.items()}

# Ways out that are known of sandboxes like this one, and ways to never end.
ATTACKS = {
    "the class of a text": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "the class of a field": "{{ name.__class__ }}",
    "an attribute by filter": "{{ name|attr('__class__') }}",
    "an attribute by item": "{{ name['__class__'] }}",
    "an item of a field": "{{ name[0] }}",
    "a slice of a field": "{{ name[1:] }}",
    "a format string": "{{ '{0.__class__.__init__.__globals__}'.format(name) }}",
    "a format filter": "{{ '%s'|format(name) }}",
    "format_map": "{{ '{a.__class__}'.format_map({'a': name}) }}",
    "the template itself": "{{ self }}",
    "the template's frame": "{{ self._TemplateReference__context }}",
    "a global's maker": "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "another global": "{{ joiner.__init__.__globals__ }}",
    "a namespace": "{% set n = namespace(x=1) %}{{ n.x }}",
    "lorem": "{{ lipsum.__globals__['os'] }}",
    "many paragraphs": "{{ lipsum(n=10000) }}",
    "the configuration": "{{ config.items() }}",
    "the request": "{{ request }}",
    "a long range": "{% for i in range(10**9) %}x{% endfor %}",
    "a range in a range": "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}",
    "a list of one's own": "{% for i in [1, 2, 3] %}x{% endfor %}",
    "a text as a list": "{% for letter in name %}{{ letter }}{% endfor %}",
    "a list in a list": "{% for a in articles %}{% for b in articles %}{% endfor %}{% endfor %}",
    "a list in another's otherwise": "{% for a in articles %}{% else %}{% for b in articles %}{% endfor %}{% endfor %}",
    "a list for ever": "{% for a in articles recursive %}{{ loop(articles) }}{% endfor %}",
    "multiplied text": "{{ 'x' * 10**9 }}",
    "a great number": "{{ 9**9**9 }}",
    "a sum": "{{ name + name }}",
    "a macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a call of a macro": "{% call name() %}x{% endcall %}",
    "another file": "{% include '/etc/passwd' %}",
    "another template": "{% extends name %}",
    "an import": "{% import 'os' as os %}",
    "a filter block": "{% filter upper %}x{% endfilter %}",
    "a block": "{% block x %}{% endblock %}",
    "a setting": "{% set x = 1 %}",
    "a scope": "{% with x = 1 %}{{ x }}{% endwith %}",
    "an escape turned off": "{% autoescape false %}{{ name }}{% endautoescape %}",
    "an escape turned off by filter": "{{ name|safe }}",
    "a list made of a field": "{{ name|list }}",
    "a map": "{{ articles|map(attribute='__class__')|join }}",
    "a sort": "{{ articles|sort(attribute='__class__') }}",
    "a group": "{{ articles|groupby('__class__') }}",
    "a method": "{{ name.upper() }}",
    "a method of a list": "{{ articles.append(1) }}",
    "a private name": "{{ __builtins__ }}",
    "the loop's inside": "{% for a in articles %}{{ loop._iterator }}{% endfor %}",
    "the loop outside": "{{ loop.index }}",
    "the loop called": "{% for a in articles %}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "a test that calls": "{{ name is filter('attr') }}",
    "a computed filter argument": "{{ articles|join(name.__class__) }}",
    "a spread argument": "{{ articles|join(*articles) }}",
    "an unknown field": "{{ cpf }}",
    "an unknown filter": "{{ name|pprint }}",
    "a broken condition": "{% if name %}",
    "a broken field": "{{ name",
    "deep blocks": "{% if name %}" * 30 + "x" + "{% endif %}" * 30,
    "deep expressions": "{{ " + "not " * 400 + "name }}",
    "deeper expressions": "{{ " + "not " * 9000 + "name }}",
    "deep parentheses": "{{ " + "(" * 9000 + "name" + ")" * 9000 + " }}",
    "too long": "x" * (LONGEST["body"] + 1),
    "nothing": "  \n",
}
MARKUP = {
    "a script": "<script>alert(1)</script>",
    "a picture from elsewhere": '<p>x</p><img src="https://x.test/a.png">',
    "a frame": "<iframe src='https://x.test'></iframe>",
    "a style": "<style>p { background: url(https://x.test) }</style>",
    "a style of one's own": '<p style="background:url(https://x.test)">x</p>',
    "a handler": '<p onclick="x()">x</p>',
    "a link that runs": '<a href="javascript:alert(1)">x</a>',
    "a link without secrecy": '<a href="http://x.test">x</a>',
    "a field in a link": '<a href="{{ name }}">x</a>',
    "a field as an attribute": "<p {{ name }}>x</p>",
    "a condition in a tag": "<p {% if name %}onclick='x()'{% endif %}>x</p>",
    "a field as a tag": "<{{ name }}>x",
    "a tag left open": "<p>x</p><img src=https://x.test/a.png",
    "a comment": "<!-- x -->",
    "a whole page": "<!DOCTYPE html><html><body>x</body></html>",
    "an instruction": "<?php x ?>",
    "a form": "<form action='https://x.test'><input></form>",
}


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS.keys())
def test_what_reaches_beyond_the_fields_is_refused(source: str) -> None:
    found = faults(Words("Aviso", source))

    assert set(found) == {"body"}
    assert all(fault.line >= 1 and fault.column >= 1 and fault.message for fault in found["body"])


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS.keys())
def test_what_was_published_before_it_was_asked_is_not_filled_either(source: str) -> None:
    if source.strip() == "" or len(source) > LONGEST["body"]:
        source += "{{ cpf }}"

    with pytest.raises(TemplateError):
        filled("body", source, examples())


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - {"too long", "nothing"}))
def test_the_check_alone_refuses_it_without_filling_anything(name: str) -> None:
    assert not sound("body", ATTACKS[name])


@pytest.mark.parametrize("escapes", [False, True])
@pytest.mark.parametrize(
    "source",
    [source for source in ATTACKS.values() if "__" in source and "|" not in source and "{%" not in source],
)
def test_the_sandbox_alone_shows_nothing_of_python_s_inside(source: str, escapes: bool) -> None:
    sandbox = environment("html" if escapes else "body")

    with pytest.raises((TemplateError, TypeError)):
        sandbox.from_string(source).render(examples())


@pytest.mark.parametrize("html", MARKUP.values(), ids=MARKUP.keys())
def test_markup_that_loads_runs_or_hides_is_refused(html: str) -> None:
    assert set(faults(Words("Aviso", "Olá", html))) == {"html"}


@pytest.mark.parametrize(
    "body",
    [
        "Prezado(a) {{ name }},\n\n{% if number %}{{ subject|upper }} {{ number }}{% else %}sem número{% endif %}",
        "{{ title or subject }} ({{ article }})",
        "{% for each in articles %}{{ loop.index }}. {{ each }}{% if not loop.last %}; {% endif %}{% endfor %}",
        "{{ articles|join('; ') }}, {{ amount|default('sem valor') }}",
        "{{ 'a' if outcome == 'deferido' else 'b' }}{# só nosso #}",
        "{{ name ~ ', ' ~ town }}",
    ],
)
def test_what_the_language_has_may_be_said(body: str) -> None:
    words = Words("{{ town }}: {{ title }}", body, "<p>{{ name }}</p><a href='https://vila.test'>ver</a>")

    assert faults(words) == {}
    assert fill(words, examples()).body
    assert fill(words, NOTHING).html


def test_a_fault_is_where_it_stands() -> None:
    (fault,) = faults(Words("Aviso", "Olá\n\n  {{ name }} e {{ nome }}"))["body"]

    assert (fault.line, fault.column) == (3, 19)
    assert "nome" in fault.message
    (marked,) = faults(Words("Aviso", "Olá", "<p>\n{{ name }} <img>\n</p>"))["html"]
    assert (marked.line, marked.column) == (2, 12)


def test_a_subject_is_one_line_and_never_empty() -> None:
    assert fill(Words("a\r\nBcc: x@y.test\n{{ name }}", "b"), {**NOTHING, "name": "c\nd"}).subject == (
        "a Bcc: x@y.test c d"
    )
    assert set(faults(Words("{{ '' }}", "b"))) == {"subject"}


def test_markup_in_a_field_is_shown_as_text() -> None:
    made = fill(Words("s", "{{ name }}", "<p>{{ name }}</p>"), {**NOTHING, "name": "<b>&"})

    assert (made.body, made.html) == ("<b>&", "<p>&lt;b&gt;&amp;</p>")


def test_what_grows_too_long_is_cut_off_as_a_fault() -> None:
    with pytest.raises(TemplateError, match="longer than"):
        filled("subject", "{{ name }}", {**NOTHING, "name": "x" * 1_000})


def test_a_kind_of_subject_has_its_own_fields() -> None:
    assert "amount" in {field.name for field in fields_of_kind("fine")}
    assert "amount" not in {field.name for field in fields_of_kind("licence")}
    assert {field.name for field in fields_of_kind(None)} == set(FIELDS)


@given(st.text(alphabet=st.sampled_from("{}%#|.[]()_'\"= ~,:*+-/\nabnme0159 forinifendsl"), max_size=60))
def test_whatever_is_written_is_refused_or_filled_but_never_fails_otherwise(source: str) -> None:
    words = Words("Aviso", source, source)
    wrong = faults(words)

    if not wrong:
        fill(words, examples())
        fill(words, NOTHING)
