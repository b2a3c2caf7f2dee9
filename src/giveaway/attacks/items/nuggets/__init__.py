"""Nuggets: how many itemsets that the reader needs the release keeps."""
