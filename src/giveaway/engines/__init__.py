"""Data where they live, as a guest: tables in DuckDB, Spark and PostgreSQL, counted there.

Nothing of the product imports it; its row is found as commands of other packages are.
"""
