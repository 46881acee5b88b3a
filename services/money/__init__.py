"""Money that is due: what was paid, and what goes to active debt (dívida ativa)."""
