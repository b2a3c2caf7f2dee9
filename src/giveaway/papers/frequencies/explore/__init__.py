"""The engine by itself: which codes may be which items, mappings drawn at random, and people among records."""
