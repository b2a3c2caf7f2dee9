"""Who in a directory agrees with disclosed records."""
