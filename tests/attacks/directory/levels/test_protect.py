"""One level for each column through `protect` and the written file, against all nodes and in all worlds."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import crowds as worlds
from tests.oracles.levels import Ladder, all_nodes
from tests.sizes import first, sized

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protecting.levels import LevelPlanner
from giveaway.attacks.directory.question import ask
from giveaway.model.question.effort import Effort

Row = tuple[str | None, ...]

NAMES = ("age", "place", "sex")
AGES = {"21": ["20s", "young"], "25": ["20s", "young"], "33": ["30s", "young"], "60": ["60s", "old"]}
PLACES = {"Rome": ["Italy"], "Pisa": ["Italy"], "Bonn": ["Germany"]}
HIERARCHIES = {"age": AGES, "place": PLACES}
DOMAINS = (tuple(AGES), tuple(PLACES), ("f", "m"))


def ladder(domain: Sequence[str], above: dict[str, list[str]], depth: int) -> Ladder:
    """Return the label of each value at each level, a missing one staying missing below the last."""
    levels: list[dict[Any, Any]] = [
        {value: [value, *above.get(value, ())][level] for value in domain} | {None: None}
        for level in range(depth + 1)
    ]
    return [*levels, dict.fromkeys([*domain, None], "*")]


LADDERS = (ladder(DOMAINS[0], AGES, 2), ladder(DOMAINS[1], PLACES, 1), ladder(DOMAINS[2], {}, 0))

row = st.tuples(*(st.sampled_from(domain) for domain in DOMAINS))
row_with_gaps = st.tuples(*(st.sampled_from([*domain, None]) for domain in DOMAINS))


def table(rows: Sequence[Row], **how: Any) -> ga.Table:
    return ga.Table.from_rows([dict(zip(NAMES, one, strict=True)) for one in rows], **how)


def directory(listed: Sequence[Row]) -> ga.Table:
    made = [dict(zip(NAMES, one, strict=True)) | {"who": f"p{at}"} for at, one in enumerate(listed)]
    return ga.Table.from_rows(made, id="who")


def release_of(rows: Sequence[Row], **how: Any) -> ga.Release:
    return ga.Release(table(rows), hierarchies=HIERARCHIES, **how)


def in_levels(
    rows: Sequence[Row], crowd: int, people: Sequence[Row] | None = None, **options: Any
) -> ga.Assessment:
    attacker = ga.KnowsDirectory(
        columns=NAMES,
        people=None if people is None else directory(people),
        knows_method=options.pop("knows_method", True),
    )
    limit = ga.Tolerance(identity=Fraction(1, crowd))
    return ga.protect(release_of(rows), attacker, limit, directory={"method": "levels", **options})


def forms(found: ga.Assessment, rows: Sequence[Row]) -> list[Row]:
    """Return what each row shows."""
    hidden = set(found.release.hidden)
    levels = {(at, name): level for at, name, level in found.release.coarser}

    def shown(at: int, name: str, value: str | None) -> str | None:
        level = levels.get((at, name), 0)
        if (at, name) in hidden or value is None:
            return None
        return value if level == 0 else HIERARCHIES[name][value][level - 1]

    return [
        tuple(shown(at, name, value) for name, value in zip(NAMES, one, strict=True))
        for at, one in enumerate(rows, start=1)
    ]


def written(found: ga.Assessment) -> list[Row]:
    """Publish, which lets the checker judge the files, and read the rows back."""
    with TemporaryDirectory() as folder:
        found.publish(Path(folder) / "out")
        lines = (Path(folder) / "out" / "release.jsonl").read_text().splitlines()
    return [tuple(json.loads(line).get(name) for name in NAMES) for line in lines]


@sized(150)
@given(
    st.lists(row_with_gaps, min_size=3, max_size=9),
    st.integers(2, 3),
    st.sampled_from(["0", "1/4", "1/2", "1"]),
    st.sampled_from(["labels", "cells", "precision"]),
    st.sampled_from([{}, {"age": 3, "sex": "1/2"}]),
)
def test_the_levels_are_the_best_of_all_and_every_form_has_its_crowd(
    rows: list[Row], crowd: int, suppress: str, loss: Any, importance: dict[str, Any]
) -> None:
    options = {"suppress": suppress, "loss": loss, "importance": importance}
    try:
        found = in_levels(rows, crowd, **options)
    except ga.NoSafeRelease:
        assert _all_blank(rows, crowd, options)
        return
    except ga.ScenarioError:
        assert not any(map(any, rows))
        return
    shown = forms(found, rows)
    assert Counter(written(found)) == Counter(shown)
    assert min(Counter(shown).values()) >= crowd
    protection = found.findings[0].protection
    if protection is None:  # it was safe as it is
        return
    best = _best(rows, crowd, options)
    assert tuple(protection.figures["nodes"][0].values()) == best.node
    assert protection.figures["suppressed"] == len(best.suppressed)
    assert protection.figures["loss"] == protection.figures["loss_bound"] == float(best.loss)
    assert protection.figures["gap"] == 0
    assert "It is proved that no other choice" in protection.detail or not found.withheld


def _best(rows: list[Row], crowd: int, options: dict[str, Any]) -> Any:
    weights = [Fraction(options["importance"].get(name, 1)) for name in NAMES]
    return all_nodes(
        LADDERS,
        rows,
        crowd,
        Fraction(options["suppress"]),
        loss=options["loss"],
        importance=weights,
        fills=True,
    )[0]


def _all_blank(rows: list[Row], crowd: int, options: dict[str, Any]) -> bool:
    """Tell whether the best levels publish nothing at all, which is not a release."""
    best = _best(rows, crowd, options)
    return all(
        at in best.suppressed or value is None or level == len(steps) - 1
        for at, one in enumerate(rows)
        for value, level, steps in zip(one, best.node, LADDERS, strict=True)
    )


@sized(80)
@given(st.lists(row_with_gaps, min_size=4, max_size=9), st.booleans(), st.randoms(use_true_random=False))
def test_whoever_makes_the_release_again_gets_the_same(rows: list[Row], again: bool, random: Any) -> None:
    order = random.sample(range(len(rows)), len(rows))
    seen: list[Any] = []
    for places in (range(len(rows)), order):
        some = [rows[at] for at in places]
        try:
            shown = forms(in_levels(some, 2, suppress="1/2", again=again), some)
        except (ga.NoSafeRelease, ga.ScenarioError) as error:
            seen.append(type(error))
        else:
            assert min(Counter(shown).values()) >= 2
            seen.append(dict(zip(some, shown, strict=True)))
    assert seen[0] == seen[1]


REFUSED: Row = ("refused",)


@cache
def _planned(people: tuple[Row, ...], crowd: int, suppress: str, again: bool) -> dict[Row, list[Row]]:
    """Return what the members of each profile show; who sees nothing knows that a release was refused."""
    try:
        shown = forms(in_levels(people, crowd, suppress=suppress, again=again), people)
    except ga.NoSafeRelease:
        shown = [REFUSED] * len(people)
    carried: dict[Row, list[Row]] = {}
    for one, form in zip(people, shown, strict=True):
        carried.setdefault(one, []).append(form)
    return carried


FEW = [(age, place, "f") for age, place in product(["21", "25", "60"], ["Rome", "Bonn"])]


@pytest.mark.parametrize(
    ("people", "crowd", "suppress", "again"),
    first(
        2,
        [
            (4, 2, "0", False),
            (4, 2, "1/2", False),
            (5, 2, "3/5", False),
            (5, 2, "3/5", True),
            (5, 3, "3/5", False),
        ],
    ),
)
@pytest.mark.parametrize("known", [0, 2])
def test_no_chance_is_above_the_limit_in_all_worlds(
    people: int, crowd: int, suppress: str, again: bool, known: int
) -> None:
    """Somebody knows the rule and the values of the first people; all values of the others are equally likely."""
    sure = [FEW[0], FEW[3]][:known]
    every = [(Fraction(1), (*sure, *rest)) for rest in product(FEW, repeat=people - known)]
    chances = worlds.informed_chances(every, lambda row: _planned(tuple(sorted(row)), crowd, suppress, again))
    assert any(any(None in form for form, _ in seen) for seen in chances)
    assert max(max(each.values()) for each in chances.values()) <= Fraction(1, crowd)


@sized(40)
@given(st.lists(row, min_size=3, max_size=6), st.sampled_from(["0", "1/2"]), st.integers(1, 3))
def test_in_another_directory_no_chance_is_above_the_limit_whoever_has_a_record(
    listed: list[Row], suppress: str, records: int
) -> None:
    """All sets of people may have the records; the levels must not depend on which it is."""
    total: Counter[Any] = Counter()
    parts: dict[Any, Counter[tuple[int, Row]]] = {}
    for who in combinations(range(len(listed)), min(records, len(listed))):
        rows = [listed[at] for at in who]
        try:
            shown = forms(in_levels(rows, 2, listed, suppress=suppress), rows)
        except ga.NoSafeRelease:
            continue
        crowds = Counter(shown)
        seen = frozenset(crowds.items())
        total[seen] += 1
        for person, form in zip(who, shown, strict=True):
            parts.setdefault(seen, Counter())[person, form] += Fraction(1, crowds[form])  # type: ignore[assignment]
    for seen, each in parts.items():
        assert max(each.values()) / Fraction(total[seen]) <= Fraction(1, 2)


@sized(100)
@given(
    st.lists(row_with_gaps, min_size=1, max_size=6),
    st.lists(row_with_gaps, min_size=3, max_size=9),
    st.sampled_from(["0", "1/3", "1"]),
    st.booleans(),
)
def test_records_follow_the_plan_of_the_directory(
    rows: list[Row], listed: list[Row], suppress: str, again: bool
) -> None:
    try:
        found = in_levels(rows, 2, listed, suppress=suppress, again=again)
    except (ga.NoSafeRelease, ga.ScenarioError):
        return
    (plan,) = found.release.plans
    people = plan.people
    levels: dict[Row, list[int]] = {}
    for entry in range(len(people.alone)):
        codes = [int(people.columns[name][entry]) for name in NAMES]
        own = tuple(
            None if code < 0 else str(people.labels[name][code])
            for name, code in zip(NAMES, codes, strict=True)
        )
        levels[own] = plan.levels[entry].tolist()
    would: list[Row] = [
        tuple(
            None if level < 0 or value is None else [value, *HIERARCHIES.get(name, {}).get(value, ())][level]
            for name, value, level in zip(NAMES, one, levels[one], strict=True)
        )
        for one in listed
    ]
    shown = forms(found, rows)
    assert Counter(written(found)) == Counter(shown)
    assert min(Counter(would).values()) >= 2
    for one, form in zip(rows, shown, strict=True):
        if one in levels:
            assert form == would[listed.index(one)]
        enough = sum(
            all(value is None or a == b for value, a, b in zip(one, form, other, strict=True))
            for other in would
        )
        assert enough >= 2 or form == (None,) * 3
    nothing = sum(form == (None,) * 3 and any(one) for one, form in zip(rows, shown, strict=True))
    assert found.findings[0].protection.figures["suppressed"] <= nothing


def test_suppressed_rows_are_filled_up_to_a_crowd() -> None:
    """One person alone would be known by showing nothing: the block that loses least shows nothing too."""
    rows: list[Row] = [("21", "Rome", "f")] * 3 + [("25", "Pisa", "m")] * 2 + [("60", "Bonn", "m")]
    found = in_levels(rows, 2, suppress="1/2", importance={"age": 9, "place": 9, "sex": 9})
    shown = Counter(written(found))
    assert shown[None, None, None] == 3
    assert shown["21", "Rome", "f"] == 3
    figures = found.findings[0].protection.figures
    assert (figures["nodes"], figures["suppressed"]) == ([{"age": 0, "place": 0, "sex": 0}], 3)
    assert figures["loss"] == 0.5
    unaware = in_levels(rows, 2, suppress="1/2", knows_method=False)
    assert unaware.findings[0].protection.figures["suppressed"] == 1


def test_the_choice_in_words_in_the_ledger_and_in_the_figures() -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("25", "Rome", "m"), ("60", "Bonn", "f"), ("60", "Bonn", "m")]
    found = in_levels(rows, 2)
    protection = found.findings[0].protection
    assert protection.detail == (
        "Records show place as it is, age at level 1 and nothing of sex. The levels were chosen by how many records have "
        "which values, and nothing else. It is proved that no other choice of one level for each column loses less."
    )
    assert [line.why for line in protection.ledger] == ["levels"] * 2
    assert not protection.drawn
    assert {
        "lent",
        "price_of_secrecy",
        "lower_bound",
        "loss_bound",
        "nodes_counted",
    } <= protection.figures.keys()
    assert found.to_dict()["findings"][0]["figures"]["nodes"] == [{"age": 1, "place": 0, "sex": 1}]


def test_an_average_asks_for_larger_crowds() -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("25", "Pisa", "f")] * 3
    attacker, options = ga.KnowsDirectory(columns=NAMES), {"method": "levels"}
    found = ga.protect(release_of(rows), attacker, ga.Tolerance(average="1/5"), directory=options)
    assert set(forms(found, rows)) == {("20s", "Italy", "f")}


def test_entries_that_are_withheld_already_are_blank_in_the_profile() -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("21", "Rome", "m"), ("60", "Bonn", "f"), ("60", "Bonn", "f")]
    release = release_of(rows, withheld=ga.Withheld(cells=[(1, "sex"), (2, "sex")]))
    attacker, limit = ga.KnowsDirectory(columns=NAMES), ga.Tolerance(identity="1/2")
    question = ask(release, attacker)
    options = DirectoryOptions(method="levels")
    planner = LevelPlanner(question=question, tolerance=limit, need=None, effort=Effort(), options=options)
    assert planner.planned_at(2).levels.nodes == ((0, 0, 0),)
    assert planner.planned_at(3).levels.nodes == ((3, 2, 1),)


@pytest.mark.parametrize(
    ("how", "need"),
    [
        ({"must_publish": [(1, "age")]}, None),
        ({}, ga.NeedsColumns(always=["age"])),
        ({}, ga.NeedsColumns(per_record=3)),
        ({}, ga.NeedsColumns(total=12)),
    ],
)
@pytest.mark.parametrize("outside", [False, True])
def test_marks_and_needs_that_levels_break_are_refused(how: Any, need: Any, outside: bool) -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("25", "Rome", "m"), ("60", "Bonn", "f"), ("60", "Bonn", "f")]
    attacker = ga.KnowsDirectory(columns=NAMES, people=directory(rows) if outside else None)
    with pytest.raises(ga.NoSafeRelease, match=r"age|values"):
        ga.protect(
            release_of(rows, **how),
            attacker,
            ga.Tolerance(identity="1/2"),
            need=need,
            directory={"method": "levels"},
        )


def test_columns_that_a_directory_does_not_have_are_shown_as_they_are() -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("25", "Pisa", "m")]
    listed = [{"who": f"p{at}", "age": age} for at, age in enumerate(["21", "25", "60", "60"])]
    attacker = ga.KnowsDirectory(columns=NAMES, people=ga.Table.from_rows(listed, id="who"))
    limit = ga.Tolerance(identity="1/2")
    found = ga.protect(release_of(rows), attacker, limit, directory={"method": "levels"})
    assert sorted(written(found), key=str) == [("20s", "Pisa", "m"), ("20s", "Rome", "f")]


def test_somebody_with_several_entries_is_not_a_crowd() -> None:
    """Two entries of one person in a block are one person: the levels must let twice as many entries look alike."""
    listed = [
        ("p1", "21"),
        ("p1", "25"),
        ("p2", "33"),
        ("p3", "60"),
        ("p4", "60"),
        ("p5", "60"),
        ("p6", "60"),
    ]
    people = ga.Table.from_rows([{"who": who, "age": age} for who, age in listed], id="who")
    release = ga.Release(ga.Table.from_rows([{"age": "21"}, {"age": "60"}]), hierarchies={"age": AGES})
    for knows_method in (True, False):
        attacker = ga.KnowsDirectory(columns=["age"], people=people, id="who", knows_method=knows_method)
        with pytest.raises(ga.NoSafeRelease, match="empty"):
            ga.protect(release, attacker, ga.Tolerance(identity="1/2"), directory={"method": "levels"})


def test_more_records_than_suppress_allows_are_refused() -> None:
    listed: list[Row] = [("21", "Rome", "f")] * 8 + [("60", "Bonn", "m")] * 2
    rows: list[Row] = [("21", "Rome", "f"), ("60", "Bonn", "f"), ("60", "Pisa", "m")]
    with pytest.raises(ga.NoSafeRelease, match="2 of 3 records would show nothing"):
        in_levels(rows, 2, listed, suppress="1/5")
    assert in_levels(rows, 2, listed, suppress="4/5").verdict == "safe"


def test_several_directories_are_refused() -> None:
    rows: list[Row] = [("21", "Rome", "f")] * 2
    attacker = ga.KnowsDirectory(columns=NAMES, people=[directory(rows), directory(rows)])
    with pytest.raises(ga.ScenarioError, match="planned on one directory, and there are 2"):
        ga.protect(release_of(rows), attacker, ga.Tolerance(identity="1/2"), directory={"method": "levels"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"suppress": "1/50"}, 'suppress is an option of method = "levels"'),
        (
            {"method": "crowd", "again": True},
            'again is an option of method = "levels", and the method is "crowd"',
        ),
        ({"loss": "cells"}, "loss is an option"),
        ({"importance": {"age": 2}}, "importance is an option"),
        ({"method": "levels", "suppress": 2}, "at least 0 and at most 1"),
        ({"method": "levels", "again": 1}, "must be true or false"),
        ({"method": "levels", "loss": "entropy"}, "labels, cells, precision"),
        ({"method": "levels", "importance": {"age": 0}}, "must be above 0"),
        ({"method": "levels", "importance": {"wage": 1}}, "wage, which is not compared"),
        ({"method": "levels", "importance": ["age"]}, "numbers for columns"),
        ({"method": "level"}, "auto, crowd, levels, least, minrisk"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], said: str) -> None:
    rows: list[Row] = [("21", "Rome", "f"), ("25", "Pisa", "m")]
    with pytest.raises(ga.ScenarioError) as refused:
        ga.protect(
            release_of(rows),
            ga.KnowsDirectory(columns=NAMES),
            ga.Tolerance(identity="1/2"),
            directory=options,
        )
    assert said in str(refused.value)


SENSITIVE = [("21", "flu"), ("25", "flu"), ("33", "flu"), ("33", "cold"), ("60", "cold"), ("60", "flu")]


@pytest.mark.parametrize("knows_method", [True, False])
@pytest.mark.parametrize("sensitive", [["ill"], ["wage", "ill"]])
def test_only_somebody_who_does_not_know_the_method_lets_what_is_inside_decide(
    knows_method: bool, sensitive: list[str]
) -> None:
    rows = ga.Table.from_rows(
        [{"age": age, "wage": str(at % 2), "ill": ill} for at, (age, ill) in enumerate(SENSITIVE)],
        sensitive=sensitive,
    )
    release = ga.Release(rows, hierarchies={"age": AGES})
    planner = LevelPlanner(
        question=ask(release, ga.KnowsDirectory(columns=["age"], knows_method=knows_method)),
        tolerance=ga.Tolerance(identity="1/2", attribute="3/4"),
        need=None,
        effort=Effort(),
        options=DirectoryOptions(method="levels"),
    )
    assert planner.planned_at(2).levels.nodes == ((1,) if knows_method else (2,),)
