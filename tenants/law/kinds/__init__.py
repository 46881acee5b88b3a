"""Kinds of rule: each module holds typed models, the questions they answer, and the pure evaluators."""
