"""Draws a Summary and computes nothing: terminal, notebook, HTML and what changed."""
