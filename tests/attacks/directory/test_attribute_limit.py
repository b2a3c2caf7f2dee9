"""What is told of sensitive values: the figures of an assessment and the checker's verdict, against the definitions."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.attacks.directory import attribute_oracle as oracle
from tests.attacks.directory.attribute_oracle import Case
from tests.attacks.directory.test_attribute_checker import (
    COMPARED,
    HIERARCHIES,
    SENSITIVE,
    at_level,
    covers,
    directory_of,
    lines_of_text,
    listed_in,
    plan_of,
    rows_of_text,
    written,
)
from tests.attacks.directory.test_informed_checker import shown_of
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.attacker import Close
from giveaway.attacks.directory.question import ask
from giveaway.checker.attacks.directory import judge
from giveaway.checker.check import ReadBack
from giveaway.checker.promise import Promise
from giveaway.model.data.people import People, PlannedForms

Targets = Mapping[tuple[str, str], set[str]]
"""The values of each target, by column and name."""


@dataclass(frozen=True, repr=False)
class Question:
    """A release and an attacker, and the same for the oracle: one case for each directory."""

    release: ga.Release
    attacker: ga.KnowsDirectory
    cases: Sequence[Case]
    targets: Targets

    def __repr__(self) -> str:
        return f"Question({self.cases!r})"


@st.composite
def questions(draw: st.DrawFn) -> Question:
    rows = draw(rows_of_text)
    original = [written(row) for row in rows]
    compared = draw(st.sampled_from([COMPARED, ("a", "b"), ("a",), ("a", "c", "ill")]))
    sensitive = draw(st.sampled_from([SENSITIVE, ("ill",), ("pay",)])) if "ill" not in compared else ("pay",)
    names = (*compared, *sensitive)
    assume(any(row[name] is not None for row in original for name in compared))
    assume(any(row[name] is not None for row in original for name in sensitive))
    shown, withheld = draw(publications(original, names))
    assume(any(value is not None for row in shown for value in row.values()))
    own = draw(st.booleans())
    lists = [] if own else draw(st.lists(lines_of_text, min_size=1, max_size=2))
    directories = [directory_of(lines) for lines in lists]
    planned, plans = draw(plans_on(directories, lists)), []
    if draw(st.booleans()):
        plans = [PlannedForms(people=people, columns=COMPARED, levels=levels) for people, levels in planned]
    else:
        planned = [(people, np.zeros_like(levels)) for people, levels in planned]
    held = {name: {value for row in original if (value := row[name]) is not None} for name in sensitive}
    wanted, classes = draw(wished(held))
    close = draw(st.none() | st.sampled_from([0, 1, "10 %", "1000 %"]))
    within = {} if close is None or "pay" not in sensitive else {"pay": Close(close)}
    release = ga.Release(
        ga.Table.from_rows(
            [{name: row[name] or "" for name in names} for row in original], sensitive=sensitive
        ),
        withheld,
        stated=ga.Withheld(),
        hierarchies={name: labels for name, labels in HIERARCHIES.items() if name in names},
        gaps=draw(st.sampled_from(["apart", "agree"])),
        plans=plans,
        sensitive_values=wanted,
        sensitive_classes=classes,
    )
    attacker = ga.KnowsDirectory(
        people=directories or None,
        columns=compared,
        knows_method=draw(st.booleans()),
        judges=draw(st.sampled_from(["any", "true"])) if own else "any",
        at_most=draw(st.sampled_from([None, None, 1, 2, 4])),
        within=within,
    )
    if own and attacker.at_most is None and draw(st.booleans()):
        release = replace(release, earlier_plans=FailOften(columns=compared))
    targets = {
        (name, called): values
        for name in sensitive
        for called, values in named_targets(held[name], wanted, classes.get(name, {}), name).items()
    }
    case = Case(
        rows=original,
        shown=shown,
        columns=compared,
        targets={
            name: [values for (of, _), values in targets.items() if of == name]
            for name in sensitive
            if name in within or not held[name] or any(of == name for of, _ in targets)
        },
        within={name: (one.part, one.amount) for name, one in within.items()},
        covers=covers,
        knows_method=attacker.knows_method,
        gaps=release.gaps,
        judges=attacker.judges,
        at_most=attacker.at_most,
        earlier_plans_fail=release.earlier_plans_fail,
    )
    listed = [
        replace(case, entries=listed_in(lines), planned=plan_of(dealt(lines, levels), compared))
        for lines, (_, levels) in zip(lists, planned, strict=True)
    ]
    return Question(release, attacker, listed or [case], targets)


@dataclass(frozen=True)
class FailOften:
    """Plans that were tried first."""

    columns: tuple[str, ...]

    def fail_in(self, _: ga.Release) -> Fraction:
        return Fraction(3, 4)


@st.composite
def publications(
    draw: st.DrawFn, original: Sequence[oracle.Row], names: Sequence[str]
) -> tuple[list[oracle.Row], ga.Withheld]:
    """Blanks anywhere, and coarser labels."""
    places = st.tuples(st.integers(0, len(original) - 1), st.sampled_from(names))
    hidden = draw(st.sets(places, max_size=10))
    coarse = {
        (row, name): level
        for (row, name), level in draw(st.dictionaries(places, st.integers(1, 2), max_size=4)).items()
        if name in HIERARCHIES and original[row][name] is not None and (row, name) not in hidden
    }
    shown = [
        {
            name: None if (at, name) in hidden else at_level(row[name], name, coarse.get((at, name), 0))
            for name in names
        }
        for at, row in enumerate(original)
    ]
    withheld = ga.Withheld(
        cells=[(row + 1, name) for row, name in hidden],
        levels=[(row + 1, name, level) for (row, name), level in coarse.items()],
    )
    return shown, withheld


@st.composite
def plans_on(
    draw: st.DrawFn, directories: Sequence[People], lists: Sequence[Sequence[tuple[str, ...]]]
) -> list[tuple[People, np.ndarray]]:
    """A level of each column for each entry of each directory."""
    found = []
    for people, lines in zip(directories, lists, strict=True):
        entries = len({line[1:] for line in lines})
        drawn = draw(st.lists(st.tuples(*[st.integers(-1, 1)] * 3), min_size=entries, max_size=entries))
        levels = np.array(drawn, np.int8)
        levels[:, 2] = np.minimum(levels[:, 2], 0)
        found.append((people, levels))
    return found


def dealt(lines: Sequence[tuple[str, ...]], levels: np.ndarray) -> dict[tuple[str, ...], list[int]]:
    return dict(zip(dict.fromkeys(line[1:] for line in lines), levels.tolist(), strict=True))


@st.composite
def wished(
    draw: st.DrawFn, held: Mapping[str, set[str]]
) -> tuple[Any, dict[str, dict[str, tuple[str, ...]]]]:
    """Which values are sensitive, and which hurt together; all of them occur."""
    every = sorted(value for values in held.values() for value in values)
    wanted = draw(
        st.none() | st.just(()) | (st.sets(st.sampled_from(every), max_size=2) if every else st.just(()))
    )
    classes = {
        name: {"bad": draw(st.sets(st.sampled_from(sorted(values)), min_size=1))}
        for name, values in held.items()
        if values and draw(st.booleans())
    }
    return None if wanted is None else tuple(wanted), {
        name: {called: tuple(values) for called, values in some.items()} for name, some in classes.items()
    }


def named_targets(
    values: set[str], wanted: Any, classes: Mapping[str, Sequence[str]], column: str
) -> dict[str, set[str]]:
    """Return the targets of a column by name."""
    named = {called: {*some} for called, some in classes.items()}
    every = oracle.targets_of(values, wanted, classes, HIERARCHIES.get(column))
    single = oracle.targets_of(values, wanted) if wanted or not classes or wanted is None else []
    labels = [one for one in every if len(one) > 1 and one not in named.values()]
    return {**{value: {value} for (value,) in single}, **named, **dict(zip(["uv"], labels, strict=False))}


# Compared with the definitions -----------------------------------------------------------------------------------


def of_target(case: Case, column: str, values: set[str]) -> Case:
    return replace(case, targets={column: [values]}, within={}, judges="any")


def reached(case: Case, entry: oracle.Row) -> list[int]:
    """Return for each set of columns that may be known how many rows may be somebody's."""
    return [
        len({at for _, rows in oracle.in_reach(case, entry, chosen) for at in rows})
        for chosen in oracle.sets_of_columns(case)
    ]


