"""What a municipality is and what its law says: pure, no database, no web."""
