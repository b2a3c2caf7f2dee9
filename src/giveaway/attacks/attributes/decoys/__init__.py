"""Blanks that say nothing: entries of others blanked by lot next to each secret, and what blanks tell nevertheless."""
