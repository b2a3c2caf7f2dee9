"""Secret occupations of Adult, protected twice by other blanks, rule by rule in plain numpy.

The conditions are workclass, education and sex; the secrets are the first ten rows of Prof-specialty; a rule is believed
when more than 20 rows show it, and unsafe above 3/5.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from tests.oracles.composition.data import adult, rows
from tests.oracles.crowds import census

CONDITIONS = ("workclass", "education", "sex")
VALUE = "Prof-specialty"
LIMIT, LEAST = Fraction(3, 5), 20
Visible = np.ndarray
"""For each row whether its occupation is visible."""


@cache
def holders() -> np.ndarray:
    return np.array(census()["occupation"]) == VALUE


@cache
def secrets() -> tuple[int, ...]:
    return tuple(np.flatnonzero(holders())[:10].tolist())


@cache
def cohorts() -> dict[tuple[tuple[str, int], ...], np.ndarray]:
    """Return for each pattern of conditions that a secret has the rows that have it."""
    found = {}
    for row in secrets():
        for size in range(1, len(CONDITIONS) + 1):
            for names in combinations(CONDITIONS, size):
                pattern = tuple((name, int(adult()[name][row])) for name in names)
                found[pattern] = np.logical_and.reduce([adult()[name] == value for name, value in pattern])
    return found


def planned() -> Visible:
    """Only the secrets are blank."""
    visible = np.ones(rows(), bool)
    visible[list(secrets())] = False
    return visible


def confidences(visible: Visible) -> dict[tuple[tuple[str, int], ...], Fraction]:
    """Return the confidence of each rule that is believed."""
    showing = {pattern: int((cohort & visible & holders()).sum()) for pattern, cohort in cohorts().items()}
    return {
        pattern: Fraction(many, int(cohorts()[pattern].sum()))
        for pattern, many in showing.items()
        if many > LEAST
    }


def exposed(visible: Visible) -> tuple[int, Fraction]:
    """Return how many secrets an unsafe rule tells, and the largest confidence."""
    believed = confidences(visible)
    unsafe = [cohorts()[pattern] for pattern, chance in believed.items() if chance > LIMIT]
    return sum(any(cohort[row] for cohort in unsafe) for row in secrets()), max(believed.values())


def protected(*, last: bool) -> Visible:
    """Blank as few of the first, or of the last, rows of the worst rule as make it safe, until all are."""
    visible = planned()
    while (believed := confidences(visible)) and max(believed.values()) > LIMIT:
        pattern = max(believed, key=lambda one: (believed[one], one))
        cohort = cohorts()[pattern]
        showing = np.flatnonzero(cohort & visible & holders())
        many = len(showing) - max(LEAST, int(LIMIT * int(cohort.sum())))
        visible[showing[-many:] if last else showing[:many]] = False
    return visible
