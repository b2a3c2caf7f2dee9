"""A release made a new table in a database or on a cluster."""
