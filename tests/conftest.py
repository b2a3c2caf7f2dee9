"""Settings that all tests share."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "giveaway",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("giveaway")


@pytest.fixture(autouse=True, scope="session")
def _checker_repeats() -> Iterator[None]:
    """Let the checker draw the same each time: its intervals miss by chance one time in twenty, and tests must not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("giveaway.checker.itemsets.SystemRandom", lambda: Random(7))  # noqa: S311 # draws that repeat
        yield
