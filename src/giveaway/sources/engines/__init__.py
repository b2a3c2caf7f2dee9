"""Data where they live: tables in DuckDB, Spark and PostgreSQL, counted there."""
