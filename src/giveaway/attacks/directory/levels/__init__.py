"""One level for each column: the best generalisation of a whole table, proved by bounds."""
