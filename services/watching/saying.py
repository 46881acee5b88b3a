"""What the code of a failure means, for people. The code is a kind of error and a state: it holds nothing personal."""

import re

CODE = re.compile(r"[A-Z][A-Za-z]+(?: [A-Za-z0-9_]+)?")
GAVE_UP = "gave up"
SAYINGS = (  # the first that is found in the code
    ("NoLawInForce|NO_LAW_IN_FORCE", "O município não tem lei publicada que vigore neste dia."),
    ("57014|QueryCancel|Timeout|TimeLimit", "O trabalho demorou mais do que o permitido. O sistema tenta de novo."),
    ("Contended|CONFLICT|40001|40P01|55P03", "Outra operação simultânea impediu esta. O sistema tenta de novo."),
    (
        r" (08|53|57P)\w*$|OSError|Connection|Interface|Operational|Pool",
        "O banco de dados ou a rede esteve fora do ar. O sistema tenta de novo.",
    ),
    ("WorkerLost|gave up", "O trabalho foi interrompido várias vezes antes do fim. O operador precisa olhar."),
    ("Refused|Invalid|NotFound|Forbidden", "A lei ou o registro do município não permite concluir o trabalho."),
)
OTHERWISE = "O sistema falhou ({code}). O operador da plataforma recebe um alerta; nada foi perdido."


def meaning(error: str | None) -> str | None:
    """A failure as people are told of it. What is no code has been written for people already."""
    if error is None or not (CODE.fullmatch(error) or error == GAVE_UP):
        return error
    return next((said for pattern, said in SAYINGS if re.search(pattern, error)), OTHERWISE.format(code=error))
