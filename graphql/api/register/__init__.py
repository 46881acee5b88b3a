"""The register as front ends see it: types, their loaders, lists, and the mutations that change it."""
