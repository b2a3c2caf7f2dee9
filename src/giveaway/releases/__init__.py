"""Releases that were published, read back and compared."""
