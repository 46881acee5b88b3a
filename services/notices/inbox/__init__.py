"""What a person, a company or an office finds in the application: each notice from the moment it is written."""

from services.notices.inbox.reading import Inbox, inbox_of, mark_read, mine, unread

__all__ = ["Inbox", "inbox_of", "mark_read", "mine", "unread"]
