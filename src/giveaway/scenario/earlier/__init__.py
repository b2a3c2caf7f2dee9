"""Releases that were given away before: the words of a scenario for them, and how their files are read."""
