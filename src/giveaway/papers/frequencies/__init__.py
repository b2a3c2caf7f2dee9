"""What the paper behind the attack `frequencies` prints and defines."""
