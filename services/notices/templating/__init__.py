"""The words of a town's notices: seen with a real record before they are saved, and saved as law is published."""

from services.notices.templating.previewing import Preview, preview_template
from services.notices.templating.saving import save_template

__all__ = ["Preview", "preview_template", "save_template"]
