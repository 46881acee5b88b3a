"""The law as data: kinds of rule, conditions, decisions, versions, calendar and counting."""