@sized(700)
@given(
    question=questions(),
    which=st.integers(0, 20),
    near=st.sampled_from([Fraction(0), Fraction(1, 10**9)]),
    many=st.integers(0, 6),
    identity=st.sampled_from([None, None, "1/2"]),
)
def test_what_is_told_is_measured_by_the_definition(
    question: Question, which: int, near: Fraction, many: int, identity: str | None
) -> None:
    """Limits lie at a chance or just below it, and what is tolerated is a whole number of people."""
    every = [case.chances for case in question.cases]
    limits = sorted({Fraction(1, 2), *(one for chances in every for one in chances.values() if one)})
    limit = min(limits[which % len(limits)] - near, 1 - Fraction(1, 10**9))
    people = len(every[0])
    tolerance = ga.Tolerance(
        attribute=limit, identity=identity, share=Fraction(min(many, people - 1), people)
    )

    found = ga.assess(question.release, question.attacker, tolerance)

    risk = found.findings[0].risk
    shares = [
        Fraction(oracle.people_over(case, limit), len(of))
        for case, of in zip(question.cases, every, strict=True)
    ]
    worst = shares.index(max(shares))
    case, chances = question.cases[worst], every[worst]
    if identity is None:
        assert risk.share == max(shares)
    assert risk.figures["worst_attribute"] == max(one for of in every for one in of.values())
    level = next(one for one in risk.levels if one.kind == "attribute")
    assert (level.worst, level.limit) == (risk.figures["worst_attribute"], limit)
    if not any(oracle.published(one) for one in question.cases):
        return
    figures = {
        "people": len(chances),
        "exposed_people": sum(one > limit for one in chances.values()),
        "people_certain": sum(one >= 1 for one in chances.values()),
        "true_above": None
        if case.entries is not None
        else oracle.people_over(replace(case, judges="true, seen or not"), limit),
        "people_without_row": max(
            (oracle.people_without_row(case, name) for name in oracle.published(case)), default=0
        ),
        "blank_sensitive": sum(row[name] is None for row in case.shown for name in case.targets),
    }
    assert {name: risk.figures[name] for name in figures} == figures
    told = [one for one in risk.exposures if one.kind == "attribute"]
    largest: dict[Hashable, Fraction] = {}
    for one in told:
        who = one.target if case.entries is not None else one.target - 1
        largest[who] = max(largest.get(who, Fraction(0)), one.chance)
    assert largest == chances
    rows = [many for _, entry in case.listed for many in reached(case, entry) if many]
    assert rows if risk.figures["min_rows"] else not rows
    if case.knows_method is False or case.entries is None:
        assert risk.figures["min_rows"] == min(rows, default=0)
    for line in risk.figures["targets"]:
        one = of_target(case, line["column"], question.targets[line["column"], line["target"]])
        expected = one.chances.values()
        assert (line["worst"], line["exposed"]) == (max(expected), sum(part > limit for part in expected))
    promise = Promise(attack="directory", attacker=vars(question.attacker), tolerance=tolerance)
    table = question.release.original
    assert isinstance(table, ga.Table)
    shown = shown_of(question.release, table)
    kept = judge.keeps(ReadBack(form="rows", content=shown, release=question.release, codes=None), promise)
    assert kept if found.verdict == "safe" else not kept or risk.doubt
    if case.entries is None:
        for one in told:
            # Where some columns are known, values are judged by "any" for some sets of them and by "true" for others.
            one_way = case.judges == "any" or case.at_most is None
            if one.value is not None and not case.within and one_way:
                column = next(name for name, called in question.targets if called == one.value)
                chance = of_target(case, column, question.targets[column, one.value]).chances
                assert len(case.targets) > 1 or chance[one.target - 1] == one.chance


