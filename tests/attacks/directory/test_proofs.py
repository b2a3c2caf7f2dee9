"""What is called proved is compared with every choice there is, on random small tables."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.directory.cases import FORMS, NAMES, WEIGHTS, attacker, release, weighed
from tests.attacks.directory.oracle import Shown, World, times
from tests.sizes import part

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protect import protect
from giveaway.model.question.effort import Effort

Mark = tuple[int, str]
Rule = tuple[Shown, ...]
NEAR = 1e-9


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, a tolerance, a need and marks."""

    world: World
    sensitivity: ga.Sensitivity
    own: bool
    limits: dict[str, Fraction]
    need: dict[str, Any] | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Judged:
    """One disclosure of one record: how many agree in each directory, chances and losses as if listed or not."""

    crowds: tuple[int, ...]
    chance: tuple[Fraction, Fraction]
    losses: tuple[tuple[Any, ...], tuple[Any, ...]]
    """As the paper counts, and as if listed; by directory, or one with a prior."""


class Exhaustive:
    """Every choice that serves a need, judged by the definitions."""

    def __init__(self, case: Case) -> None:
        self.case, self.world = case, case.world
        self.judged = [
            {shown: self._judged(place, shown) for shown in self._choices(place)}
            for place in range(len(self.world.records))
        ]

    def _must(self, place: int) -> set[str]:
        always = (self.case.need or {}).get("always", ())
        marked = {name for row, name in self.case.marks if row == place}
        return {name for name in self.world.available(place) if name in always or name in marked}

    def _choices(self, place: int) -> Iterator[Shown]:
        there = self.world.available(place)
        for size in range(len(there) + 1):
            for shown in combinations(there, size):
                if self._must(place) <= {*shown}:
                    yield shown

    def _judged(self, place: int, shown: Shown) -> Judged:
        world = self.world
        phi = world.phi(place, shown)
        many = range(len(world.directories))
        chances = [world.chances(place, shown, listed=listed) for listed in (False, True)]
        joined = (world.chance(place, shown, listed=False), world.chance(place, shown, listed=True))
        parts = [[one] for one in joined] if world.prior else chances
        return Judged(
            tuple(world.candidates(place, shown, at) for at in many),
            joined,
            tuple(tuple(times(phi, one) for one in part) for part in parts),  # type: ignore[arg-type]
        )

    def serves(self, rule: Rule) -> bool:
        need = self.case.need or {}
        fill = need.get("fill", True)
        sizes = [len(shown) for shown in rule]
        pairs: list[tuple[int, int]] = []
        if "per_record" in need:
            least = [min(need["per_record"], len(there)) for there in self.world.everything()]
            pairs = list(zip(sizes, least, strict=True))
        elif "total" in need:
            pairs = [(sum(sizes), need["total"])]
        elif "per_column" in need:
            for name in self.world.columns:
                there = sum(name in self.world.available(place) for place in range(len(rule)))
                pairs.append((sum(name in shown for shown in rule), min(need["per_column"], there)))
        return all(found >= wanted if fill else found == wanted for found, wanted in pairs)

    @cached_property
    def rules(self) -> list[Rule]:
        return [rule for rule in product(*self.judged) if self.serves(rule)]

    def risk(self, rule: Rule, listed: int) -> Any:
        lines = [self.judged[place][shown].losses[listed] for place, shown in enumerate(rule)]
        return max(sum(column) / Fraction(len(rule)) for column in zip(*lines, strict=True))

    def within_identity(self, rule: Rule, listed: int) -> bool:
        limit = self.case.limits.get("identity", Fraction(1))
        over = sum(self.judged[place][shown].chance[listed] > limit for place, shown in enumerate(rule))
        return Fraction(over, len(rule)) <= self.case.limits.get("share", 0)

    def clearly_safe(self, rule: Rule) -> bool:
        """Tell whether a rule is safe in every reading, and not only by rounding."""
        nobody = sum(not any(self.judged[place][shown].crowds) for place, shown in enumerate(rule))
        if 2 * nobody > len(rule):
            return False
        for listed in (0, 1):
            risk, limit = self.risk(rule, listed), self.case.limits.get("average")
            if not self.within_identity(rule, listed) or math.isinf(risk):
                return False
            if limit is not None and risk > (
                limit if isinstance(risk, Fraction) else float(limit) * (1 - NEAR)
            ):
                return False
        return True

    @cached_property
    def safe(self) -> list[Rule]:
        return [rule for rule in self.rules if self.clearly_safe(rule)]

    def is_best(self, place: int, shown: Shown) -> bool:
        """Tell whether no disclosure of as many values within the limit loses less; one over the limit may be freed."""
        mine = self.judged[place][shown]
        limit = self.case.limits.get("identity", Fraction(1))
        free = mine.chance[1] > limit
        others = [
            max(found.losses[1])
            for other, found in self.judged[place].items()
            if len(other) == len(shown) and (free or found.chance[1] <= limit)
        ]
        return float(max(mine.losses[1])) <= min(map(float, others)) * (1 + NEAR)


