"""Every change is an act (ato): recorded once, hashed, sealed, never changed."""

from services.acts.record import Act, Entry, Repeat, record, record_each, repeated
from services.acts.seals import seal, seal_all, seal_many
from services.acts.verify import Problem, verify

__all__ = [
    "Act",
    "Entry",
    "Problem",
    "Repeat",
    "record",
    "record_each",
    "repeated",
    "seal",
    "seal_all",
    "seal_many",
    "verify",
]
