"""What is judged is what is written: releases read back raw, and their verdicts counted again by plain means."""

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bench.raw import (
    TABLES,
    TRANSACTIONS,
    Row,
    baskets,
    baskets_of,
    meaning,
    meant,
    one_form,
    read,
    read_baskets,
    read_rows,
    table_of,
    tables,
)
from tests.oracles import items as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway import publish
from giveaway.attacks import ATTACKS

HALF = ga.Tolerance(identity="1/2", attribute="1/2")
LIMIT = Fraction(1, 2)
Meant = Sequence[dict[str, str | None]]


def written(release: ga.Release, folder: Path) -> Path:
    """Write a release that nobody has judged."""
    place = Path(mkdtemp(dir=folder))
    return publish.write_release(release, place, publish.draw(release))


def published(safe: ga.Assessment, folder: Path) -> Path:
    safe.publish(folder / "out")
    return next(path for path in (folder / "out").iterdir() if path.name != "manifest.json")


def protected(release: ga.Release, attacker: Any, tolerance: ga.Tolerance) -> ga.Assessment | None:
    try:
        return ga.protect(release, attacker, tolerance)
    except ga.NoSafeRelease:
        return None


def said(release: ga.Release, attacker: Any, tolerance: ga.Tolerance) -> bool | None:
    return ga.assess(release, attacker, tolerance).safe


# Tables ------------------------------------------------------------------------------------------------------


def is_hidden_in_a_crowd(rows: Sequence[Row], people: Meant) -> bool:
    """Count for each row the people who have what it shows of a and b: the attack `directory`."""
    return all(
        sum(all(row[name].meaning in (None, one[name]) for name in ("a", "b")) for one in people)
        >= 2  # of 1/2
        for row in rows
    )


def are_blanks_mixed(rows: Sequence[Row], people: Meant, release: ga.Release) -> bool:
    """Count the blanks of the rows like each secret by value: the attack `attributes`, when the method is known."""
    hidden = set(release.hidden)
    for number, one in enumerate(people, 1):
        if (number, "ill") not in release.secrets:
            continue
        alike = [
            (place, other)
            for place, other in enumerate(people, 1)
            if (other["a"], other["b"]) == (one["a"], one["b"]) and other["ill"] is not None
        ]
        blank = [other["ill"] for place, other in alike if (place, "ill") in hidden]
        like = [row for row in rows if (row["a"].meaning, row["b"].meaning) == (one["a"], one["b"])]
        assert sum(row["ill"].meaning is not None for row in like) == len(alike) - len(blank)
        if any(blank.count(value) > LIMIT * len(blank) for value in blank):
            return False
    return True


def is_kept_secret(rows: Sequence[Row], people: Meant, release: ga.Release) -> bool:
    """Count for each secret how many of the rows like its own show its value: the attack `attributes`."""
    hidden = set(release.hidden)
    for number, one in enumerate(people, 1):
        if (number, "ill") not in release.secrets or one["ill"] is None:
            continue
        seen = [name for name in ("a", "b") if one[name] is not None and (number, name) not in hidden]
        for names in (some for size in (1, 2) for some in combinations(seen, size)):
            like = [row for row in rows if all(row[name].meaning == one[name] for name in names)]
            if Fraction(sum(row["ill"].meaning == one["ill"] for row in like), len(like)) > LIMIT:
                return False
    return True


def first_secret(table: ga.Table) -> ga.Release:
    """Take the first record for one with a secret."""
    return ga.Release(table, secrets=[(table.ids or range(1, len(table) + 1))[0]])


Question = tuple[Any, Callable[[ga.Table], ga.Release], Callable[[Sequence[Row], Meant, ga.Release], bool]]

QUESTIONS: dict[str, Question] = {
    "directory": (
        ga.KnowsDirectory(on=["a", "b"]),
        ga.Release,
        lambda rows, people, _: is_hidden_in_a_crowd(rows, people),
    ),
    "attributes": (ga.KnowsAttributes(columns=["a", "b"]), first_secret, are_blanks_mixed),
    "attributes, of the paper": (
        ga.KnowsAttributes(columns=["a", "b"], knows_method=False),
        first_secret,
        is_kept_secret,
    ),
}
GAPS = {"directory": ["ill"]}


