"""Mathematics that knows no attacker: counting, searching, borders, packing."""
