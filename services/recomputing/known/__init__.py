"""Deadlines that follow what is known of a vehicle, a paper or a substitute: their counts, and what moves with them."""
