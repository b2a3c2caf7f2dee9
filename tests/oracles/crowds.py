"""Crowds by their definitions: all plans, all worlds, all deals; slow, and simple enough to be believed."""

import csv
import gzip
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from pathlib import Path

import pytest
from tests.oracles.shared import SHARED

Row = tuple[str | None, ...]
Mask = tuple[bool, ...]
"""Which columns are blank."""
Forms = Mapping[Row, Sequence[Row]]
"""For each profile the forms that its members carry."""

ADULT = SHARED / "adult" / "adult_train_complete.csv.gz"
BANK = SHARED / "bank" / "bank-full.csv.gz"


def rows_of(text: str) -> list[Row]:
    """Read rows such as `ax ay -y`, one letter for each column, - where there is none."""
    return [tuple(None if letter == "-" else letter for letter in word) for word in text.split()]


def blanked(row: Row, mask: Mask) -> Row:
    return tuple(None if blank else value for value, blank in zip(row, mask, strict=True))


Options = Callable[[Row], list[tuple[Row, int]]]
"""What a row may be published as, with what that costs."""


def by_masks(
    weights: Sequence[int] | None = None, allowed: Callable[[Row, Mask], bool] | None = None
) -> Options:
    """Let columns be blank; a row pays the weights of the values that it had and does not show."""

    def options(row: Row) -> list[tuple[Row, int]]:
        masks = [
            mask for mask in product([False, True], repeat=len(row)) if not allowed or allowed(row, mask)
        ]
        return [(blanked(row, mask), price(row, mask)) for mask in masks]

    def price(row: Row, mask: Mask) -> int:
        every = zip(row, mask, weights or [1] * len(row), strict=True)
        return sum(weight for value, blank, weight in every if blank and value is not None)

    return options


def least_cost(
    rows: Sequence[Row], crowd: int, options: Options | None = None, *, split: bool = True, alone: int = 0
) -> int | None:
    """The least cost of all plans in which a crowd carries each form, but for `alone` rows; None where there is none."""
    options = options or by_masks()
    ways = []
    for row, size in Counter(rows).items():
        mine = options(row)
        hands = combinations_with_replacement(mine, size) if split else ([one] * size for one in mine)
        ways.append(list(hands))
    best = None
    for chosen in product(*ways):
        carried = [one for hand in chosen for one in hand]
        crowds = Counter(form for form, _ in carried)
        if sum(many for many in crowds.values() if many < crowd) <= alone:
            cost = sum(price for _, price in carried)
            best = cost if best is None else min(best, cost)
    return best


def deals(people: Sequence[Row], forms: Forms) -> Iterator[tuple[Fraction, tuple[Row, ...]]]:
    """Give every way to deal the forms of each profile to its members, with its chance."""
    profiles = sorted(set(people), key=str)
    members = {profile: [at for at, one in enumerate(people) if one == profile] for profile in profiles}
    hands = [Counter(permutations(forms[profile])) for profile in profiles]
    for chosen in product(*(hand.items() for hand in hands)):
        form: list[Row] = [()] * len(people)
        chance = Fraction(1)
        for profile, hand, (dealt, ways) in zip(profiles, hands, chosen, strict=True):
            chance *= Fraction(ways, hand.total())
            for at, one in zip(members[profile], dealt, strict=True):
                form[at] = one
        yield chance, tuple(form)


Release = frozenset[tuple[Row, int]]


def released(forms: Iterable[Row]) -> Release:
    """What is seen of rows in random order: how many have each form."""
    return frozenset(Counter(forms).items())


def informed_chances(
    worlds: Iterable[tuple[Fraction, Sequence[Row]]], planned: Callable[[Sequence[Row]], Forms]
) -> dict[Release, dict[tuple[int, Row], Fraction]]:
    """For every release that may come, the chance that a row of a form is a person's, by going through all worlds.

    A world says which profile everybody has; `planned` is the rule that the attacker knows.
    """
    total: dict[Release, Fraction] = {}
    parts: dict[Release, dict[tuple[int, Row], Fraction]] = {}
    for prior, people in worlds:
        for chance, form in deals(people, planned(people)):
            seen, crowds = released(form), Counter(form)
            total[seen] = total.get(seen, Fraction(0)) + prior * chance
            here = parts.setdefault(seen, {})
            for person, one in enumerate(form):
                here[person, one] = here.get((person, one), Fraction(0)) + prior * chance / crowds[one]
    return {
        seen: {who: part / total[seen] for who, part in here.items()}
        for seen, here in parts.items()
        if total[seen]
    }


