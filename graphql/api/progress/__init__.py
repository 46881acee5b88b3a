"""How far long work is, pushed to whoever watches it."""
