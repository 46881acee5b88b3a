"""The database of Praça, as it grew."""
