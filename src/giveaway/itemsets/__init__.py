"""Sets of items and of values: which occur, which many rows have, and the rules between them."""
