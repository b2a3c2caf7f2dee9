"""Papers run again, as lines and as a page."""
