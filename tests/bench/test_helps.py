"""What is said to help where there is no safe release helps, when it is followed."""

from fractions import Fraction
from typing import Any

import pytest
from tests.bench.cases import CASES, PAPERS, Case

import giveaway as ga
from giveaway.model.question.need import Need


@pytest.fixture(scope="module", params=[*sorted(CASES), *PAPERS])
def case(request: pytest.FixtureRequest) -> Case:
    return (CASES | PAPERS)[request.param]


def stricter(tolerance: ga.Tolerance, limit: Fraction) -> ga.Tolerance:
    """Return the same kinds of limits, all of them this strict."""
    return ga.Tolerance(**dict.fromkeys(tolerance.given - {"share"}, limit))


def followed(changes: Any, tolerance: ga.Tolerance, need: Need | None) -> tuple[ga.Tolerance, Need | None]:
    """Change limits and a need as the fields of a scenario say."""
    limits = {name: getattr(tolerance, name) for name in tolerance.given}
    for field, value in changes.items():
        part, *_, name = field.split(".")
        if part == "tolerates":
            limits[name] = value
        else:
            assert part == "needs", field
            need = type(need)(**{**vars(need or object()), name: value})
    return ga.Tolerance(**limits), need


@pytest.mark.parametrize("limit", [Fraction(1, 1000), Fraction(1, 9), Fraction(1, 4)])
def test_whoever_follows_what_is_said_to_help_gets_a_safe_release(case: Case, limit: Fraction) -> None:
    tolerance = stricter(case.tolerance, limit)
    release = case.release(case.rows)
    try:
        ga.protect(release, case.attacker, tolerance, need=case.need)
    except ga.NoSafeRelease as error:
        for one in error.helps:
            assert one[0].isupper()
            assert one.endswith(".")
            for changes in one.set:
                looser, need = followed(changes, tolerance, case.need)
                assert ga.protect(release, case.attacker, looser, need=need).verdict == "safe", one
