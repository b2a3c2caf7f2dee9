"""Somebody who knows frequencies and also kept earlier releases."""