@pytest.mark.engines
@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("attack", QUESTIONS)
@sized(3)
@given(data=st.data())
def test_the_rows_of_a_table_read_back_raw_have_the_verdict_that_was_reported(
    attack: str, form: str, data: st.DataObject
) -> None:
    attacker, planned, is_safe = QUESTIONS[attack]
    tolerance = ga.Tolerance(identity="1/2") if attack == "directory" else ga.Tolerance(attribute="1/2")
    cells = data.draw(tables(form, gaps=GAPS.get(attack, ["a", "b", "ill"])))
    people = meant(form, cells)
    if attack != "directory" and people[0]["ill"] is None:
        return
    with TemporaryDirectory() as name:
        release = planned(table_of(form, Path(name), cells))
        rows = read(written(release, Path(name)))
        assert one_form(rows)
        assert said(release, attacker, tolerance) == is_safe(rows, people, release)

        found = protected(release, attacker, tolerance)
        if found is None:
            return
        rows = read(published(found, Path(name)))
        assert one_form(rows)
        assert is_safe(rows, people, found.release)
        assert one_form(read_rows(in_memory(found)))
        assert one_form(read_rows(stored(found, Path(name))))


def in_memory(found: ga.Assessment) -> list[dict[str, Any]]:
    """Return a release as its program gets it; files have no such form."""
    try:
        made: Any = found.released()
    except (ga.ScenarioError, ga.NotWritten):
        return [{}]
    if isinstance(made, list):
        return made
    records: list[dict[str, Any]] = made.to_dicts() if hasattr(made, "to_dicts") else made.to_dict("records")
    return records


def stored(found: ga.Assessment, folder: Path) -> list[dict[str, Any]]:
    """Return the rows of a release that became a table of a database."""
    found.publish(folder / "manifest", to=f"duckdb:{folder / 'to.duckdb'}", table="released")
    with duckdb.connect(folder / "to.duckdb") as connection:
        rows = connection.execute("SELECT * FROM released").fetchall()
        names = [column[0] for column in connection.description or ()]
    return [dict(zip(names, row, strict=True)) for row in rows]


# Transactions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", TRANSACTIONS)
@sized(3)
@given(data=st.data())
def test_transactions_read_back_raw_have_the_verdict_that_was_reported(
    form: str, data: st.DataObject
) -> None:
    attacker, rows = ga.KnowsItems(at_most=2), data.draw(baskets(form))
    with TemporaryDirectory() as name:
        release = ga.Release(baskets_of(form, Path(name), rows, private=["30"]))
        shown, is_one_form = read_baskets(form, written(release, Path(name)))
        assert is_one_form
        assert said(release, attacker, HALF) == oracle.coherent(shown, ["30"], LIMIT, 2, 2)

        found = protected(release, attacker, HALF)
        if found is not None:
            shown, is_one_form = read_baskets(form, published(found, Path(name)))
            assert is_one_form
            assert oracle.coherent(shown, ["30"], LIMIT, 2, 2)


CATEGORIES = {"10": ["some"], "1.5": ["some"], "0": ["other"]}


@pytest.mark.parametrize("form", TRANSACTIONS)
@sized(3)
@given(data=st.data())
def test_categories_read_back_raw_have_the_verdict_that_was_reported(form: str, data: st.DataObject) -> None:
    attacker, rows = ga.KnowsItems(at_most=2), data.draw(baskets(form))
    with TemporaryDirectory() as name:
        given_ones = baskets_of(form, Path(name), rows, private=["30"])
        plain, _ = read_baskets(form, written(ga.Release(given_ones), Path(name)))
        named = [label for label in given_ones.labels if meaning(label) in CATEGORIES]
        of = {label: CATEGORIES[meaning(label)] for label in named}
        chosen = data.draw(st.lists(st.sampled_from(named), unique=True)) if named else []
        levels = ga.Withheld(item_levels=dict.fromkeys(chosen, 1))
        release = ga.Release(given_ones, levels, hierarchies={"item": of})
        shown, is_one_form = read_baskets(form, written(release, Path(name)))
        assert is_one_form
        expected = oracle.under(plain, {meaning(label): of[label][0] for label in chosen})
        assert Counter(map(frozenset, expected)) == Counter(map(frozenset, shown))
        assert said(release, attacker, HALF) == oracle.coherent(shown, ["30"], LIMIT, 2, 2)

        found = protected(ga.Release(given_ones, hierarchies={"item": of}), attacker, HALF)
        if found is not None:
            shown, is_one_form = read_baskets(form, published(found, Path(name)))
            assert is_one_form
            assert oracle.coherent(shown, ["30"], LIMIT, 2, 2)


