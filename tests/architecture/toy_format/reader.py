"""How the checker reads cards back: by its own means, and only as they are written here."""

from collections.abc import Iterator
from pathlib import Path

from giveaway.checker import Reader
from giveaway.model.layout import Layout


def _records(file: Path, layout: Layout) -> Iterator[dict[str, str]]:
    for card in file.read_bytes().decode(layout.encoding).split("\n\n")[:-1]:
        pairs = [line.split(": ", 1) for line in card.split("\n")]
        yield dict(pairs)


READER = Reader(format="cards", records=_records)
