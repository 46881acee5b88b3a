"""Every term is a row (prazo): opened with what it was counted from, closed once, followed by what the law says."""

from services.deadlines.changes import (
    NewDeadline,
    meet,
    meet_all,
    meet_kinds,
    open_,
    open_each,
    replace,
    resume,
    suspend,
)
from services.deadlines.consequences import Due, consequence
from services.deadlines.settling import settle, settle_batch

__all__ = [
    "Due",
    "NewDeadline",
    "consequence",
    "meet",
    "meet_all",
    "meet_kinds",
    "open_",
    "open_each",
    "replace",
    "resume",
    "settle",
    "settle_batch",
    "suspend",
]
