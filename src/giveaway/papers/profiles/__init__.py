"""What the paper behind the attack `profiles` prints and defines."""
