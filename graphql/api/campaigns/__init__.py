"""Campaigns (recadastramento) as front ends see them."""
