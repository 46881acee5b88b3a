"""Registers that towns bring in files, and the long work that is done for them."""
