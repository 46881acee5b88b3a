"""Inspections of vehicles (vistoria, aferição): scheduled, recorded with what was seen, due again by the law."""
