"""Notices, inboxes, tasks and templates as front ends see them."""
