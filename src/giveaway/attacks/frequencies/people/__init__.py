"""Who is recognised among the records of a table whose names were removed (section 8.1 of the paper)."""
