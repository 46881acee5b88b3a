"""What other servers could not deliver after ours had handed it over (devoluções)."""

from services.notices.bounces.reading import failures
from services.notices.bounces.reporting import Bounced, report_bounce

__all__ = ["Bounced", "failures", "report_bounce"]
