"""What is printed (documentos): text laid out from data, never data pasted into text."""
