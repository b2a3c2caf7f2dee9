"""Moles: combinations of items that single somebody out or give a private item away."""
