"""Which entries to hide so that no rule gives a secret away: several ways, and the best of them."""
