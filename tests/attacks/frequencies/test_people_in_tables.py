"""People among the records of a table, judged and protected: against all permutations, one by one."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.exact_chances.general import EdgeChances, _estimated
from giveaway.attacks.frequencies.people.view import see_people
from giveaway.checker.attacks.frequencies import people as checked
from giveaway.checker.attacks.frequencies.chances import Between
from giveaway.checker.judge import judge
from giveaway.checker.promise import Promise
from giveaway.errors import CheckFailed, NoSafeRelease, ScenarioError

Known = dict[str, dict[str, Any]]
Case = tuple[tuple[str, ...], list[tuple[Any, ...]], tuple[str, ...], Known]
Found = dict[tuple[str, int], Fraction]

COLUMNS = ("age", "car")
NAMES = ("ann", "bob", "cid", "dan", "eve")
ROWS = [
    ("ann", 41, "fiat"),
    ("bob", 33, "opel"),
    ("cid", 34, "fiat"),
    ("dan", 51, "opel"),
    ("eve", 61, "fiat"),
]


def table(rows: Sequence[tuple[Any, ...]]) -> ga.Table:
    """Return a table with names."""
    return ga.Table.from_rows([dict(zip(("name", *COLUMNS), row, strict=True)) for row in rows], id="name")


def fits(known: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Tell whether a record agrees with what is known."""
    for column, wanted in known.items():
        value = shown[column]
        if value is None:
            continue
        if isinstance(wanted, tuple):
            if not wanted[0] <= value <= wanted[1]:
                return False
        elif value not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True


def some(found: Found | None) -> Found:
    """Return what was found."""
    assert found is not None
    return found


def enumerated(
    shown: Sequence[Mapping[str, Any]], known: Known, people: Sequence[str], strangers: Sequence[str] = ()
) -> Found | None:
    """Return the chance of each person for each record, by trying every one-to-one mapping; None where none agrees."""
    everybody = [*people, *strangers]
    places = [*range(len(shown)), *(-1 - number for number in range(len(strangers)))]
    hits: dict[tuple[str, int], int] = {}
    total = 0
    for order in permutations(places):
        if all(
            place < 0 or fits(known.get(who, {}), shown[place])
            for who, place in zip(everybody, order, strict=True)
        ):
            total += 1
            for who, place in zip(everybody, order, strict=True):
                hits[who, place] = hits.get((who, place), 0) + 1
    return {key: Fraction(number, total) for key, number in hits.items()} if total else None


def judged(chances: Found, people: Sequence[str], *, likeliest: bool) -> dict[str, Fraction]:
    """Return the chance that counts for each person."""
    records = range(len(people))
    if likeliest:
        return {who: max(chances.get((who, place), Fraction(0)) for place in records) for who in people}
    return {who: chances.get((who, place), Fraction(0)) for place, who in enumerate(people)}


