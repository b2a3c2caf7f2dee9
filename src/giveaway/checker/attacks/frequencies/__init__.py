"""Judge the attack `frequencies`."""
