"""Judge the attack `profiles`."""
