"""The fewest entries to hide, by constraint programming."""
