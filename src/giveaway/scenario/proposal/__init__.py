"""A commented scenario file, proposed after a look at the data."""