def protected(case: Case) -> Any:
    """Return what is proposed, or the error that says why nothing is."""
    marks = [(f"r{place}", name) for place, name in case.marks]
    shown = release(case.world, case.sensitivity, must_publish=marks)
    need = None if case.need is None else ga.NeedsColumns(**case.need)
    who, tolerance = attacker(case.world, own=case.own), ga.Tolerance(**case.limits)
    try:
        return protect(shown, who, tolerance, need, Effort(), DirectoryOptions())
    except (ga.ScenarioError, ga.NoSafeRelease) as error:
        return error


def check(case: Case) -> str:
    """Compare what is called proved with every choice; return what came of it."""
    every, found = Exhaustive(case), protected(case)
    if isinstance(found, ga.ScenarioError):
        assert "must be published" in str(found)
        assert not every.rules
        return "no room"
    if isinstance(found, ga.NoSafeRelease):
        assert not (found.proved and every.safe), found.reason
        return "proved" if found.proved else "missed" if every.safe else "refused"
    rule = tuple(
        tuple(name for name in there if (place + 1, name) not in found.release.hidden)
        for place, there in enumerate(every.world.everything())
    )
    proved = check_values(every, rule, found) | check_risk(every, rule, found)
    if not every.clearly_safe(rule):
        return "missed" if every.safe else "unsafe"
    assert every.serves(rule)
    return "safe and proved" if proved else "safe"


def check_values(every: Exhaustive, rule: Rule, found: Any) -> bool:
    """No safe choice discloses more values than is said; tell whether that is said of this one."""
    entries, bound = sum(map(len, every.world.everything())), found.figures["lower_bound"]
    assert bound is None or all(entries - sum(map(len, one)) >= bound for one in every.safe)
    proved = "It is proved that no safe release" in found.detail
    if proved or (bound is not None and found.figures["gap"] == 0):
        assert entries - sum(map(len, rule)) <= bound
    return proved


def check_risk(every: Exhaustive, rule: Rule, found: Any) -> bool:
    """No choice within the limit of identity has a smaller risk than is said, of all records or of each."""
    figures = found.figures
    together = "together is proved" in found.detail
    if figures["least_risk"] is not None or together:
        others = [float(every.risk(one, 1)) for one in every.rules if every.within_identity(one, 1)]
        assert all(risk >= (figures["least_risk"] or 0) * (1 - NEAR) for risk in others)
        if together or figures["gap"] == 0:
            assert float(every.risk(rule, 1)) <= min(others) * (1 + NEAR)
    if not together:
        assert figures["optimal_records"] <= sum(every.is_best(*one) for one in enumerate(rule))
    return together


LIMITS = [
    {"identity": Fraction(1, 2)},
    {"identity": Fraction(2, 3)},
    {"identity": Fraction(2, 5)},
    {"average": Fraction(1, 2)},
    {"average": Fraction(2, 3)},
    {"average": Fraction(1)},
    {"identity": Fraction(1, 2), "average": Fraction(2, 3)},
]


