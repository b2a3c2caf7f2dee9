"""The paper's own method by borders of collections of itemsets: for reading and for small data."""
