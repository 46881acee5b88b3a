"""The fields that a notice's words may name: what the register, the decision and the law say of its subject."""

from collections.abc import Mapping
from dataclasses import dataclass

FINED = ("fine", "occurrence", "penalty")
CALLED = ("candidate", "selection")


@dataclass(frozen=True, slots=True)
class Field:
    """`says`: what it is, for whoever writes. `of`: the kinds of subject that have it, none: every one.

    `several`: a list. Elsewhere it is there all the same, and empty.
    """

    name: str
    says: str
    example: str
    of: tuple[str, ...] = ()
    several: bool = False


FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field("name", "Nome de quem recebe o aviso", "Ana Souza"),
        Field("town", "Nome do município", "Vila Nova"),
        Field("subject", "Aquilo de que se trata: permissão, alvará, multa, veículo …", "alvará"),
        Field("number", "Número por que se conhece: da permissão, do alvará, da multa; a placa", "0012/2026"),
        Field("title", "Título da regra da lei, ou daquilo que se avisa", "Alvará de licença"),
        Field("last_day", "Último dia do prazo, por extenso numérico", "31/12/2026"),
        Field("recorded_on", "Dia em que o fim do prazo foi registrado, quando não logo no dia seguinte", "05/01/2027"),
        Field("opened_on", "Dia em que o prazo começou", "01/01/2026"),
        Field("article", "Artigos que fundamentam o prazo", "Lei 1/2000, art. 3"),  # law-free: an example
        Field("articles", "Artigos da decisão, um a um", "Lei 1/2000, art. 3", several=True),  # law-free: an example
        Field("lead", "Antecedência do lembrete, como está na regra", "30 days"),  # law-free: an example
        Field("today", "Dia em que o aviso é escrito", "01/12/2026"),
        Field("outcome", "Resultado da decisão: deferido, indeferido, depende de decisão …", "deferido"),
        Field("decision", "O que a decisão diz, por escrito", "Pode ser licenciado."),
        Field("office", "Órgão a quem o aviso se dirige, quando é a um órgão", "Coordenadoria de Trânsito"),
        Field("category", "Categoria do serviço", "taxi", ("permit", "licence", "tariff", "case", *FINED, *CALLED)),
        Field("amount", "Valor da multa em reais", "R$ 1.234,56", FINED),
        Field("units", "Valor da multa na unidade da lei", "30 UFIR", FINED),  # law-free: an example
        Field("infractions", "Títulos das infrações", "Dirigir sem alvará", (*FINED, "case"), several=True),
        Field("place", "Colocação do candidato", "1", CALLED),
        Field("answer", "Resposta à reclamação", "A reclamação foi apurada.", ("complaint",)),
    )
}


def fields_of_kind(kind: str | None) -> list[Field]:
    """Those that a subject of this kind has; None: all of them."""
    return [field for field in FIELDS.values() if kind is None or not field.of or kind in field.of]


def examples() -> dict[str, str | list[str]]:
    return {field.name: [field.example] if field.several else field.example for field in FIELDS.values()}
