"""Records of what was seen, penalties, complaints and conduct (fiscalização)."""
