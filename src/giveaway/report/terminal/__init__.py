"""A Summary as text."""
