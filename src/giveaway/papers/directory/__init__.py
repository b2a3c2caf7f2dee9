"""What the paper behind the attack `directory` prints and defines."""
