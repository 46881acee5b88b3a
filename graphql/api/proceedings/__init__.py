"""Administrative cases and money over GraphQL."""
