"""Malformed fragments of law packs: what the linter says of each, and what mends it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bad:
    """A fragment, what is said of it, and what mends it."""

    text: str
    says: str
    mend: tuple[str, str]
    severity: str = "error"
    hint: str = ""


FINE = 'do = "fine"\namount = "10 BRL"\n'
OFFICE = '[[office]]\nrows = [{ code = "prefeito", title = "Prefeito", may = ["decide"], cite = "art. 1" }]\n'
OPTIONS = 'options = { a = "sim", b = "não" }, default = "a"'
READING = '[[reading]]\nrows = [{ code = "r", cite = "art. 2", ask = "?", ' + OPTIONS + " }]\n"
STAND = '[[stand]]\nrows = [{ number = 1, place = "Praça", slots = 46, cite = "art. 2" }]\n'
USED = '[[requirement]]\nrows = [{ code = "q", cite = "art. 3", of = "holder", must = "reading.r == \'a\'" }]\n'
TWO = (
    "[[infraction]]\n"
    + FINE
    + 'rows = [{ code = "A", cite = "art. 5", title = "Um" }, { code = "B", cite = "art. 6", title = "Outro" }]\n'
)

BAD = {
    "a norm that is not declared": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", amount = "5 BRL", cite = "Lei 9/1999, art. 2" }]',
        "Lei 9/1999, art. 2 cites a norm that is not declared",
        ("Lei 9/1999, ", ""),
        hint="known are: Lei 1/2000",
    ),
    "a rule without citation": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", amount = "5 BRL" }]',
        "fee 'f' has no citation",
        ('"5 BRL"', '"5 BRL", cite = "art. 2"'),
    ),
    "an article that cites the wrong one": Bad(
        READING.replace('default = "a"', 'default = "a", miscites = "art. 2"') + USED,
        "the text cites art. 2, which does not fit",
        (', miscites = "art. 2"', ""),
        "warning",
        hint="sim",
    ),
    "a wrong citation that the reading does not show": Bad(
        READING.replace('default = "a"', 'default = "a", miscites = "art. 7"') + USED,
        "calls art. 7 a wrong citation, but does not cite it",
        (', miscites = "art. 7"', ""),
    ),
    "an unknown unit": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", amount = "5 UFX", cite = "art. 2" }]',
        "there is no unit 'UFX'",
        ("5 UFX", "5 BRL"),
    ),
    "an unknown office": Bad(
        OFFICE + "[[infraction]]\n" + FINE + 'rows = [{ code = "A", cite = "art. 5", by = "prefeitto" }]',
        "there is no office 'prefeitto'",
        ("prefeitto", "prefeito"),
        hint="is 'prefeito' meant?",
    ),
    "an unknown infraction": Bad(
        TWO + '[[overlap]]\nrows = [{ code = "o", cite = "art. 7", order = ["A", "C"] }]',
        "there is no infraction 'C'",
        ('"C"', '"B"'),
    ),
    "an unknown category": Bad(
        '[[vehicle_spec]]\nrows = [{ code = "v", cite = "art. 2", applies = { category = "tuktuk" }, '
        'must = "vehicle.doors == 4" }]',
        "there is no category 'tuktuk'",
        ("tuktuk", "taxi"),
    ),
    "a key without a list": Bad(
        '[[vehicle_spec]]\nrows = [{ code = "v", cite = "art. 2", applies = { bairro = "x" }, '
        'must = "vehicle.doors == 4" }]',
        "applies by 'bairro', of which there is no list",
        ('bairro = "x"', 'category = "taxi"'),
    ),
    "an unknown code of a list": Bad(
        '[[requirement]]\nrows = [{ code = "q", cite = "art. 2", of = "holder", '
        'paper = "atestado" }]\n[list]\npaper = { cnh = "CNH" }',
        "'atestado' is no code of the list 'paper'",
        ('paper = "atestado"', 'paper = "cnh"'),
    ),
    "an unknown series": Bad(
        '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { series = "populacao", per = 1300 } }]\n'
        '[[series]]\nrows = [{ code = "populacoes", ask = "?" }, { code = "habitantes", ask = "?" }]',
        "there is no series 'populacao'",
        ("populacoes", "populacao"),
    ),
    "an unknown parameter": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", amount = { param = "taxa" } }]',
        "there is no parameter 'taxa'",
        (
            "[[fee]]",
            '[[parameter]]\nrows = [{ code = "taxa", type = "amount", ask = "?", cite = "art. 2" }]\n[[fee]]',
        ),
    ),
    "an unknown reading": Bad(
        READING
        + USED
        + '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { reading = "rr", a = 1, b = 2 } }]',
        "there is no reading 'rr'",
        ('"rr"', '"r"'),
    ),
    "an option without a value": Bad(
        READING + '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { reading = "r", a = 1 } }]',
        "the option 'b' of the reading 'r' has no value here",
        ("a = 1", "a = 1, b = 2"),
    ),
    "an option that the reading has not": Bad(
        READING + '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { reading = "r", a = 1, b = 2, c = 3 } }]',
        "there is no option of 'r' 'c'",
        (", c = 3", ""),
    ),
    "a default that is no option": Bad(
        READING.replace('default = "a"', 'default = "c"') + USED,
        "there is no option 'c'",
        ('default = "c"', 'default = "b"'),
    ),
    "a reading that nobody has chosen": Bad(
        READING.replace(', default = "a"', "") + USED,
        "reading 'r' has no option chosen",
        ('b = "não" }', 'b = "não" }, default = "b"'),
        "warning",
    ),
    "a choice of no option": Bad(
        READING + USED + '[[choice]]\nrows = [{ code = "r", option = "z", by = "Decreto", why = "x" }]',
        "there is no option 'z'",
        ('"z"', '"b"'),
    ),
    "a value of no parameter": Bad(
        '[[supplied]]\nrows = [{ code = "ufm", value = 3, source = "Decreto" }]\n'
        '[[parameter]]\nrows = [{ code = "ufn", type = "number", ask = "?", cite = "art. 2" }]\n'
        '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { param = "ufn" } }]',
        "there is no parameter or series 'ufm'",
        ('"ufm"', '"ufn"'),
    ),
    "an unknown counting": Bad(
        '[[term]]\nrows = [{ code = "t", cite = "art. 2", of = "permit", starts = "granted", length = "5 days", '
        'counting = "comum" }]',
        "there is no counting 'comum'",
        (', counting = "comum"', ""),
    ),
    "a reminder of no term": Bad(
        '[[notice]]\nrows = [{ code = "n", on = "alvara", lead = ["7 days"], to = "holder", template = "x" }]\n'
        '[[template]]\nrows = [{ code = "x", subject = "s", body = "b" }]\n'
        '[[term]]\nrows = [{ code = "alvará", cite = "art. 2", of = "licence", starts = "issued", '
        'length = "1 year" }]',
        "there is no term 'alvara'",
        ('on = "alvara"', 'on = "alvará"'),
    ),
    "a reminder without words": Bad(
        '[[notice]]\nrows = [{ code = "n", on = "t", lead = ["7 days"], to = "holder", template = "x" }]\n'
        '[[term]]\nrows = [{ code = "t", cite = "art. 2", of = "licence", starts = "issued", length = "1 year" }]',
        "notice 'n' has no template 'x'",
        ("[[notice]]", '[[template]]\nrows = [{ code = "x", subject = "s", body = "b" }]\n[[notice]]'),
        "warning",
    ),
    "a reminder to nobody": Bad(
        '[[notice]]\nrows = [{ code = "n", on = "t", lead = ["7 days"], to = "holdr", template = "x" }]\n'
        '[[template]]\nrows = [{ code = "x", subject = "s", body = "b" }]\n'
        '[[term]]\nrows = [{ code = "t", cite = "art. 2", of = "licence", starts = "issued", length = "1 year" }]',
        "notice 'n' is to 'holdr', which is nobody",
        ('"holdr"', '"holder"'),
        hint="holder",
    ),
    "words that reach beyond their fields": Bad(
        '[[template]]\nrows = [{ code = "x", subject = "s", body = "Olá,\\n{{ name.__class__ }}" }]',
        "template 'x', body, linha 2, coluna 9: “.__class__” não se usa",
        (".__class__", ""),
    ),
    "a value of no rule": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", amount = { rule = "g" } }, '
        '{ code = "h", of = "licence", cite = "art. 2", amount = "1 BRL" }]',
        "there is no fee 'g'",
        ('rule = "g"', 'rule = "h"'),
    ),
    "a step of an authority without office": Bad(
        OFFICE + '[[process]]\ncode = "p"\ncite = "art. 2"\ncounting = "c"\n'
        'step = [{ code = "decisao", actor = "authority", after = "service", term = "5 days" }]\n'
        '[[counting]]\nrows = [{ code = "c", cite = "art. 2" }]',
        "the step 'decisao' names no office that acts",
        ('after = "service"', 'after = "service", to = "prefeito"'),
        hint="param",
    ),
    "a late step that nobody decides": Bad(
        OFFICE + TWO + '[[term]]\nrows = [{ code = "t", cite = "art. 2", of = "permit", starts = "granted", '
        'length = "5 days", late = [{ after = "0 days", opens = "A" }] }]',
        "nobody decides the process that may be opened for A",
        ('opens = "A"', 'opens = "A", decides = "prefeito"'),
    ),
    "an office that is neither named nor asked for": Bad(
        OFFICE + '[[roster]]\nrows = [{ code = "e", cite = "art. 2", otherwise = {} }]',
        "an office is to be named here",
        ("otherwise = {}", 'otherwise = "prefeito"'),
    ),
    "a parameter that nothing asks for": Bad(
        '[[parameter]]\nrows = [{ code = "p", type = "number", ask = "?", cite = "art. 2" }]',
        "parameter 'p' is used by nothing",
        (
            "[[parameter]]",
            '[[quota]]\nrows = [{ code = "q", cite = "art. 2", value = { param = "p" } }]\n[[parameter]]',
        ),
        "warning",
    ),
    "a reading that nothing draws on": Bad(
        READING,
        "reading 'r' is used by nothing",
        ("[[reading]]", '[[category]]\nrows = [{ code = "x", cite = "art. 2", reads = "r" }]\n[[reading]]'),
        "warning",
    ),
    "a measure that nothing executes": Bad(
        TWO + '[[measure]]\nrows = [{ code = "m", match = ["holder"] }]',
        "measure 'm' is used by nothing",
        ("[[measure]]", '[[ladder]]\nrows = [{ code = "l", cite = "art. 2", measure = "m" }]\n[[measure]]'),
        "warning",
    ),
    "an inspection of a driver, which nobody records": Bad(
        '[[inspection]]\nrows = [{ code = "exame", title = "Exame", cite = "art. 2", every = "1 year", of = "driver"}]',
        "inspection 'exame' is of a driver: it is told when it is due, but not recorded",
        ('of = "driver"', 'of = "vehicle"'),
        "warning",
        hint="valid_for",
    ),
    "two versions in force together": Bad(
        '[[fee]]\ncode = "f"\nof = "licence"\ncite = "art. 2"\n'
        'rows = [{ from = 2010-01-01, until = 2011-06-30, amount = "1 BRL" }, { from = 2011-01-01, '
        'amount = "2 BRL" }]',
        "two versions of fee 'f' of one publication are in force together",
        ("2011-06-30", "2010-12-31"),
        hint="until",
    ),
    "a version that covers a later one": Bad(
        '[[fee]]\ncode = "f"\nof = "licence"\ncite = "art. 2"\n'
        'rows = [{ published = 2010-01-01, from = 2012-01-01, amount = "1 BRL" }, { published = 2011-01-01, '
        'from = 2011-01-01, amount = "2 BRL" }]',
        "covers the version in force from 2012-01-01",
        ("from = 2011-01-01, amount", "from = 2011-01-01, until = 2011-12-31, amount"),
        "warning",
    ),
    "a rule that ends before it begins": Bad(
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", from = 2012-01-01, until = 2011-01-01, '
        'amount = "1 BRL" }]',
        "fee 'f' ends before it begins",
        ("until = 2011-01-01", "until = 2012-12-31"),
    ),
    "a rule that is always off": Bad(
        '[[vehicle_spec]]\nrows = [{ code = "v", cite = "art. 2", must = "vehicle.doors == 4", off = "yes" }]',
        "vehicle_spec 'v' is switched off, whatever the town chooses",
        (', off = "yes"', ""),
        "warning",
    ),
    "a unit in use without a value": Bad(
        '[[unit]]\nrows = [{ code = "UFX", cite = "art. 2" }]\n'
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", amount = "1 UFX" }]',
        "unit 'UFX' has no value, and rules use it",
        ('cite = "art. 2" }]\n[[fee]]', 'cite = "art. 2", values = [{ brl = 2 }] }]\n[[fee]]'),
    ),
    "a unit without a value on some days": Bad(
        '[[unit]]\nrows = [{ code = "UFX", cite = "art. 2", values = [{ until = 2005-12-31, brl = 2 }, '
        "{ from = 2007-01-01, brl = 3 }] }]\n"
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", amount = "1 UFX" }]',
        "unit 'UFX' has no value from 2006-01-01 to 2006-12-31",
        ("from = 2007-01-01", "from = 2006-01-01"),
        "warning",
    ),
    "a unit whose values end": Bad(
        '[[unit]]\nrows = [{ code = "UFX", cite = "art. 2", values = [{ brl = 2, until = 2005-12-31 }] }]\n'
        '[[fee]]\nrows = [{ code = "f", of = "licence", cite = "art. 2", amount = "1 UFX" }]',
        "unit 'UFX' has no value from 2006-01-01 on",
        (", until = 2005-12-31", ""),
        "warning",
    ),
    "stands that do not add up to the cap": Bad(
        STAND + '[[quota]]\nrows = [{ code = "q", cite = "art. 3", value = 47 }]',
        "the stands add up to 46 under a cap of 47 (quota 'q')",
        ("value = 47", "value = 46"),
        "warning",
    ),
    "bands with a gap above": Bad(
        '[[quota]]\nrows = [{ code = "q", cite = "art. 3", value = { by = "vehicle.doors", bands = [{ upto = 2, '
        "is = 1 }, { upto = 4, is = 2 }] } }]",
        "the bands leave a gap above the last edge",
        ("upto = 4, is", "is"),
        "warning",
    ),
    "bands that overlap": Bad(
        '[[quota]]\nrows = [{ code = "q", cite = "art. 3", value = { by = "vehicle.doors", bands = [{ upto = 4, '
        "is = 1 }, { upto = 2, is = 2 }, { is = 3 }] } }]",
        "a band that the one before it covers",
        ("upto = 4", "upto = 1"),
    ),
    "a band that hides the rest": Bad(
        '[[quota]]\nrows = [{ code = "q", cite = "art. 3", value = { by = "vehicle.doors", bands = [{ is = 1 }, '
        "{ is = 3 }] } }]",
        "a band that takes all the rest hides those after it",
        ("{ is = 1 }", "{ upto = 1, is = 1 }"),
    ),
    "cases that leave some facts": Bad(
        '[[quota]]\nrows = [{ code = "q", cite = "art. 3", value = { cases = [{ if = "vehicle.doors == 2", '
        "is = 1 }] } }]",
        "the cases leave some facts uncovered",
        ("is = 1 }", "is = 1 }, { is = 2 }"),
        "warning",
    ),
    "a circle of values": Bad(
        '[[fee]]\nof = "licence"\ncite = "art. 2"\nrows = [{ code = "f", amount = { rule = "g" } }, '
        '{ code = "g", amount = { percent = "50%", of = { rule = "f" } } }]',
        "fee 'f' draws on itself: f → g → f",
        ('{ percent = "50%", of = { rule = "f" } }', '"1 BRL"'),
    ),
    "one conduct with two fines": Bad(
        TWO.replace('title = "Um"', 'conduct = "vistoria"').replace('title = "Outro"', 'conduct = "vistoria"'),
        "A and B punish one conduct, and no overlap orders them",
        ("[[infraction]]", '[[overlap]]\nrows = [{ code = "o", cite = "art. 7", order = ["B", "A"] }]\n[[infraction]]'),
        "warning",
    ),
    "one article with two fines": Bad(
        TWO.replace("art. 6", "art. 5"),
        "A and B punish one conduct, and no overlap orders them",
        ('cite = "art. 5", title = "Outro"', 'cite = "art. 6", title = "Outro"'),
        "warning",
    ),
}
