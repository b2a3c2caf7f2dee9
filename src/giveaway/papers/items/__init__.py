"""What the paper behind the attack `items` prints and defines."""