AGES = st.integers(0, 3)
CARS = st.sampled_from(["fiat", "opel"])
KNOWN = st.fixed_dictionaries(
    {},
    optional={
        "age": st.one_of(
            AGES, st.tuples(AGES, AGES).map(sorted).map(tuple), st.lists(AGES, min_size=1, max_size=2)
        ),
        "car": CARS,
    },
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw people, their records, somebody who has none, and what is known."""
    people = NAMES[: draw(st.integers(2, 5))]
    rows = [(who, draw(st.one_of(AGES, st.none())), draw(CARS)) for who in people]
    strangers = ("x",) if draw(st.booleans()) else ()
    known = {who: draw(KNOWN) for who in (*people, *strangers) if draw(st.booleans()) or who == "x"}
    if not any(known.values()):
        known = {**known, people[0]: {"car": rows[0][2]}}
    return people, rows, strangers, known


def shown_of(rows: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return what records show."""
    return [dict(zip(COLUMNS, row[1:], strict=True)) for row in rows]


def attacker(known: Known, **more: Any) -> ga.KnowsFrequencies:
    """Return somebody who knows something of people."""
    return ga.KnowsFrequencies(belief=ga.Belief.of_people(known), **more)


def planned(rows: Sequence[tuple[Any, ...]], known: Known) -> ga.Release:
    """Return a release in which columns that nobody knows are published unjudged."""
    looked_at = attacker(known).looks_at()
    return ga.Release(
        ga.Table.from_rows(
            [dict(zip(("name", *COLUMNS), row, strict=True)) for row in rows],
            id="name",
            publish_unjudged=[column for column in COLUMNS if column not in looked_at],
        )
    )


@settings(max_examples=60, deadline=None)
@given(cases(), st.booleans())
def test_chances_and_verdict_are_those_of_all_permutations(case: Case, informed: bool) -> None:
    people, rows, strangers, known = case
    expected = enumerated(shown_of(rows), known, people, strangers)
    tolerance = ga.Tolerance(identity="1/2", average="2/5")
    found = ga.assess(planned(rows, known), attacker(known, knows_method=informed), tolerance)
    if expected is None:
        assert found.verdict == "cannot judge"
        assert "compete for" in found.findings[0].reasons[0]
        return
    chances = judged(expected, people, likeliest=informed)
    risk = found.findings[0].risk
    assert {one.target: one.chance for one in risk.exposures} == chances
    assert risk.figures["expected_cracks"] == sum(chances.values())
    half, most = Fraction(1, 2), max(chances.values())
    safe = (most < half or (informed and most == half)) and sum(chances.values()) <= Fraction(2, 5) * len(
        people
    )
    assert found.verdict == ("safe" if safe else "at risk")
    assert risk.how.method == "exact"


@settings(max_examples=30, deadline=None)
@given(cases(), st.booleans(), st.sampled_from(["identity", "average"]))
def test_what_protect_returns_is_safe_by_all_permutations(
    case: Case,
    informed: bool,
    limit: str,
) -> None:
    people, rows, strangers, known = case
    if enumerated(shown_of(rows), known, people, strangers) is None:
        return
    release = planned(rows, known)
    who = attacker(known, knows_method=informed)
    tolerance = ga.Tolerance(**{limit: "1/2"})
    try:
        safer = ga.protect(release, who, tolerance)
    except NoSafeRelease:
        # Everything would have to go.
        assert len(people) == 2 or set(who.looks_at()) == set(COLUMNS)
        return
    hidden = set(safer.withheld.cells)
    shown = [
        {column: None if (place + 1, column) in hidden else value for column, value in one.items()}
        for place, one in enumerate(shown_of(rows))
    ]
    chances = judged(some(enumerated(shown, known, people, strangers)), people, likeliest=informed)
    if limit == "identity":
        most = max(chances.values())
        assert most <= Fraction(1, 2) if informed else most < Fraction(1, 2)
    else:
        assert sum(chances.values()) <= Fraction(1, 2) * len(people)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_the_checker_comes_to_the_same_chances(case: Case) -> None:
    people, rows, strangers, known = case
    expected = enumerated(shown_of(rows), known, people, strangers)
    if expected is None:
        return
    everybody, shown = (*people, *strangers), shown_of(rows)
    kinds = [known.get(who, {}) for who in everybody]
    distinct = [kind for place, kind in enumerate(kinds) if kind not in kinds[:place]]
    matching = checked._Matching(
        people=[kinds.count(kind) for kind in distinct],
        rows=[1] * len(everybody),
        may_be=[
            frozenset(
                place for place in range(len(everybody)) if place >= len(people) or fits(kind, shown[place])
            )
            for kind in distinct
        ],
        real=[True] * len(people) + [False] * len(strangers),
    )
    found = checked._solved(matching)
    for number, who in enumerate(people):
        edges = found[distinct.index(kinds[number])]
        for place in range(len(people)):
            wanted = Between.exactly(expected.get((who, place), Fraction(0)))
            assert edges.get(place, Between.exactly(Fraction(0))) == wanted


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(AGES, CARS, st.integers(0, 1), st.booleans(), st.booleans()), min_size=6, max_size=10),
    st.booleans(),
)
def test_estimates_are_within_their_margins(drawn: list[tuple[Any, ...]], informed: bool) -> None:
    """What belief propagation says of a table that can be counted too, with the margin that would be added."""
    rows = [(f"p{place}", age, car) for place, (age, car, *_) in enumerate(drawn)]
    known: Known = {
        f"p{place}": {
            **({"age": (age - width, age + width)} if knows_age else {}),
            **({"car": car} if knows_car else {}),
        }
        for place, (age, car, width, knows_age, knows_car) in enumerate(drawn)
    }
    if not any(known.values()):
        return
    seen = see_people(ga.Release(table(rows)), attacker(known, knows_method=informed), ga.Effort())
    graph, everybody = seen.left, np.arange(seen.number)
    exact = seen.chances.total(everybody)
    guessed = _estimated(graph, np.ones(len(graph.row), np.bool_), likeliest=informed).tolist()
    solved = EdgeChances(graph=graph, edges=guessed, estimated=np.ones(seen.number, np.bool_))
    values = seen._likeliest(solved) if informed else solved.of_items
    estimate = ItemChances.counted(values, solved.estimated, "", candidates=graph.degrees)
    assert float(exact) <= float(estimate.total(everybody)) + estimate.margin(everybody) + 1e-6
    assert (seen.chances.floats <= estimate.at_most + 1e-6).all()


KNOWS: Known = {"ann": {"car": "fiat"}, "bob": {"age": (30, 35)}}
THIRD = ga.Tolerance(identity="1/3")


