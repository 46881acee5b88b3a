"""The words of a notice, as a town writes them: fields that are filled in, conditions and lists; nothing else."""

from tenants.law.wording.fields import FIELDS, Field, examples, fields_of_kind
from tenants.law.wording.filling import Filled, Words, fill
from tenants.law.wording.language import Fault
from tenants.law.wording.proofs import faults

__all__ = ["FIELDS", "Fault", "Field", "Filled", "Words", "examples", "faults", "fields_of_kind", "fill"]
