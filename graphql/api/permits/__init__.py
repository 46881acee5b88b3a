"""A permit's life between grant and end: renewal, transfer, substitutes, what is proposed and what becomes of it."""
