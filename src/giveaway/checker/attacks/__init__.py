"""One judge for each attack, each by another derivation than the one that measured it."""
