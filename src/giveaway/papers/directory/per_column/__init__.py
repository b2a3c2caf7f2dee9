"""The best choice with a stated number of values of each column (Delta3)."""
