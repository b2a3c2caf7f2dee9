"""The versions of the program, read by the build and by `giveaway --version`, and of the Summary."""

__version__ = "0.2.0"
SCHEMA = 2
