"""What failed, is tried again, and in the end waits for somebody: looked at and replayed (pendências técnicas)."""

from services.dead_letters.letters import Letter, bury, failed, succeeded

__all__ = ["Letter", "bury", "failed", "succeeded"]
