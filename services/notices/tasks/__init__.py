"""What a clerk must see to because a notice reached nobody, or a term that is over draws something: once for each."""

from services.notices.tasks.closing import close_task
from services.notices.tasks.elsewhere import of_nobody
from services.notices.tasks.store import NewTask, failing, normal, open_

__all__ = ["NewTask", "close_task", "failing", "normal", "of_nobody", "open_"]
