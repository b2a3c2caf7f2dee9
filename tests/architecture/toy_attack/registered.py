"""The toy in the tables of attacks and of checks, for as long as a test needs it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.architecture.toy_attack import SIZES
from tests.architecture.toy_attack.check import CHECK

from giveaway.attacks import ATTACKS
from giveaway.checker import CHECKS


@contextmanager
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ATTACKS, SIZES.name, SIZES)
        patch.setitem(CHECKS, CHECK.attack, CHECK)
        yield
