"""Whatever may follow when a deadline is over, gathered: importing this module names every consequence."""

import services.campaigns.missing  # a campaign is missed
import services.escalations.escalating  # the authority's silence comes before others
import services.fleet.drawing  # an infraction is named
import services.permits.endings.lapsing  # a permit ends
import services.permits.substitutes.leaving  # a substitute drives no more
import services.proceedings.following  # the case goes on
import services.selection.awarding  # noqa: F401 - the next in line is called
