"""What the subjects' types are made of: scalars, ids, connections, decisions, failures."""
