"""The toy limits in the table of limits, and the toy attack that is judged by them, for as long as a test needs it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.architecture.toy_limit import CROWDED, FILLED, FULL_SIZES
from tests.architecture.toy_limit.check import FULL_CHECK

from giveaway.attacks import ATTACKS
from giveaway.checker import CHECKS
from giveaway.model.question.limits import LIMITS


@contextmanager
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for limit in (CROWDED, FILLED):
            patch.setitem(LIMITS, limit.name, limit)
        patch.setitem(ATTACKS, FULL_SIZES.name, FULL_SIZES)
        patch.setitem(CHECKS, FULL_CHECK.attack, FULL_CHECK)
        yield
