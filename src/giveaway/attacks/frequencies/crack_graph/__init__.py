"""Which renamed item may stand for which item, and which one-to-one mappings there are."""
