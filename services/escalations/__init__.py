"""What an authority has left undone beyond its term: put on record, and before whom the law says."""
