"""Fines of whose fact the law draws something else, or another amount, since a publication."""
