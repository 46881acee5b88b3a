"""Notices to people (avisos): rows written with the change, reminders ahead of a last day, and the relay to mail."""

from services.notices.mail import Post, Smtp
from services.notices.queue import NewNotice, queue
from services.notices.relay import go_round, relay, relay_towns, turn

__all__ = ["NewNotice", "Post", "Smtp", "go_round", "queue", "relay", "relay_towns", "turn"]
