"""Random mappings, all equally likely."""
