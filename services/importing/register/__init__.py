"""The register as imports read and write it: many rows in a statement."""