# By hand ---------------------------------------------------------------------------------------------------------


def test_values_that_the_other_side_does_not_have_agree_with_nobody() -> None:
    """No record has the b of q, and q has the b of no record: that they have nothing in common is no agreement."""
    rows = [{"a": a, "b": b, "s": s} for a, b, s in ("xxu", "xxu", "xyv", "yxu")]
    people = ga.Table.from_rows([{"id": "p", "a": "x", "b": "y"}, {"id": "q", "a": "y", "b": "y"}], id="id")
    attacker = ga.KnowsDirectory(people=people, columns=["a", "b"], knows_method=False)
    release = ga.Release(ga.Table.from_rows(rows, sensitive="s"))

    risk = ga.assess(release, attacker, ga.Tolerance(attribute="4/5")).findings[0].risk

    assert {one.target: one.chance for one in risk.exposures} == {"p": 1, "q": Fraction(3, 4)}


def test_a_column_that_shows_coarser_labels_alone_tells_these() -> None:
    rows = [{"a": a, "s": s} for a, s in ("xu", "xv", "yw", "yu")]
    table = ga.Table.from_rows(rows, sensitive="s")
    levels = ga.Withheld(levels=[(row, "s", 1) for row in range(1, 5)])
    ill = {"u": ("uv",), "v": ("uv",), "w": ("w",)}
    release = ga.Release(table, levels, hierarchies={"s": ill})

    found = ga.assess(release, ga.KnowsDirectory(columns=["a"]), ga.Tolerance(attribute="3/4"))

    assert found.verdict == "at risk"
    assert found.findings[0].risk.figures["worst_attribute"] == 1


