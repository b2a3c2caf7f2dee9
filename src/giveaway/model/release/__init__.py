"""A release and what it withholds."""
