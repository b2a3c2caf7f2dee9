"""Where the data sets lie that tests use when they are at hand."""

from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared" / "data"
