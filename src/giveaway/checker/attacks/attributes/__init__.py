"""Judge the attack `attributes`."""
