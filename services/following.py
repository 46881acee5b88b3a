"""Whatever may follow when a deadline is over, gathered: importing this module names every consequence."""

import services.campaigns.missing  # a campaign is missed
import services.proceedings.following  # the case goes on
import services.selection.awarding  # noqa: F401 - the next in line is called
