"""Crowds: rows published in exactly the same form, dealt by lot, so that knowing how they were chosen does not help."""
