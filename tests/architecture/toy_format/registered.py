"""The toy in the tables of formats and of the checker's readers, for as long as a test needs it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.architecture.toy_format import CARDS
from tests.architecture.toy_format.reader import READER

from giveaway.checker import READERS
from giveaway.sources.formats import FORMATS


@contextmanager
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FORMATS, CARDS.name, CARDS)
        patch.setitem(READERS, READER.format, READER)
        yield
