"""Choosing what to withhold against the attack `frequencies`."""
