"""The guests that reproduce the papers, tested by the same means as the rest."""

from tests.cli.conftest import invoke

__all__ = ["invoke"]
