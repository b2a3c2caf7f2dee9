"""Settings that all tests share."""

from collections.abc import Iterator
from random import Random
from typing import Any

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
        patch.setattr("giveaway.checker.attacks.frequencies.itemsets.SystemRandom", lambda: Random(7))  # noqa: S311 # draws that repeat
        yield


@pytest.fixture(autouse=True, scope="session")
def _summaries_fit_their_schema() -> Iterator[None]:
    """Let every Summary that a test makes be checked as `giveaway report` checks it."""
    from giveaway.assessment import Assessment
    from giveaway.report.agreeing import contradictions
    from giveaway.report.schema import misfits

    made = Assessment.to_dict

    def checked(self: Assessment, **how: Any) -> dict[str, Any]:
        summary = made(self, **how)
        if not self.findings:  # parts of a Summary alone, which no question has
            return summary
        assert misfits(summary, most=5) == []
        assert list(contradictions(summary)) == []
        return summary

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Assessment, "to_dict", checked)
        yield
