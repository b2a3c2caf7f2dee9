"""The fewest entries to hide, by integer programming."""
