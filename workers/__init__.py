"""Celery: the clock's hand and the queues. A task takes ids and dates, calls one use case, and is safe to run twice."""
