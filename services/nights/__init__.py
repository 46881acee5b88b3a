"""The work of a town's day: deadlines that are over, reminders that are due."""

from services.nights.night import Outcome, due_towns, night, towns_to_seal, towns_with_notices, towns_with_orphans

__all__ = ["Outcome", "due_towns", "night", "towns_to_seal", "towns_with_notices", "towns_with_orphans"]
