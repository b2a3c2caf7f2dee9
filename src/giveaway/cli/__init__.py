"""The command line: one file a command, no logic."""

from giveaway.cli.main import main

__all__ = ["main"]