def is_told_by_nothing(shown: Sequence[frozenset[str]], given: Sequence[frozenset[str]], gone: Any) -> bool:
    """Count the codes that are as frequent as each item: the attack `frequencies` with exact knowledge."""
    codes, items = (
        {x for row in shown for x in row},
        {x for row in given for x in row} - set(map(meaning, gone)),
    )
    often = [sum(code in row for row in shown) for code in codes]
    half_at_most = 2
    return all(often.count(sum(item in row for row in given)) >= half_at_most for item in items)


@pytest.mark.parametrize("form", TRANSACTIONS)
@sized(3)
@given(data=st.data())
def test_codes_read_back_raw_have_the_verdict_that_was_reported(form: str, data: st.DataObject) -> None:
    attacker, tolerance = ga.KnowsFrequencies(belief=ga.Belief.exact()), ga.Tolerance(identity="1/2")
    rows = data.draw(baskets(form))
    given = [frozenset(label for label, _ in row) for row in rows]
    with TemporaryDirectory() as name:
        release = ga.Release(baskets_of(form, Path(name), rows), renamed=True)
        shown, is_one_form = read_baskets(form, written(release, Path(name)))
        assert is_one_form
        assert said(release, attacker, tolerance) == is_told_by_nothing(shown, given, ())

        found = protected(release, attacker, tolerance)
        if found is not None:
            shown, is_one_form = read_baskets(form, published(found, Path(name)))
            assert is_one_form
            assert is_told_by_nothing(shown, given, found.withheld.items)


# Rules -------------------------------------------------------------------------------------------------------


def is_believed_of_nobody(file: Path, people: Meant, limit: Fraction) -> bool:
    """Work out what a list of exact rules with one condition lets believe; what it leaves open is equally likely."""
    values = {one["ill"] for one in people}
    listed = {
        (
            meaning(row["antecedents"].removeprefix("a=")),
            meaning(row["consequents"].removeprefix("ill=")),
        ): row
        for row in csv.DictReader(file.read_text().splitlines())
    }
    for one in people:
        told = {
            value: Fraction(listed[one["a"], value]["confidence"])
            for value in values
            if (one["a"], value) in listed
        }
        rest = (1 - sum(told.values(), Fraction(0))) / max(len(values) - len(told), 1)
        if told.get(one["ill"], rest) > limit:
            return False
    return True


@pytest.mark.parametrize("form", TABLES)
@sized(3)
@given(data=st.data())
def test_rules_read_back_raw_have_the_verdict_that_was_reported(form: str, data: st.DataObject) -> None:
    cells = data.draw(tables(form, gaps=[]))
    people = [{"a": one["a"], "ill": one["ill"]} for one in meant(form, cells)]
    attacker, limit = ga.KnowsProfiles(columns=["a"]), Fraction(7, 10)
    with TemporaryDirectory() as name:
        table = table_of(form, Path(name), [{"a": row["a"], "ill": row["ill"]} for row in cells])
        least = {"min_support": "1/10", "min_confidence": "6/10"}
        mined = ga.mine_rules(table, **least)
        release = ga.Release(table, rules=ga.PublishedRules(mined, scores="exact", complete=False, **least))
        tolerance = ga.Tolerance(attribute=limit)
        verdict = said(release, attacker, tolerance)
        if verdict is None:
            return
        assert verdict == is_believed_of_nobody(written(release, Path(name)), people, limit)

        found = protected(release, attacker, tolerance)
        if found is not None:
            found.publish(Path(name) / "out")
            assert is_believed_of_nobody(Path(name) / "out" / "rules.csv", people, limit)


def test_every_attack_has_a_property_here() -> None:
    assert {*QUESTIONS, "items", "frequencies", "profiles"} >= set(ATTACKS)
