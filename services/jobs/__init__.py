"""Work that is longer than one request: a row says what is to be done, a worker does it in steps, each committed."""

from services.jobs.queueing import queue
from services.jobs.steps import Progress, Task, step
from services.jobs.working import Turn, towns_with_jobs, work

__all__ = ["Progress", "Task", "Turn", "queue", "step", "towns_with_jobs", "work"]
