"""What is wrong with words, as with the text of a law: where, and what to do."""

from tenants.law.pack import Problem
from tenants.law.wording import Words, faults

HINT = "A consulta templateFields dá os campos; a documentação, a linguagem."


def problems(words: Words) -> list[Problem]:
    """Empty: they may be saved. The path names the part: `subject`, `body`, `html`."""
    return [
        Problem("error", fault.message, HINT, (part,), fault.line, fault.column)
        for part, wrong in faults(words).items()
        for fault in wrong
    ]