@pytest.fixture
def in_file(tmp_path: Path) -> ga.Release:
    """A release of a table that was read from a file."""
    lines = [",".join(map(str, row)) for row in (("name", *COLUMNS), *ROWS)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    return ga.Release(ga.read_table(tmp_path / "people.csv", id="name"))


def test_a_release_is_written_and_confirmed(in_file: ga.Release, tmp_path: Path) -> None:
    assert ga.assess(in_file, attacker(KNOWS), THIRD).verdict == "at risk"
    safer = ga.protect(in_file, attacker(KNOWS), THIRD)
    assert safer.verdict == "safe"
    safer.publish(tmp_path / "out")
    lines = (tmp_path / "out" / "release.csv").read_text().splitlines()
    assert len(lines) == len(ROWS) + 1
    assert "ann" not in "".join(lines)
    assert "".join(lines).count(",,") + sum(line.endswith(",") for line in lines) <= len(safer.withheld.cells)


@pytest.mark.parametrize("informed", [True, False])
def test_the_checker_refuses_what_is_not_within_the_limits(
    in_file: ga.Release, tmp_path: Path, *, informed: bool
) -> None:
    """The checker breaks with a limit exactly where all permutations do."""
    who = attacker(KNOWS, knows_method=informed)
    ga.assess(in_file, who, ga.Tolerance(average="99/100")).publish(tmp_path / "out")
    chances = judged(some(enumerated(shown_of(ROWS), KNOWS, NAMES)), NAMES, likeliest=informed)
    fields = {name: getattr(who, name) for name in ("belief", "knows_method", "of_interest", "compliance")}

    def check(limit: ga.Tolerance) -> None:
        promise = Promise(attack="frequencies", attacker=fields, tolerance=limit)
        judge(tmp_path / "out" / "release.csv", in_file, [promise])

    largest, mean = max(chances.values()), sum(chances.values(), Fraction(0)) / len(chances)
    for limit in (
        ga.Tolerance(identity=largest if informed else largest + Fraction(1, 1000)),
        ga.Tolerance(average=mean),
        ga.Tolerance(
            identity=largest - Fraction(informed, 1000),
            share=Fraction(sum(one == largest for one in chances.values()), 5),
        ),
    ):
        check(limit)
    broken = largest - Fraction(1, 1000) if informed else largest
    for limit in (ga.Tolerance(identity=broken), ga.Tolerance(average=mean - Fraction(1, 1000))):
        with pytest.raises(CheckFailed, match="breaks the promise"):
            check(limit)


def test_what_cannot_be_counted_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked, "WORK", 10)
    matching = checked._Matching(
        people=[3, 1], rows=[2, 2], may_be=[frozenset({0, 1}), frozenset({1})], real=[True, True]
    )
    found = checked._solved(matching)
    assert found[0][0] == Between(Fraction(0), Fraction(1, 3))
    assert found[1][1] == Between(Fraction(0), Fraction(1, 2))
    monkeypatch.undo()
    assert checked._solved(matching)[1][1] == Between.exactly(Fraction(1, 2))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"targets": "pairs"}, "targets is about items"),
        ({"known_pairs": ga.KnownPairs(top=1)}, "known_pairs is about items"),
        ({"order": "frequency"}, "nobody is more frequent"),
        ({"compliance": "1/2"}, "found out"),
    ],
)
def test_what_is_about_items_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        attacker(KNOWS, **more)


def test_people_need_a_table_with_names_and_rows() -> None:
    tolerance = ga.Tolerance(identity="1/2")
    baskets = ga.Release(ga.Transactions.from_lists([["a"]]))
    with pytest.raises(ScenarioError, match="needs Table"):
        ga.assess(baskets, attacker(KNOWS), tolerance)
    nameless = ga.Release(ga.Table.from_rows([{"age": 1, "car": "fiat"}]))
    with pytest.raises(ScenarioError, match="names nobody"):
        ga.assess(nameless, attacker(KNOWS), tolerance)
    with pytest.raises(ScenarioError, match="needs Transactions or Supports"):
        ga.assess(ga.Release(table(ROWS)), ga.KnowsFrequencies(), tolerance)
    with pytest.raises(ScenarioError, match="Nothing is known of anybody"):
        ga.Belief.of_people({"ann": {}})
    with pytest.raises(ScenarioError, match="no column"):
        ga.assess(ga.Release(table(ROWS)), attacker({"ann": {"town": "x"}}), tolerance)
    with pytest.raises(ScenarioError, match="who is not in the table"):
        ga.assess(ga.Release(table(ROWS)), attacker(KNOWS, of_interest=["zed"]), tolerance)


def test_who_is_of_interest_counts_alone() -> None:
    release = ga.Release(table(ROWS))
    found = ga.assess(release, attacker(KNOWS, of_interest=["bob"]), ga.Tolerance(average="1/2"))
    assert [one.target for one in found.exposures] == ["bob"]


def test_a_file_of_what_is_known(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text("who,age,car\nann,,fiat\nbob,30..35,\n")
    assert ga.Belief.of_people(file) == ga.Belief.of_people(
        {"ann": {"car": "fiat"}, "bob": {"age": ("30", "35")}}
    )
