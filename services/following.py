"""Whatever may follow when a deadline is over, gathered: importing this module names every consequence."""

import services.campaigns.missing  # noqa: F401 - a campaign is missed
import services.proceedings.following  # noqa: F401 - the case goes on
import services.selection.awarding  # noqa: F401 - the next in line is called
