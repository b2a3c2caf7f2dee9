"""Files as they are stored: read, looked at, written again."""
