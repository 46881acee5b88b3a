"""Campaigns (recadastramento)."""
