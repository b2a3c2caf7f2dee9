"""Whenever the time allowed ends, every view is drawn, and nothing unmeasured is called safe."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.bench.cases import CASES, PAPERS, Case
from tests.sizes import first

import giveaway as ga
from giveaway.model import progress
from giveaway.report.schema import misfits
from giveaway.report.terminal import screen

PARTS = {
    "figures", "holds_up_to", "curves", "worked", "recipe", "exposures_total", "exposures", "kept", "lists",
}  # fmt: skip


class Clock:
    """A clock that stands still until it was looked at so many times, and is then far beyond every limit."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def monotonic(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks >= 0 else 1e9


@pytest.fixture(scope="module", params=[*sorted(CASES), *first(0, PAPERS)])
def case(request: pytest.FixtureRequest) -> Case:
    return (CASES | PAPERS)[request.param]


@pytest.fixture(scope="module")
def safer(case: Case) -> ga.Assessment:
    return ga.protect(case.release(case.rows), case.attacker, case.tolerance, need=case.need)


def fresh(assessment: ga.Assessment) -> ga.Assessment:
    """Return the same answer with nothing of its details worked out yet."""
    found = ga.assess(
        assessment.release,
        [one.attacker for one in assessment.findings],
        [one.tolerance for one in assessment.findings],
        need=assessment.needs,
    )
    return replace(found, effort=ga.Effort(seconds=1.0))


def drawn(assessment: ga.Assessment) -> list[str]:
    """Draw every view."""
    summary = assessment.to_dict()
    return [
        str(assessment), repr(assessment), assessment._repr_html_(), assessment.to_html(), assessment.to_html(public=True),
        assessment.to_json(), assessment.to_review(), screen.render(summary, exposures=True, quiet=False),
        *(repr(one) + one._repr_html_() for one in assessment.findings), repr(assessment.exposures),
    ]  # fmt: skip


@pytest.mark.parametrize("looks", [1, 2, 9])
def test_details_that_come_too_late_are_named_and_every_view_is_drawn(
    safer: ga.Assessment, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fresh(safer)
    monkeypatch.setattr(progress, "time", Clock(looks))
    late = found.to_dict()
    monkeypatch.undo()

    assert late["verdict"] == safer.verdict
    assert misfits(json.loads(json.dumps(late))) == []
    for finding in late["findings"]:
        assert set(finding["not_computed"]) <= PARTS
        assert all(not finding[name] for name in finding["not_computed"] if name != "exposures")


@pytest.mark.parametrize("looks", [2, 40])
def test_every_view_is_drawn_however_little_time_there_is(
    safer: ga.Assessment, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fresh(safer)
    monkeypatch.setattr(progress, "time", Clock(looks))

    assert all(drawn(found))


@pytest.mark.parametrize("looks", [1, 4])
def test_what_is_not_measured_in_time_is_not_safe(
    case: Case, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: dict[str, Any] = {"need": case.need, "effort": ga.Effort(seconds=1.0)}
    monkeypatch.setattr(progress, "time", Clock(looks))
    found = ga.assess(case.release(case.rows), case.attacker, case.tolerance, **words)

    assert found.safe is not True
    assert all(drawn(found))
