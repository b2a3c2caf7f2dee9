"""The table of papers, in the order of the attacks."""

from importlib import import_module
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.papers.attributes.exploring import EXPLORES as OF_ATTRIBUTES
from giveaway.papers.directory.exploring import EXPLORES as OF_DIRECTORY
from giveaway.papers.frequencies.exploring import EXPLORES as OF_FREQUENCIES
from giveaway.papers.items.exploring import EXPLORES as OF_ITEMS
from giveaway.papers.paper import Explorer, Paper


def _paper(number: str, attack: str, explores: dict[str, Explorer] | None = None) -> Paper:
    def studies() -> Any:
        return import_module(f"giveaway.papers.{attack}.studies").studies()

    return Paper(number=number, attack=ATTACKS[attack], studies=studies, explores=explores or {})


PAPERS = (
    _paper("001", "items", OF_ITEMS),
    _paper("000", "frequencies", OF_FREQUENCIES),
    _paper("002", "directory", OF_DIRECTORY),
    _paper("003", "profiles"),
    _paper("004", "attributes", OF_ATTRIBUTES),
)
