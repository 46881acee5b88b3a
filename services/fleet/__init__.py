"""Vehicles in service: what enters and leaves it, how long each may stay, what is approved on it, its sale."""
