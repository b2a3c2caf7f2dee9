"""Attackers who know which items occur together (section 7 of the paper)."""
