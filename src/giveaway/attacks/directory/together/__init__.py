"""Somebody with a directory who also kept earlier releases."""
