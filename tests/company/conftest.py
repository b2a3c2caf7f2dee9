"""The command line, as the tests of the commands run it."""

from tests.cli.conftest import invoke

__all__ = ["invoke"]
