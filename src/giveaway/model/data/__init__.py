"""Data as counted, encoded values: transactions, tables, supports, directories."""
