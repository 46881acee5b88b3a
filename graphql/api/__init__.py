"""The GraphQL edge: thin, one operation in one transaction; it decides nothing and writes no SQL."""
