"""Rows of several releases that are the same people's."""
