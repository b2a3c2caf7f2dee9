"""Connections to DuckDB, Spark and databases."""
