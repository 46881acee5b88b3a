"""Notices as offices look through them."""
