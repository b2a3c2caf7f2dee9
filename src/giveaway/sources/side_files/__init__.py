"""Files beside the data: rules, entries, statements, weights, hierarchies, directories."""
