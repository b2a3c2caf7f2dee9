"""Frames, lists and sparse matrices that a program holds."""
