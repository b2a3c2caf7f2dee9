"""Small tables and directories, as the product and as the oracle see them."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from tests.attacks.directory.oracle import Record, World

import giveaway as ga
from giveaway.attacks.directory.measure import measure
from giveaway.model.answer.verdict import judge
from giveaway.model.data.people import People

NAMES = ("c0", "c1", "c2", "c3")
WEIGHTS = [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(3), math.inf]
FORMS = ("constant", "columns", "records", "both", "cells", "pairs", "multiplicative")


def table(records: Sequence[Record], columns: Sequence[str]) -> ga.Table:
    rows = [
        {"who": f"r{place}"} | {name: record[name] for name in columns}
        for place, record in enumerate(records)
    ]
    return ga.Table.from_rows(rows, id="who")


def people(lines: Sequence[tuple[str, Record]], columns: Sequence[str], name: str = "register.csv") -> People:
    rows = [{"who": person} | {column: entry.get(column) for column in columns} for person, entry in lines]
    return replace(People.from_table(ga.Table.from_rows(rows, id="who"), columns), name=name)


def is_safe(release: ga.Release, attacker: ga.KnowsDirectory, tolerance: ga.Tolerance) -> bool:
    """Tell whether a release is safe, even where the limits allow everything and `assess` refuses to judge."""
    return judge(measure(release, attacker, tolerance, None, ga.Effort()), tolerance)[0] is True


def release(world: World, sensitivity: ga.Sensitivity, **more: Any) -> ga.Release:
    return ga.Release(
        table(world.records, tuple(world.records[0])), sensitivity=sensitivity, gaps=world.gaps, **more
    )


def attacker(world: World, *, own: bool) -> ga.KnowsDirectory:
    if own:
        return ga.KnowsDirectory(knows_method=False, on=world.compared)
    held = [people(lines, world.compared, f"d{place}") for place, lines in enumerate(world.directories)]
    return ga.KnowsDirectory(knows_method=False, people=held, on=world.compared, prior=world.prior)


@st.composite
def worlds(
    draw: st.DrawFn,
    *,
    most: int = 4,
    own: bool | None = None,
    several: bool = False,
    infinite: bool = True,
    unlooked: bool = True,
) -> tuple[World, ga.Sensitivity, bool]:
    """A world, its sensitivity, and whether the table is its own directory; `several` directories have no prior."""
    width = draw(st.integers(1, 3))
    names = NAMES[:width]
    letters = st.sampled_from(["a", "b", None])
    entry = st.fixed_dictionaries(dict.fromkeys(names, letters))
    records = draw(st.lists(entry, min_size=1, max_size=most))
    form = draw(st.sampled_from(FORMS))
    by_itself = draw(st.booleans()) if own is None else own
    number = 2 if several else 1 if by_itself else draw(st.integers(1, 2))
    compared = names[: draw(st.integers(1, width))] if unlooked and form != "constant" else names
    # Of a release without a value to look up nothing is judged.
    assume(any(record[name] is not None for record in records for name in compared))
    lines = [
        [(f"r{place}", record) for place, record in enumerate(records)]
        if by_itself
        else draw(st.lists(st.tuples(st.sampled_from(["r0", "r1", "x", "y"]), entry), min_size=1, max_size=5))
        for _ in range(number)
    ]
    prior: tuple[Fraction, ...] = ()
    if number == 2 and not several and draw(st.booleans()):
        prior = draw(st.sampled_from([(Fraction(1, 3), Fraction(2, 3)), (Fraction(0), Fraction(1))]))
    weight = st.sampled_from(WEIGHTS if infinite else WEIGHTS[:-1])
    sensitivity, weights, pairs = draw(weighed(form, len(records), names, compared, weight))
    wrong = draw(st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 4), Fraction(1)]))
    shown = tuple(
        name
        for name in names
        if name in compared
        or any(line.get(name) for line in weights)
        or any(name in pair and value for line in pairs for pair, value in line.items())
        or (form == "records")
    )
    world = World(
        records=records,
        columns=shown,
        compared=compared,
        directories=lines,
        form="constant" if sensitivity.is_constant else sensitivity.form,
        weights=weights,
        pairs=pairs,
        prior=prior,
        wrong=wrong,
        gaps=draw(st.sampled_from(["apart", "agree"])),
    )
    return world, replace(sensitivity, wrong=wrong), by_itself


@st.composite
def weighed(  # noqa: PLR0911 # one for each kind
    draw: st.DrawFn, form: str, records: int, names: Sequence[str], compared: Sequence[str], weight: Any
) -> tuple[ga.Sensitivity, list[dict[str, Any]], list[dict[tuple[str, ...], Any]]]:
    """A sensitivity of a kind, and the weights of each record that it means."""
    ids = [f"r{place}" for place in range(records)]
    nothing: list[dict[tuple[str, ...], Any]] = [{} for _ in ids]
    if form == "constant":
        return ga.Sensitivity(), [{} for _ in ids], nothing
    columns = {name: draw(weight) for name in names}
    whole = {record: draw(weight) for record in ids}
    if form == "columns":
        return ga.Sensitivity(columns=columns), [columns for _ in ids], nothing
    if form == "records":
        return ga.Sensitivity(records=whole), [dict.fromkeys(names, whole[record]) for record in ids], nothing
    if form == "both":
        product = [
            {name: 0 if not whole[r] or not columns[name] else whole[r] * columns[name] for name in names}
            for r in ids
        ]
        return ga.Sensitivity(columns=columns, records=whole), product, nothing
    cells = {record: {name: draw(weight) for name in names} for record in ids}
    lines = [cells[record] for record in ids]
    if form == "multiplicative":
        return ga.Sensitivity(cells=cells, form="multiplicative"), lines, nothing
    if form == "pairs" and len(names) > 1:
        many = st.integers(2, len(names))
        both = {record: {tuple(names[: draw(many)]): draw(weight)} for record in ids}
        return ga.Sensitivity(cells=cells, pairs=both), lines, [both[record] for record in ids]
    return ga.Sensitivity(cells=cells), lines, nothing
