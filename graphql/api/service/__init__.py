"""The service itself: stands and who waits there, rosters and who is at work, tariffs and how they are set."""
