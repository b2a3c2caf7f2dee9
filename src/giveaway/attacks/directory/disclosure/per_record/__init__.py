"""The best choice for one record: all sets of attributes, or a search among them."""
