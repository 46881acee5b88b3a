"""What other servers could not deliver after ours had handed it over (devoluções)."""

from services.notices.bounces.reporting import Bounced, report_bounce

__all__ = ["Bounced", "report_bounce"]
