"""Readings of a table by name, and what the rows that fit somebody say about a sensitive column."""
