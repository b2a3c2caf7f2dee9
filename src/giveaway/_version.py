"""The version, read by the build and by `giveaway --version`."""

__version__ = "0.1.0"
