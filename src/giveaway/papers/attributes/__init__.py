"""What the paper behind the attack `attributes` prints and defines."""
