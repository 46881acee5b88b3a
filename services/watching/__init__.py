"""What is watched: the work of towns in logs, traces and metrics, and numbers of the whole register."""

from services.watching.towns import failed, work

__all__ = ["failed", "work"]
