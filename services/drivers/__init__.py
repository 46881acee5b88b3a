"""Drivers in the service (condutores): enrolled with whom, in which role, with which card, and what keeps them away."""
