"""What failed for good and what waits to be tried again, as front ends see it."""
