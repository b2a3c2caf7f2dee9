"""The local page: the same scenario file and the same Summary, for people who do not write TOML."""
