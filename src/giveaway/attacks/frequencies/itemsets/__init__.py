"""Sets of renamed items: which are asked about, and how likely they are recognised."""
