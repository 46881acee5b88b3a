"""A register that a town has in a file enters ours: received, checked row by row, previewed, imported once."""