def test_a_close_guess_may_lie_where_the_own_value_begins() -> None:
    """Of 10 and 12 a guess of 11 is right for both; whose 12 is hidden is guessed as well by what is shown."""
    rows = [{"a": "x", "pay": pay} for pay in ("10", "10", "12")]
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive="pay"), ga.Withheld(cells=[(3, "pay")]), stated=ga.Withheld()
    )
    attacker = ga.KnowsDirectory(columns=["a"], judges="true", within={"pay": 1})

    risk = ga.assess(release, attacker, ga.Tolerance(attribute="9/10")).findings[0].risk

    assert [one.chance for one in risk.exposures] == [1, 1, 1]


def test_plans_that_failed_make_every_value_likelier() -> None:
    """Three in four fail: where one of two rows has u, it is told with 1/2 : 3/4, in the verdict and of each target."""
    rows = [{"a": a, "s": s} for a, s in ("xu", "xv", "xu", "xw")]
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive="s"), stated=ga.Withheld(), earlier_plans=FailOften(columns=("a",))
    )
    attacker = ga.KnowsDirectory(columns=["a"])
    found = ga.assess(release, attacker, ga.Tolerance(attribute="3/5"))

    figures = found.findings[0].risk.figures
    assert found.verdict == "at risk"
    assert figures["worst_attribute"] == Fraction(2, 3)
    targets = {line["target"]: (line["worst"], line["exposed"]) for line in figures["targets"]}
    assert targets == {"u": (Fraction(2, 3), 4), "v": (Fraction(1, 3), 0), "w": (Fraction(1, 3), 0)}
    verdicts = [
        ga.assess(release, attacker, ga.Tolerance(identity=limit)).verdict for limit in ("1/4", "1/3")
    ]
    assert verdicts == ["at risk", "safe"]


def test_what_failures_tell_whoever_knows_other_columns_is_not_known() -> None:
    release = ga.Release(
        ga.Table.from_rows([{"a": "x", "b": "y"}] * 4, sensitive="b"),
        stated=ga.Withheld(),
        earlier_plans=FailOften(columns=("a", "b")),
    )
    both, one = ga.KnowsDirectory(columns=["a", "b"]), ga.KnowsDirectory(columns=["a"])
    assert [ask(release, who).earlier_plans_fail for who in (both, one)] == [Fraction(3, 4), 0]
    assert ga.assess(release, one, ga.Tolerance(identity="1/2")).verdict == "cannot judge"


def test_what_is_not_true_is_judged_too_where_the_rows_of_equal_people_look_different() -> None:
    """Of x, whose row may be any of the first three, w is believed with 2/3; of y, u with 5/9 and w with 4/9."""
    rows = [{"a": a, "b": "z", "s": s} for a, s in ("xu", "yw", "yw", "yu")]
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive="s"),
        ga.Withheld(cells=[(1, "a"), (2, "a"), (3, "a"), (4, "a"), (4, "b")]),
        stated=ga.Withheld(),
    )
    attacker = ga.KnowsDirectory(columns=["a", "b"], judges="true")

    found = ga.assess(release, attacker, ga.Tolerance(attribute="3/5"))

    assert (found.verdict, found.findings[0].risk.figures["worst_attribute"]) == ("at risk", Fraction(2, 3))


def test_a_value_at_the_limit_is_within_it() -> None:
    rows = [{"a": "x", "s": s} for s in "uuv"]
    risk = (
        ga.assess(
            ga.Release(ga.Table.from_rows(rows, sensitive="s")),
            ga.KnowsDirectory(columns=["a"]),
            ga.Tolerance(attribute="2/3"),
        )
        .findings[0]
        .risk
    )

    assert (risk.share, risk.figures["targets"][0]["exposed"]) == (0, 0)
