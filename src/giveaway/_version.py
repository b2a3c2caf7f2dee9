"""The versions of the program, read by the build and by `giveaway --version`, and of the Summary."""

__version__ = "0.1.0"
SCHEMA = 2
