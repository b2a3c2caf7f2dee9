"""How the risk moves with what is disclosed and with the size of the directory (Figure 1 of the paper)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.count import WIDEST
from giveaway.attacks.directory.disclosed_groups import HIDDEN, DisclosedGroups
from giveaway.attacks.directory.disclosure.per_record.all_subsets import people_of_all
from giveaway.attacks.directory.disclosure.weights import Form
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.protecting.alike_records import masked, spread
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import amount, counted, people, records
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.people import People
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.papers.directory.independent import minrisk

RECORDS = 500
"""The most groups of records that the curves are made of."""
POINTS = 16
"""The most numbers of values that are tried."""
SHARES = (10, 25, 50, 75, 100)
DRAWN = 300
"""How many records are looked up in the parts."""
WORK = 5_000_000
"""How many entries and sets of columns may be looked at to find the best choices."""
FEW = 500_000
"""Larger tables and directories have no parts drawn."""

_BY_FORM: dict[Form, tuple[Form, ...]] = {
    "constant": ("constant",),
    "additive": ("additive", "multiplicative"),
    "multiplicative": ("multiplicative", "additive"),
}


def figure_1(question: DirectoryQuestion, tolerance: Tolerance, seed: int) -> tuple[Curve, ...]:
    """Show the risk when other numbers of values are disclosed, and when the directory is smaller."""
    return by_values(question, tolerance, seed) + by_size(question, tolerance, seed)


def by_values(question: DirectoryQuestion, tolerance: Tolerance, seed: int) -> tuple[Curve, ...]:
    """Show the risk when every record discloses this many values, chosen by the paper's MinRisk, people counted.

    Next to it stands the best choice of as many values, where all of them can be looked at and somebody agrees with each
    record: what nobody agrees with loses nothing, and that is no reason to disclose it.
    """
    width = len(question.attributes)
    if width > WIDEST:
        return ()
    groups = _some(question.groups, seed)
    values = np.where(groups.levels == 0, groups.values, HIDDEN).astype(np.int32)
    available = values != HIDDEN
    matching = question.lookup.matchings[0]
    alone = matching.alone(values)
    each = np.stack([question.weighing.weights(line).each for line in groups.classes.tolist()])
    most = int(available.sum(axis=1).max(initial=0))
    numbers = (
        np.unique(np.linspace(1, most, min(most, POINTS)).round().astype(np.int64)).tolist() if most else []
    )
    risks: dict[Form, list[float]] = {form: [] for form in _BY_FORM[question.weighing.form]}
    for done, number in enumerate(numbers):
        tell("disclosing more and more values", done, len(numbers))
        wanted = np.minimum(number, available.sum(axis=1))
        masks = minrisk(alone, len(matching.people), each, masked(available), wanted)
        chosen = spread(masks, width)
        for form, risk in _risks(question, tolerance, groups, np.where(chosen, values, HIDDEN)).items():
            risks[form].append(risk)
    part = (
        ""
        if len(groups.count) == len(question.groups.count)
        else f", in {records(int(groups.count.sum()))} drawn"
    )
    ends = next(iter(risks.values()))
    says = (
        f"Chosen by MinRisk, {counted(numbers[0], 'values')} of each {nouns().record} would carry a risk of "
        f"{amount(ends[0])}, {numbers[-1]} a risk of {amount(ends[-1])}{part}."
        if numbers
        else ""
    )
    curves = _curves(
        "disclosed",
        f"values disclosed of each {nouns().record}",
        list(map(float, numbers)),
        risks,
        says,
        tolerance,
    )
    best = _best(question, groups, values) if curves else None
    if best is None:
        return curves
    sizes = [np.minimum(number, available.sum(axis=1)) for number in numbers]
    many = int(groups.count.sum())
    least = [float(best[np.arange(len(best)), size] @ groups.count) / many for size in sizes]
    if not np.isfinite(least).all():
        return curves
    middle = len(numbers) // 2
    says = (
        f"With the best choice of as many values of each {nouns().record}, {counted(numbers[middle], 'values')} would carry "
        f"{amount(least[middle])}, where MinRisk's carry {amount(ends[middle])}."
    )
    return (
        *curves,
        replace(curves[0], name="disclosed_best", y=tuple(least), says=says, limit=None, beside="disclosed"),
    )


def _best(question: DirectoryQuestion, groups: DisclosedGroups, values: Codes) -> NDArray[np.float64] | None:
    """Return the least loss of each group for every number of values; None where that is too much work, or no bound."""
    matchings, prior, width = question.lookup.matchings, question.attacker.prior, values.shape[1]
    entries = sum(len(matching.people.alone) for matching in matchings)
    is_one = len(matchings) == 1 or bool(prior)
    if not is_one or len(values) * (entries + (1 << width)) > WORK:
        return None
    if not question.lookup.crowds(values, None).all():
        return None
    parts, wrong = [float(part) for part in prior] or [1.0], float(question.weighing.wrong)
    phis = [question.weighing.weights(line).phis() for line in range(len(question.weighing.lines))]
    sets = np.arange(1 << width, dtype=np.uint64)
    sizes = np.bitwise_count(sets)
    least = np.full((len(values), width + 1), np.inf)
    compared = zip(*(matching.signatures(values) for matching in matchings), strict=True)
    for at, (mask, signatures) in enumerate(zip(masked(values != HIDDEN), compared, strict=True)):
        people = [people_of_all(one.masks, one.counts, width) for one in signatures]
        chance = sum(part / many for part, many in zip(parts, people, strict=True))
        losses = phis[int(groups.classes[at])] * (wrong + (1 - wrong) * chance)
        there = (sets & ~mask) == 0
        np.minimum.at(least[at], sizes[there], losses[there])
    return least


def by_size(question: DirectoryQuestion, tolerance: Tolerance, seed: int) -> tuple[Curve, ...]:
    """Show the risk of what is published when the directory is smaller: nested parts of it, drawn by chance."""
    sample = _sample(question, seed)
    if sample is None:
        return ()
    kinds, count = np.unique(sample.groups, return_counts=True)
    groups = replace(question.groups.part(kinds), count=count)
    levels = groups.levels if groups.levels.any() else None
    matching = question.lookup.matchings[0]
    risks: dict[Form, list[float]] = {form: [] for form in _BY_FORM[question.weighing.form]}
    for done, part in enumerate(sample.parts):
        tell("looking up in smaller directories", done, len(sample.sizes))
        crowds = replace(matching, people=part).candidates(groups.values, levels)[:, None]
        for form, risk in _of(question, tolerance, groups, groups.shown, crowds, prior=False).items():
            risks[form].append(risk)
    total, ends = int(count.sum()), next(iter(risks.values()))
    inside = (
        "all of them in it"
        if sample.inside == total
        else f"{sample.inside:,} of them in it for certain"
        if sample.inside
        else "not known to be in it"
    )
    says = (
        f"For {records(total)} drawn, {inside}, the risk is {amount(ends[0])} with {people(sample.sizes[0])} in the "
        f"directory and {amount(ends[-1])} with {sample.sizes[-1]:,}."
    )
    return _curves("size", "people in the directory", list(map(float, sample.sizes)), risks, says, tolerance)


def _some(groups: DisclosedGroups, seed: int) -> DisclosedGroups:
    """Return the groups, or some of them by chance where there are many."""
    if len(groups.count) <= RECORDS:
        return groups
    generator = np.random.default_rng(seed)
    return groups.part(np.sort(generator.choice(len(groups.count), RECORDS, replace=False)))


def _risks(
    question: DirectoryQuestion, tolerance: Tolerance, groups: DisclosedGroups, values: Codes
) -> dict[Form, float]:
    values = values.astype(np.int32)
    crowds = question.lookup.crowds(values, None)
    return _of(question, tolerance, groups, values != HIDDEN, crowds, prior=True)


def _of(
    question: DirectoryQuestion,
    tolerance: Tolerance,
    groups: DisclosedGroups,
    shown: NDArray[np.bool_],
    crowds: Ints,
    *,
    prior: bool,
) -> dict[Form, float]:
    """Return the risk of disclosures, with the weights joined in each way."""
    risks = {}
    for form in _BY_FORM[question.weighing.form]:
        phis = replace(question.weighing, form=form).phis(groups.classes, shown)
        weighed = question.attacker.prior if prior else ()
        tally = GroupsTally(count=groups.count, crowds=crowds, phis=phis, prior=weighed, tolerance=tolerance)
        risks[form] = float(tally.risk)
    return risks


def _curves(
    name: str, x_label: str, x: list[float], risks: dict[Form, list[float]], says: str, tolerance: Tolerance
) -> tuple[Curve, ...]:
    """Make a curve for each way of joining weights, all in one picture; one that is infinite is left out."""
    curves: list[Curve] = []
    for place, (form, y) in enumerate(risks.items()):
        if not x or not np.isfinite(y).all():
            continue
        first = place == 0 or not curves
        curves.append(
            Curve(
                name=name if first else f"{name}_{form}",
                x_label=x_label,
                y_label="risk",
                x=tuple(x),
                y=tuple(y),
                says=says if place == 0 else f"The same with {form} weights, at the end {amount(y[-1])}.",
                limit=None if tolerance.average is None or not first else float(tolerance.average),
                beside=None if first else name,
            )
        )
    return tuple(curves)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sample:
    """Some records, by their groups, and nested parts of a directory that hold their people where ids tell who they are."""

    groups: Ints
    inside: int
    """How many of the records are known to be in the directory."""
    sizes: tuple[int, ...]
    parts: Iterator[People]


def _sample(question: DirectoryQuestion, seed: int) -> _Sample | None:
    """Draw records and parts of the first directory by chance; None where it is too large.

    What is drawn does not depend on the order of rows: people with the same entry can stand for each other.
    """
    people = question.lookup.matchings[0].people
    if len(people) > FEW or question.records > FEW or not len(people):
        return None
    if question.lookup.is_own:  # who they are was not asked before
        people = People.from_table(question.original, question.compared)
    person, entry = _lines(people)
    rank = alike([people.columns[name] for name in people.columns])[0] if people.columns else np.zeros(1, int)
    size = int(person.max(initial=-1)) + 1
    first = np.full(size, len(rank), np.int64)
    np.minimum.at(first, person, rank[entry])
    own = _person_of_row(question, people, person)
    generator = np.random.default_rng(seed)
    groups = question.groups.group_of
    place = np.where(own < 0, -1, first[own])
    rows = np.lexsort((place, groups))
    many = min(DRAWN, len(rows), max(1, size // SHARES[0]))
    chosen = rows[np.sort(generator.choice(len(rows), many, replace=False))]
    kept = np.zeros(size, np.bool_)
    kept[own[chosen][own[chosen] >= 0]] = True
    order = np.lexsort((~kept, first))
    turn = np.empty(size, np.int64)
    turn[order] = np.where(kept[order], -1, generator.permutation(size))
    turn = np.argsort(np.argsort(turn, kind="stable"), kind="stable")
    sizes = tuple(max(int(kept.sum()), size * share // 100, 1) for share in SHARES)
    return _Sample(
        groups=groups[chosen],
        inside=int((own[chosen] >= 0).sum()),
        sizes=sizes,
        parts=(_part(people, person, entry, turn < many) for many in sizes),
    )


def _lines(people: People) -> tuple[Ints, Ints]:
    """Return a person and an entry for each line of a directory."""
    if people.ids is not None and people.entries is not None:
        number: dict[str, int] = {}
        numbers = [number.setdefault(str(label), len(number)) for label in people.ids]
        return np.array(numbers, np.int64), people.entries
    alone = np.repeat(np.arange(len(people.alone)), people.alone)
    person = np.concatenate([np.arange(len(alone)), len(alone) + people.several_person])
    return person, np.concatenate([alone, people.several_entry])


def _person_of_row(question: DirectoryQuestion, people: People, person: Ints) -> Ints:
    """Return who each record is in a directory, -1 where that is not known."""
    if question.lookup.is_own:
        return np.arange(question.records)
    table = question.original
    if table.id is None or people.ids is None:
        return np.full(question.records, -1)
    number = dict(zip(map(str, people.ids), person.tolist(), strict=True))
    return np.array([number.get(str(label), -1) for label in table.ids], np.int64)


def _part(people: People, person: Ints, entry: Ints, kept: NDArray[np.bool_]) -> People:
    """Return the directory with some of its people only."""
    here = kept[person]
    person, entry = person[here], entry[here]
    lines = np.bincount(person, minlength=len(kept))
    one = lines[person] == 1
    order = np.argsort(person[~one], kind="stable")
    several = np.unique(person[~one][order], return_inverse=True)[1]
    return replace(
        people,
        alone=np.bincount(entry[one], minlength=len(people.alone)),
        several_person=several.astype(np.int64),
        several_entry=entry[~one][order],
        ids=None,
        entries=None,
    )
