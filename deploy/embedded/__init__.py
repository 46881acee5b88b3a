"""PostgreSQL, Valkey and a mail sink as our own children: to try Praça and to test it, never for production."""
