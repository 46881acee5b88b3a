"""What a publication changes of what already runs or is owed: previewed, carried out by a job, the rest reviewed."""
