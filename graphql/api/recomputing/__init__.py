"""What a publication changes of what runs and is owed."""