@st.composite
def cases(draw: st.DrawFn, *, need: str | None, share: bool, prior: bool, marks: bool, several: bool) -> Case:
    width = draw(st.integers(2, 3))
    names = NAMES[:width]
    entry = st.fixed_dictionaries(dict.fromkeys(names, st.sampled_from(["a", "a", "a", "b", "b", "b", None])))
    records = draw(st.lists(entry, min_size=2, max_size=4 if width == 2 else 3))
    own = not several and draw(st.booleans())
    base = [(f"r{place}", record) for place, record in enumerate(records)]
    line = st.tuples(st.sampled_from(["x", "y", "z", "u", "v"]), entry)
    directories = [base]
    if not own:
        directories = [
            [*(base if draw(st.integers(0, 7)) else []), *draw(st.lists(line, min_size=1, max_size=5))]
            for _ in range(2 if several else 1)
        ]
    parts = draw(st.sampled_from([("1/3", "2/3"), ("1/2", "1/2"), ("0", "1"), ("1/4", "3/4")]))
    form = draw(st.sampled_from([*["constant"] * 6, *FORMS]))
    weight = st.sampled_from(WEIGHTS if draw(st.integers(0, 4)) == 0 else WEIGHTS[:-1])
    sensitivity, weights, pairs = draw(weighed(form, len(records), names, names, weight))
    world = World(
        records=records,
        columns=names,
        compared=names,
        directories=directories,
        form="constant" if sensitivity.is_constant else sensitivity.form,
        weights=weights,
        pairs=pairs,
        prior=tuple(map(Fraction, parts)) if several and prior else (),
        gaps=draw(st.sampled_from(["apart", "apart", "agree"])),
    )
    limits = dict(draw(st.sampled_from([*LIMITS[:3], LIMITS[-1]] if share else LIMITS)))
    if share:
        limits["share"] = draw(st.sampled_from([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)]))
    if "average" in limits and draw(st.integers(0, 3)):
        limits["average"] = draw(reached(world, limits["average"]))
    there = [(place, name) for place in range(len(records)) for name in world.available(place)]
    marked = draw(st.lists(st.sampled_from(there), max_size=2, unique=True)) if marks and there else []
    return Case(
        world=world,
        sensitivity=sensitivity,
        own=own,
        limits=limits,
        need=draw(needs(need, len(there), names, marks=marks)),
        marks=tuple(marked),
    )


@st.composite
def reached(draw: st.DrawFn, world: World, otherwise: Fraction) -> Fraction:
    """The very risk of some choice, so that a bound that is a little off is found out."""
    rule = [tuple(name for name in there if draw(st.booleans())) for there in world.everything()]
    risk = world.risk(rule, listed=True)
    return risk if isinstance(risk, Fraction) and risk else otherwise


@st.composite
def needs(
    draw: st.DrawFn, kind: str | None, values: int, names: Sequence[str], *, marks: bool
) -> dict[str, Any] | None:
    if kind is None:
        return None
    made: dict[str, Any] = {"fill": draw(st.booleans())}
    if marks and draw(st.booleans()):
        made["always"] = [draw(st.sampled_from(names))]
    if kind == "always":
        return made | {"fill": True}
    if kind == "total":
        return made | {"total": draw(st.integers(max(values - 3, 0), values) | st.integers(0, values))}
    return made | {kind: draw(st.integers(0, 2)), "clip": True}


KINDS = [None, "always", "per_record", "total", "per_column"]


@pytest.mark.papers
@pytest.mark.sized
@pytest.mark.parametrize("directories", ["one", "worst", "bayes"])
@pytest.mark.parametrize("need", KINDS)
def test_what_is_proved_holds_for_every_choice(need: str | None, directories: str) -> None:
    """For every need, with and without a prior, somebody tolerated over the limit, and marks."""
    several, prior = directories != "one", directories == "bayes"
    drawn = st.tuples(st.booleans(), st.booleans()).flatmap(
        lambda two: cases(need=need, share=two[0], prior=prior, marks=two[1], several=several)
    )

    @settings(max_examples=part(60))
    @given(drawn)
    def every(case: Case) -> None:
        check(case)

    every()
