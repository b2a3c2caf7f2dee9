"""The checker's judgement of sensitive values and of partial knowledge, against the definitions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory import attribute_oracle as oracle
from tests.attacks.directory import shared_tables
from tests.attacks.directory.attribute_oracle import Case
from tests.attacks.directory.test_informed_checker import shown_of
from tests.oracles import crowds
from tests.sizes import first, sized

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.attacks.directory import judge, reached_rows
from giveaway.checker.attacks.directory.asked import DirectoryAsked, asked_of
from giveaway.checker.attacks.directory.look_alikes import CheckedLookAlikes
from giveaway.checker.attacks.directory.people_over import keeps_values
from giveaway.checker.attacks.directory.records import CheckedRecords
from giveaway.checker.check import ReadBack
from giveaway.checker.promise import Promise
from giveaway.model.data.people import People, PlannedForms
from giveaway.sources.side_files.people import read_people

COMPARED = ("a", "b", "c")
SENSITIVE = ("ill", "pay")
NAMES = (*COMPARED, *SENSITIVE)
COARSER = {"x": ("xy", "any"), "y": ("xy", "any"), "z": ("z", "any")}
ILL = {"u": ("uv", "all"), "v": ("uv", "all"), "w": ("w", "all")}
HIERARCHIES = {"a": COARSER, "b": COARSER, "ill": ILL}
LABELS = {"a": COARSER, "b": COARSER, "c": {}, "ill": ILL, "pay": {}}

known = st.sampled_from(["x", "y", "z", ""])
rows_of_text = st.lists(
    st.tuples(
        known, known, known, st.sampled_from(["u", "v", "w", ""]), st.sampled_from(["10", "11", "-20", ""])
    ),
    min_size=1,
    max_size=6,
)
lines_of_text = st.lists(st.tuples(st.sampled_from("pqrs"), known, known, known), min_size=1, max_size=6)


@dataclass(frozen=True)
class Close:
    part: Fraction
    amount: Fraction


def covers(column: str, label: str, value: str) -> bool:
    return label == value or label in LABELS[column].get(value, ())


def written(row: Sequence[str]) -> dict[str, str | None]:
    return {name: value or None for name, value in zip(NAMES, row, strict=True)}


def directory_of(lines: Sequence[tuple[str, ...]]) -> People:
    return read_people(
        ga.Table.from_rows([dict(zip(("id", *COMPARED), line, strict=True)) for line in lines], id="id")
    )


def at_level(value: str | None, column: str, level: int) -> str | None:
    if value is None or level < 0:
        return None
    return value if level == 0 else LABELS[column][value][level - 1]


@st.composite
def questions(draw: st.DrawFn) -> tuple[DirectoryAsked, CheckedLookAlikes, list[Case]]:
    """What the checker is asked, and the same for the oracle, one case for each directory."""
    rows = draw(rows_of_text)
    original = [written(row) for row in rows]
    places = st.tuples(st.integers(0, len(rows) - 1), st.sampled_from(NAMES))
    hidden = draw(st.sets(places, max_size=10))
    coarse = {
        (row, name): level
        for (row, name), level in draw(st.dictionaries(places, st.integers(1, 2), max_size=4)).items()
        if name in HIERARCHIES and original[row][name] is not None and (row, name) not in hidden
    }
    shown = [
        {
            name: None if (at, name) in hidden else at_level(row[name], name, coarse.get((at, name), 0))
            for name in NAMES
        }
        for at, row in enumerate(original)
    ]
    compared = draw(st.sampled_from([COMPARED, ("a", "b"), ("a",), ("a", "c", "ill")]))
    sensitive = draw(st.sampled_from([SENSITIVE, ("ill",), ("pay",)])) if "ill" not in compared else ("pay",)
    own = draw(st.booleans())
    lists = [] if own else draw(st.lists(lines_of_text, min_size=1, max_size=2))
    directories = [directory_of(lines) for lines in lists]
    levels = draw(st.lists(st.integers(-1, 1), min_size=18, max_size=18)) if draw(st.booleans()) else None
    plans, planned = [], []
    for people, lines in zip(directories, lists, strict=True):
        entries = list(dict.fromkeys(line[1:] for line in lines))
        dealt = np.resize(np.array(levels or [0], np.int8), (len(entries), 3))
        dealt[:, 2] = np.minimum(dealt[:, 2], 0)
        planned.append(dict(zip(entries, dealt.tolist(), strict=True)))
        if levels:
            plans.append(PlannedForms(people=people, columns=COMPARED, levels=dealt))
    table = ga.Table.from_rows([dict(zip(NAMES, row, strict=True)) for row in rows], sensitive=sensitive)
    release = ga.Release(
        table,
        ga.Withheld(
            cells=[(row + 1, name) for row, name in hidden],
            levels=[(row + 1, name, level) for (row, name), level in coarse.items()],
        ),
        hierarchies=HIERARCHIES,
        gaps=draw(st.sampled_from(["apart", "agree"])),
        plans=plans,
    )
    close = draw(
        st.sampled_from([None, Close(Fraction(0), Fraction(0)), Close(Fraction(1, 10), Fraction(0))])
    )
    wanted: Any = draw(st.sampled_from([None, (), ("u",), ("v", "10"), ("gone",)]))
    classes: dict[str, dict[str, tuple[str, ...]]] = draw(
        st.sampled_from(
            [{}, {"ill": {"bad": ("u", "w")}}, {"ill": {"none": ("gone",)}, "pay": {"ten": ("10", "11")}}]
        )
    )
    attacker = ga.KnowsDirectory(
        people=directories or None, columns=compared, knows_method=draw(st.booleans())
    )
    asked = replace(
        asked_of(vars(attacker), release, table),
        judges=draw(st.sampled_from(["any", "true"])) if own else "any",
        at_most=draw(st.sampled_from([None, None, 1, 2, 4])),
        within={"pay": close} if close else {},
        sensitive_values=wanted,
        sensitive_classes=classes,
        earlier_plans_fail=draw(st.sampled_from([Fraction(1), Fraction(3, 4)])),
    )
    records = CheckedRecords(table=table, release=release, spelled=shown_of(release, table).spelled)
    alike = CheckedLookAlikes(shown=shown_of(release, table), records=records, columns=asked.columns)
    case = Case(
        rows=original,
        shown=shown,
        columns=compared,
        targets={
            name: oracle.targets_of(
                {value for row in original if (value := row[name]) is not None},
                wanted,
                classes.get(name),
                HIERARCHIES.get(name),
            )
            for name in sensitive
        },
        within={"pay": (close.part, close.amount)} if close else {},
        covers=covers,
        knows_method=asked.knows_method,
        gaps=release.gaps,
        judges=asked.judges,  # type: ignore[arg-type] # one of the two
        at_most=asked.at_most,
        earlier_plans_fail=asked.earlier_plans_fail,
    )
    return (
        asked,
        alike,
        [case]
        if own
        else [
            replace(case, entries=listed_in(lines), planned=plan_of(dealt, compared))
            for lines, dealt in zip(lists, planned, strict=True)
        ],
    )


def listed_in(lines: Sequence[tuple[str, ...]]) -> list[tuple[str, dict[str, str | None]]]:
    return [
        (who, {name: value or None for name, value in zip(COMPARED, values, strict=True)})
        for who, *values in lines
    ]


def plan_of(dealt: dict[tuple[str, ...], list[int]], compared: Sequence[str]) -> Any:
    def planned(entry: oracle.Row) -> dict[str, str | None]:
        levels = dealt[tuple(entry[name] or "" for name in COMPARED)]
        return {
            name: at_level(entry[name], name, level) for name, level in zip(COMPARED, levels, strict=True)
        }

    return planned


@sized(1000)
@given(
    question=questions(),
    which=st.integers(0, 20),
    near=st.sampled_from([Fraction(0), Fraction(1, 10**9)]),
    many=st.integers(0, 6),
    at_once=st.sampled_from([0, 3, 1 << 16]),
)
def test_sensitive_values_are_judged_by_the_definition(
    question: tuple[DirectoryAsked, CheckedLookAlikes, list[Case]],
    which: int,
    near: Fraction,
    many: int,
    at_once: int,
) -> None:
    """Limits lie at a chance or just below it, and what is tolerated is a whole number of people."""
    asked, alike, cases = question
    reached = sorted({Fraction(1, 2), *(one for case in cases for one in case.chances.values() if one)})
    limit = reached[which % len(reached)] - near
    people = len(cases[0].chances)
    tolerated = Fraction(min(many, people), people)

    expected = all(oracle.holds(case, limit, tolerated) for case in cases)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reached_rows, "_PAIRS", at_once)
        assert keeps_values(asked, alike, limit, tolerated) is expected


def test_somebody_with_a_gap_has_the_record_that_agrees_in_all_else() -> None:
    """The b of p is not listed and the a of the record is blank: the one record is still that of p."""
    people = directory_of([("p", "y", "", "x")])
    table = ga.Table.from_rows([dict(zip(NAMES, ("y", "x", "x", "u", "10"), strict=True))], sensitive="ill")
    release = ga.Release(table, ga.Withheld(cells=[(1, "a")]))
    asked = asked_of(vars(ga.KnowsDirectory(people=[people], columns=COMPARED)), release, table)
    shown = shown_of(release, table)
    records = CheckedRecords(table=table, release=release, spelled=shown.spelled)
    alike = CheckedLookAlikes(shown=shown, records=records, columns=asked.columns)

    assert not keeps_values(asked, alike, Fraction(1, 2), Fraction(0))
    assert keeps_values(asked, alike, Fraction(1, 2), Fraction(1))


# Known of some columns -------------------------------------------------------------------------------------------


@sized(300)
@given(
    question=questions(),
    which=st.integers(0, 20),
    near=st.sampled_from([Fraction(0), Fraction(1, 10**9)]),
    many=st.integers(0, 6),
)
def test_records_are_judged_by_sets_of_exactly_so_many_columns(
    question: tuple[DirectoryAsked, CheckedLookAlikes, list[Case]], which: int, near: Fraction, many: int
) -> None:
    asked, alike, cases = question
    release = alike.records.release
    fields = {
        "prior": (),
        "likelihoods": (),
        "match": {},
        "directories": asked.directories,
        "columns": asked.columns,
    }
    fields |= {"knows_method": asked.knows_method, "at_most": asked.at_most, "judges": "any", "within": {}}

    def keeps(limit: Fraction, share: Fraction, **other: Any) -> bool:
        promise = Promise(
            attack="directory", attacker=fields | other, tolerance=ga.Tolerance(identity=limit, share=share)
        )
        opened = ReadBack(form="rows", content=alike.shown, release=release, codes=None)
        return judge.keeps(opened, promise)

    if not asked.knows_method or not asked.directories:
        chances = [
            [
                max(line)
                for line in zip(
                    *(oracle.identity_chances(case, listed=listed) for case in cases), strict=True
                )
            ]
            for listed in (False, True)
        ]
        limits = sorted({Fraction(1, 2), *chances[1], *filter(None, chances[0])})
        limit, records = limits[which % len(limits)] - near, len(chances[0])
        tolerated = Fraction(min(many, records - 1), records)
        over = max(sum(chance > limit for chance in every) for every in chances)
        assert keeps(limit, tolerated) is (over <= tolerated * records)
    elif not release.plans:
        most = len(asked.columns) if asked.at_most is None else min(asked.at_most, len(asked.columns))
        one_by_one = [
            keeps(Fraction(1, 2), Fraction(0), columns=chosen, at_most=None)
            for chosen in combinations(asked.columns, most)
        ]
        found = keeps(Fraction(1, 2), Fraction(0))
        if keeps(Fraction(1, 2), Fraction(0), at_most=None):
            assert found
        if not any(alike.changed(range(len(asked.columns)))):
            assert found is all(one_by_one)


# By hand ---------------------------------------------------------------------------------------------------------


def question_of(
    rows: Sequence[dict[str, Any]],
    columns: Sequence[str],
    sensitive: str,
    *,
    hidden: Sequence[tuple[int, str]] = (),
    people: People | None = None,
    plan: Sequence[Sequence[int]] = (),
    **changed: Any,
) -> tuple[DirectoryAsked, CheckedLookAlikes]:
    table = ga.Table.from_rows(rows, sensitive=sensitive)
    plans = (
        [PlannedForms(people=people, columns=tuple(columns), levels=np.array(plan, np.int8))]
        if people and plan
        else []
    )
    release = ga.Release(table, ga.Withheld(cells=hidden), plans=plans)
    knows_method = changed.pop("knows_method", True)
    attacker = ga.KnowsDirectory(people=people, columns=columns, knows_method=knows_method)
    asked = replace(asked_of(vars(attacker), release, table), **changed)
    shown = shown_of(release, table)
    records = CheckedRecords(table=table, release=release, spelled=shown.spelled)
    return asked, CheckedLookAlikes(shown=shown, records=records, columns=asked.columns)


def people_over(asked: DirectoryAsked, alike: CheckedLookAlikes, limit: str, most: int) -> int:
    """Return the fewest people that must be tolerated over a limit."""
    allowed = [0, most]
    while allowed[0] < allowed[1]:
        middle = sum(allowed) // 2
        held = keeps_values(asked, alike, Fraction(limit), Fraction(middle, most))
        allowed = [allowed[0], middle] if held else [middle + 1, allowed[1]]
    return allowed[0]


def rows_of(text: str) -> list[dict[str, str]]:
    """Read rows such as `xyu`: two columns that are compared, and a sensitive one."""
    return [dict(zip("abs", word.replace("-", " "), strict=True)) for word in text.split()]


def test_less_can_say_more() -> None:
    """Of those with x or y one half are u, of all rows three in four: knowing nothing says more about them."""
    asked, alike = question_of(rows_of("xzu xzv yzu yzv zzu zzu zzu zzu"), ["a"], "s")

    assert people_over(asked, alike, "2/3", 8) == 4
    assert people_over(replace(asked, at_most=1), alike, "2/3", 8) == 8
    assert people_over(replace(asked, at_most=1), alike, "3/4", 8) == 4


def test_a_planned_form_is_looked_up() -> None:
    """Nobody has the values q of the person listed; they were to be shown as nothing, like the two rows that are v."""
    people = read_people(ga.Table.from_rows([{"id": "p", "a": "q"}], id="id"))
    rows = [{"a": a, "s": s} for a, s in ("xu", "xw", "yv", "yv")]
    hidden = [(3, "a"), (4, "a")]

    planned = question_of(rows, ["a"], "s", hidden=hidden, people=people, plan=[[-1]])
    unplanned = question_of(rows, ["a"], "s", hidden=hidden, people=people)

    assert not keeps_values(*planned, Fraction(9, 10), Fraction(0))
    with_row, without = (keeps_values(*one, Fraction(1), Fraction(0)) for one in (planned, unplanned))
    assert with_row
    assert not without  # the person has no row at all


def test_views_by_hand() -> None:
    """Rows ax ay ay as a- a- ay: an ay is in the form of two rows with 1/2, and alone in its own with 1/2."""
    asked, alike = question_of(rows_of("axu ayv ayu"), ["a", "b"], "s", hidden=[(1, "b"), (2, "b")])

    assert [people_over(asked, alike, limit, 3) for limit in ("1/2", "74/100", "3/4")] == [2, 2, 0]
    assert (
        people_over(replace(asked, judges="true"), alike, "1/2", 3) == 2
    )  # who of the two ay has u is not seen
    assert people_over(replace(asked, earlier_plans_fail=Fraction(3, 4)), alike, "99/100", 3) == 2


def test_a_written_release_is_judged_by_its_sensitive_values(tmp_path: Path) -> None:
    """The two rows of x say u and v; hidden entries count as whatever is guessed."""
    table = ga.Table.from_rows(rows_of("xzu xzv yzu yzv"), sensitive="s")
    attacker = vars(ga.KnowsDirectory(columns=["a", "b"]))
    promise = Promise(attack="directory", attacker=attacker, tolerance=ga.Tolerance(attribute="1/2"))
    shown, hidden = ga.Release(table), ga.Release(table, ga.Withheld(cells=[(1, "s")]))

    assert checker.judge(publish.write_release(shown, tmp_path, None), shown, [promise]) == {
        "release.jsonl": 4
    }
    with pytest.raises(ga.NotWritten, match="breaks the promise against attacker 1"):
        checker.judge(publish.write_release(hidden, tmp_path, None), hidden, [promise])


def test_without_a_sensitive_column_nothing_is_confirmed() -> None:
    asked, alike = question_of(rows_of("axu"), ["a", "b", "s"], "s")

    with pytest.raises(ga.NotConfirmed, match="no sensitive column"):
        keeps_values(asked, alike, Fraction(1), Fraction(0))


def test_the_true_value_of_people_listed_elsewhere_is_not_confirmed() -> None:
    people = read_people(ga.Table.from_rows([{"id": "p", "a": "a"}], id="id"))
    asked, alike = question_of(rows_of("axu"), ["a"], "s", people=people, judges="true")

    with pytest.raises(ga.NotConfirmed, match="another directory"):
        keeps_values(asked, alike, Fraction(1), Fraction(0))


# Adult and the bank table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "columns", "blank", "sensitive", "over"),
    first(
        1,
        [
            (
                False,
                "decade sex race education marital-status",
                {"race": 3, "marital-status": 5},
                "occupation",
                (2_960, 1_172),
            ),
            (
                True,
                "job marital education default housing loan contact",
                {"job": 4, "education": 3, "contact": 7},
                "y",
                (45_183, 36_546),
            ),
        ],
    ),
)
def test_people_over_of_a_given_release(
    bank: bool, columns: str, blank: dict[str, int], sensitive: str, over: tuple[int, int]
) -> None:
    table = crowds.bank() if bank else crowds.census()
    names = [*columns.split(), sensitive]
    rows = [dict(zip(names, row, strict=True)) for row in zip(*(table[name] for name in names), strict=True)]
    hidden = [(row, name) for name, every in blank.items() for row in range(every, len(rows) + 1, every)]
    question = question_of(rows, columns.split(), sensitive, hidden=hidden)

    for limit, people in zip(("1/2", "4/5"), over, strict=True):
        assert keeps_values(*question, Fraction(limit), Fraction(people, len(rows)))
        assert not keeps_values(*question, Fraction(limit), Fraction(people - 1, len(rows)))


@pytest.mark.parametrize("knows_method", first(0, [False, True]))
def test_people_over_who_are_known_in_some_columns(knows_method: bool) -> None:
    """All is shown, so that forms and fits are the same."""
    frame = shared_tables.adult()
    columns = ["decade", "sex", "race", "education", "marital-status"]
    rows = frame[[*columns, "occupation"]].astype(str).to_dict("records")
    asked, alike = question_of(rows, columns, "occupation", knows_method=knows_method)
    expected = [
        (None, "any", 3_136),
        (None, "true", 2_441),
        (1, "any", 2_544),
        (3, "any", 3_395),
        (5, "any", 4_595),
    ]

    for at_most, judges, people in expected:
        one = replace(asked, at_most=at_most, judges=judges)
        assert keeps_values(one, alike, Fraction(1, 2), Fraction(people, len(rows)))
        assert not keeps_values(one, alike, Fraction(1, 2), Fraction(people - 1, len(rows)))


def test_a_guess_that_is_close_enough() -> None:
    """Within 10 %: of ages 14 people are over one half by sex, race and education in Adult, and 2/3 is the worst."""
    frame = shared_tables.adult()
    columns = ["sex", "race", "edu2"]
    rows = frame[[*columns, "age"]].astype(str).to_dict("records")
    close = {"age": Close(Fraction(1, 10), Fraction(0))}
    question = question_of(rows, columns, "age", within=close)

    assert keeps_values(*question, Fraction(1, 2), Fraction(14, len(rows)))
    assert not keeps_values(*question, Fraction(1, 2), Fraction(13, len(rows)))
    assert keeps_values(*question, Fraction(2, 3), Fraction(0))
    baseline = replace(question[0], at_most=0)
    assert not keeps_values(baseline, question[1], Fraction(6_978, 30_162), Fraction(99, 100))