def journalist_chances(
    people: Sequence[Row], forms: Forms, prior: Callable[[Collection[int]], Fraction], records: int
) -> dict[Release, dict[tuple[int, Row], Fraction]]:
    """The same for records of some of the people in a directory, whose plan says what everybody carries."""
    total: dict[Release, Fraction] = {}
    parts: dict[Release, dict[tuple[int, Row], Fraction]] = {}
    for chance, form in deals(people, forms):
        for listed in combinations(range(len(people)), records):
            weight = chance * prior(listed)
            crowds = Counter(form[person] for person in listed)
            seen = frozenset(crowds.items())
            total[seen] = total.get(seen, Fraction(0)) + weight
            here = parts.setdefault(seen, {})
            for person in listed:
                key = person, form[person]
                here[key] = here.get(key, Fraction(0)) + weight / crowds[form[person]]
    return {
        seen: {who: part / total[seen] for who, part in here.items()}
        for seen, here in parts.items()
        if total[seen]
    }


def view(
    person: int, value: str, people: Sequence[Row], forms: Forms, form: Sequence[Row], values: Sequence[str]
) -> Fraction:
    """Theorem 2: what is believed of a person's value, from the plan and from the values seen next to forms."""
    mine = forms[people[person]]
    crowds = Counter(form)
    held = Counter(zip(form, values, strict=True))
    return sum((Fraction(held[one, value], crowds[one]) for one in mine), Fraction(0)) / len(mine)


def views_fail(
    people: Sequence[Row], forms: Forms, form: Sequence[Row], values: Sequence[str], limit: Fraction
) -> bool:
    everybody = product(range(len(people)), set(values))
    return any(view(person, value, people, forms, form, values) > limit for person, value in everybody)


Seen = tuple[int, frozenset[tuple[tuple[Row, str], int]]]
"""Which plan of a list was published, and how many rows have each form and value."""


def value_chances(
    people: Sequence[Row],
    plans: Sequence[Forms],
    limit: Fraction,
    values: Sequence[Sequence[str]],
    published: Callable[[Row, str], str] | None = None,
) -> dict[Seen, dict[tuple[int, str], Fraction]]:
    """For each plan of a list and release that may come, the chance of each value of each person, by all worlds.

    The first plan is published whose views are within the limit, none of them where all fail. All assignments of values
    weigh the same. `published` is the known rule by which rows show something else than their value.
    """
    total: dict[Seen, Fraction] = {}
    parts: dict[tuple[Seen, int, str], Fraction] = {}
    for known in values:
        for weight, number, form in _tried(people, plans, limit, known):
            shown = [
                (one, published(one, value) if published else value)
                for one, value in zip(form, known, strict=True)
            ]
            seen = number, frozenset(Counter(shown).items())
            total[seen] = total.get(seen, Fraction(0)) + weight
            for person, value in enumerate(known):
                parts[seen, person, value] = parts.get((seen, person, value), Fraction(0)) + weight
    found: dict[Seen, dict[tuple[int, str], Fraction]] = {}
    for (seen, person, value), part in parts.items():
        found.setdefault(seen, {})[person, value] = part / total[seen]
    return found


def _tried(
    people: Sequence[Row], plans: Sequence[Forms], limit: Fraction, values: Sequence[str]
) -> Iterator[tuple[Fraction, int, tuple[Row, ...]]]:
    reached = Fraction(1)
    for number, forms in enumerate(plans):
        if not reached:
            return
        failed = Fraction(0)
        for chance, form in deals(people, forms):
            if limit < 1 and views_fail(people, forms, form, values, limit):
                failed += chance
            else:
                yield reached * chance, number, form
        reached *= failed


def failing(
    people: Sequence[Row],
    earlier: Sequence[Forms],
    form: Sequence[Row],
    values: Sequence[str],
    limit: Fraction,
) -> Fraction:
    """The chance that all earlier plans fail when the values are arranged anew inside the published forms."""
    groups = {one: [at for at, other in enumerate(form) if other == one] for one in form}
    worlds = list(product(*(set(permutations(values[at] for at in group)) for group in groups.values())))
    total = Fraction(0)
    for world in worlds:
        known = list(values)
        for group, arranged in zip(groups.values(), world, strict=True):
            for at, value in zip(group, arranged, strict=True):
                known[at] = value
        part = Fraction(1)
        for forms in earlier:
            part *= sum(
                (
                    chance
                    for chance, dealt in deals(people, forms)
                    if views_fail(people, forms, dealt, known, limit)
                ),
                Fraction(0),
            )
        total += part
    return total / len(worlds)


def census() -> dict[str, list[str]]:
    """Read the complete rows of Adult with the decade of each age, or skip the test when they are not there."""
    columns = _columns(ADULT, ",")
    columns["decade"] = [str(int(age) // 10 * 10) for age in columns["age"]]
    return columns


def bank() -> dict[str, list[str]]:
    return _columns(BANK, ";")


def _columns(path: Path, delimiter: str) -> dict[str, list[str]]:
    if not path.exists():
        pytest.skip(f"the data set {path.name} is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        head, *rows = csv.reader(lines, delimiter=delimiter)
    return {name: list(column) for name, column in zip(head, zip(*rows, strict=True), strict=True)}
