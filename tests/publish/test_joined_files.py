"""The checker joins a written release with the files of earlier ones by itself."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import giveaway as ga
from giveaway import checker
from giveaway.checker.together.written import every_choice, one_by_one_and_all
from giveaway.publish import draw, write_release

SIX = [(30, "cook"), (30, "smith"), (30, "smith"), (40, "cook"), (40, "cook"), (40, "smith")]
BY_FIT = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)


def csv(folder: Path, name: str, head: str, rows: list[str]) -> Path:
    (folder / name).write_text("\n".join([head, *rows]) + "\n")
    return folder / name


def ages(folder: Path, **how: Any) -> ga.Earlier:
    """Ages were given away in the order of the people, in a file that the checker reads again."""
    file = csv(folder, "2025.csv", "age", [str(age) for age, _ in SIX])
    said: dict[str, Any] = {"linked": "rows", "rows": range(1, 7), "file": file} | how
    return ga.Earlier(ga.read_table(file), name="2025", **said)


def jobs(folder: Path, *earlier: ga.Earlier, **how: Any) -> ga.Release:
    file = csv(folder, "now.csv", "job", [job for _, job in SIX])
    return ga.Release(ga.read_table(file), earlier=earlier, **how)


def judged(release: ga.Release, folder: Path, attacker: Any = BY_FIT, **limits: Any) -> None:
    """Write a release and let the checker judge it, whatever was measured."""
    drawn = draw(release)
    (folder / "out").mkdir(exist_ok=True)
    file = write_release(release, folder / "out", drawn)
    known = release.original.columns if isinstance(release.original, ga.Table) else ()
    promise = checker.Promise(
        attack=attacker.attack,
        attacker=vars(attacker.among(known)) if known else vars(attacker),
        tolerance=ga.Tolerance(**limits),
        with_earlier=vars(attacker),
    )
    checker.judge(file, release, [promise], drawn.codes, drawn.order)


def test_joined_rows_that_keep_the_promise_pass_and_others_do_not(tmp_path: Path) -> None:
    blank = ga.Withheld(cells=[(1, "job"), (6, "job")])
    judged(jobs(tmp_path, ages(tmp_path), withheld=blank), tmp_path, identity="1/2")
    with pytest.raises(ga.CheckFailed, match=r"Together with 2025, release\.csv breaks the promise"):
        judged(jobs(tmp_path, ages(tmp_path)), tmp_path, identity="1/2")


def test_a_row_that_is_joined_with_somebody_else_is_noticed(tmp_path: Path) -> None:
    file = csv(tmp_path, "2025.csv", "job", [job for _, job in SIX])
    wrong = ga.Earlier(ga.read_table(file), name="2025", linked="rows", rows=[2, 1, 3, 4, 5, 6], file=file)
    with pytest.raises(ga.CheckFailed, match="not true of the person"):
        judged(jobs(tmp_path, wrong), tmp_path, identity="1/2")


def test_the_file_counts_and_not_what_was_read_of_it(tmp_path: Path) -> None:
    one = ages(tmp_path)
    csv(tmp_path, "2025.csv", "age", ["30", "31", "32", "40", "41", "42"])
    blank = ga.Withheld(cells=[(1, "job"), (6, "job")])
    with pytest.raises(ga.CheckFailed):
        judged(jobs(tmp_path, one, withheld=blank), tmp_path, identity="1/2")


def test_what_cannot_be_joined_is_not_confirmed(tmp_path: Path) -> None:
    with pytest.raises(ga.NotConfirmed, match="nor what everybody's age was then"):
        judged(jobs(tmp_path, ages(tmp_path, rows=None)), tmp_path, identity="1/2")
    informed = ga.KnowsDirectory(columns=["age", "job"])
    with pytest.raises(ga.NotConfirmed, match="Nobody says whose rows"):
        judged(jobs(tmp_path, ages(tmp_path, rows=None)), tmp_path, informed, identity="1/2")
    judged(jobs(tmp_path, ages(tmp_path, linked="nobody", rows=None)), tmp_path, identity="1/2")


def test_items_of_two_years_are_joined_under_their_years(tmp_path: Path) -> None:
    def shop(name: str, lines: list[str]) -> Path:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        return tmp_path / name

    then, now = shop("2025.dat", ["a", "a", "b", "b"]), shop("now.dat", ["c", "d", "c", "d"])
    one = ga.Earlier(ga.read_transactions(then), name="2025", linked="rows", rows=range(1, 5), file=then)
    release = ga.Release(ga.read_transactions(now), earlier=[one])
    judged(release, tmp_path, ga.KnowsItems(at_most=1), identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(release, tmp_path, ga.KnowsItems(at_most=2), identity="1/2")
    apart = replace(release, earlier=(ga.Earlier(ga.read_transactions(then), linked="people"),))
    judged(apart, tmp_path, ga.KnowsItems(at_most=2), identity="1/2")


def test_entries_that_were_visible_once_are_visible_together(tmp_path: Path) -> None:
    """Rules of the union: a secret is protected by blanks in each release, and by none in both."""
    rows = ["x,yes"] * 5 + ["x,no"] * 2
    file = csv(tmp_path, "now.csv", "town,ill", rows)
    table = ga.read_table(file, sensitive="ill")
    blanks = ga.Withheld(cells=[(2, "town"), (3, "town")])
    shown = ga.Release(table, blanks, secrets=[1])
    attacker = ga.KnowsAttributes(columns=["town"], trusts_support_above=0, knows_method=False)
    judged(shown, tmp_path, attacker, attribute="1/2")
    before = csv(tmp_path, "2025.csv", "town,ill", ["x,", "x,yes", "x,yes", ",yes", ",yes", "x,no", "x,no"])
    one = ga.Earlier(ga.read_table(before), name="2025", linked="rows", rows=range(1, 8), file=before)
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(replace(shown, earlier=(one,)), tmp_path, attacker, attribute="1/2")


ROW = st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.booleans(), st.booleans())


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(ROW, min_size=2, max_size=7),
    crowd=st.integers(2, 3),
    random=st.randoms(use_true_random=False),
)
def test_crowds_of_joined_rows_are_those_of_plain_counting(
    rows: list[tuple[str, str, bool, bool]], crowd: int, random: Any, tmp_path: Path
) -> None:
    """Everybody who agrees with all that a joined row shows, one by one."""
    order = list(range(len(rows)))
    random.shuffle(order)
    lines = [rows[place][0] if rows[place][2] else '""' for place in order]
    file = csv(tmp_path, "2025.csv", "age", lines)
    true = ga.Table.from_rows([{"age": rows[place][0]} for place in order])
    seen = ga.Table.from_rows([{"age": rows[place][0] if rows[place][2] else ""} for place in order])
    one = ga.Earlier(seen, name="2025", linked="rows", rows=[p + 1 for p in order], file=file, original=true)
    now = ga.Table.from_rows([{"job": row[1], "note": "n"} for row in rows], publish_unjudged=["note"])
    hidden = [(at, "job") for at, row in enumerate(rows, 1) if not row[3]]
    release = ga.Release(now, ga.Withheld(cells=hidden), earlier=[one])
    people = Counter((age, job) for age, job, _, _ in rows)
    least = min(
        sum(
            count
            for (age, job), count in people.items()
            if (not shows_age or age == row_age) and (not shows_job or job == row_job)
        )
        for row_age, row_job, shows_age, shows_job in rows
    )
    alone = min(
        sum(count for (_, job), count in people.items() if not shows_job or job == row_job)
        for _, row_job, _, shows_job in rows
    )
    if alone < crowd or np.all([not row[3] for row in rows]):
        return
    limit = Fraction(1, crowd)
    if least >= crowd:
        judged(release, tmp_path, identity=limit)
    else:
        with pytest.raises(ga.CheckFailed):
            judged(release, tmp_path, identity=limit)


def test_who_joined_must_be_hidden_among_those_who_joined(tmp_path: Path) -> None:
    file = csv(tmp_path, "2025.csv", "job", ["cook"] * 4)
    now = csv(tmp_path, "now.csv", "job", ["cook"] * 6 + ["smith"] * 2)
    attacker = ga.KnowsDirectory(columns=["job"], knows_method=False)
    one = ga.Earlier(ga.read_table(file), name="2025", linked="rows", rows=[1, 2, 3, 4], file=file)
    judged(ga.Release(ga.read_table(now), earlier=[one]), tmp_path, attacker, identity="1/2")
    file = csv(tmp_path, "2025.csv", "job", ["cook"] * 5)
    one = ga.Earlier(ga.read_table(file), name="2025", linked="rows", rows=[1, 2, 3, 4, 5], file=file)
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(ga.Release(ga.read_table(now), earlier=[one]), tmp_path, attacker, identity="1/2")
    apart = ga.Earlier(ga.read_table(file), name="2025", linked="people", rows=[1, 2, 3, 4, 5], file=file)
    with pytest.raises(ga.NotConfirmed, match="could not be told"):
        judged(ga.Release(ga.read_table(now), earlier=[apart]), tmp_path, attacker, identity="1/2")


def test_whoever_knows_the_method_sees_what_each_file_shows_of_whom(tmp_path: Path) -> None:
    """Joined, four rows show a and two nothing; but of those who were blank, one alone shows a now."""
    people = ["ab", "aa", "bb", "ac", "ca", "ab"]
    then = csv(tmp_path, "2025.csv", "one,two", ["a,", "a,", ",", ",", ",", "a,"])
    now = csv(tmp_path, "now.csv", "one", [one for one, _ in people])
    original = ga.Table.from_rows([{"one": one, "two": two} for one, two in people])
    before = ga.Earlier(
        ga.read_table(then), name="2025", linked="rows", rows=range(1, 7), file=then, original=original
    )
    release = ga.Release(ga.read_table(now), ga.Withheld(cells=[(3, "one"), (5, "one")]), earlier=[before])
    for knows_method in (False, True):
        attacker = ga.KnowsDirectory(columns=["one", "two"], knows_method=knows_method)
        if not knows_method:
            judged(release, tmp_path, attacker, identity="1/2")
            continue
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(release, tmp_path, attacker, identity="1/2")


def test_both_values_of_a_column_that_changes_are_known(tmp_path: Path) -> None:
    then = csv(tmp_path, "2025.csv", "age", ["30", "30", "31", "31"])
    now = csv(tmp_path, "now.csv", "age", ["40", "41", "40", "41"])
    attacker = ga.KnowsDirectory(columns=["age"], knows_method=False)
    how: dict[str, Any] = {"name": "2025", "rows": range(1, 5), "file": then}

    def release(**said: Any) -> ga.Release:
        return ga.Release(ga.read_table(now), earlier=[ga.Earlier(ga.read_table(then), **how | said)])

    with pytest.raises(ga.CheckFailed, match="not true of the person"):
        judged(release(linked="rows"), tmp_path, attacker, identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(release(linked="rows", changes=["age"]), tmp_path, attacker, identity="1/2")
    judged(release(linked="people", changes=["age"]), tmp_path, attacker, identity="1/2")


def test_a_file_that_cannot_be_read_again_is_not_confirmed(tmp_path: Path) -> None:
    one = ages(tmp_path)
    (tmp_path / "2025.csv").write_text("years\n" + "30\n" * 6)
    with pytest.raises(ga.NotConfirmed, match="2025 could not be read again"):
        judged(jobs(tmp_path, one), tmp_path, identity="1/2")
    (tmp_path / "2025.dat").write_text("a  b \n" * 2)  # blanks that no file has which was made here
    (tmp_path / "now.dat").write_text("a b\n" * 2)
    shop = ga.read_transactions(tmp_path / "2025.dat")
    file = tmp_path / "2025.dat"
    then = ga.Earlier(shop, name="2025", linked="rows", rows=[1, 2], file=file)
    release = ga.Release(ga.read_transactions(tmp_path / "now.dat"), earlier=[then])
    judged(release, tmp_path, ga.KnowsItems(at_most=1), identity="1/2")
    file.unlink()
    with pytest.raises(ga.NotConfirmed, match="2025 could not be read again"):
        judged(release, tmp_path, ga.KnowsItems(at_most=1), identity="1/2")
    (tmp_path / "now.dat").write_text("a@2025 b\n" * 2)
    file.write_text("a b\n" * 2)
    called = ga.Release(ga.read_transactions(tmp_path / "now.dat"), earlier=[then])
    with pytest.raises(ga.NotConfirmed, match="called like one of 2025"):
        judged(called, tmp_path, ga.KnowsItems(at_most=1), identity="1/2")


def test_what_is_withheld_by_the_question_is_visible_if_it_was_shown_before(tmp_path: Path) -> None:
    """Jobs of the first and the last are blank now, whoever asked for that, and were not last year."""
    then = csv(tmp_path, "2025.csv", "age,job", [f"{age},{job}" for age, job in SIX])
    one = ga.Earlier(ga.read_table(then), name="2025", linked="rows", rows=range(1, 7), file=then)
    blank = ga.Withheld(cells=[(1, "job"), (6, "job")])
    for how in ({"withheld": blank}, {"stated": blank}, {"withheld": blank, "stated": blank}):
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(jobs(tmp_path, one, **how), tmp_path, identity="1/2")


def test_one_person_has_one_row_in_each_release(tmp_path: Path) -> None:
    """Measured or checked: who is taken for two would seem to be one of more."""
    release = jobs(tmp_path, ages(tmp_path, rows=[1, 2, 3, 4, 4, 6]))
    with pytest.raises(ga.DataError, match="2025 has several rows that are row 4"):
        ga.assess(release, BY_FIT, ga.Tolerance(identity="1/2"))
    with pytest.raises(ga.CheckFailed, match="Two rows of 2025 are said to be one person's"):
        judged(release, tmp_path, identity="99/100")


def test_whoever_knows_the_method_knows_by_what_earlier_files_were_planned_for_others(tmp_path: Path) -> None:
    """All have the same values; one was blank in the column that only the other attacker compares."""
    then = csv(tmp_path, "2025.csv", "age,job", ["30,", "30,cook", "30,cook", "30,cook"])
    now = csv(tmp_path, "now.csv", "age", ["30"] * 4)
    original = ga.Table.from_rows([{"age": "30", "job": "cook"}] * 4)
    before = ga.Earlier(
        ga.read_table(then), name="2025", linked="rows", rows=range(1, 5), file=then, original=original
    )
    release = ga.Release(ga.read_table(now), earlier=[before])
    drawn = draw(release)
    file = write_release(release, tmp_path, drawn)
    ages, jobs = (
        checker.Promise(
            attack="directory",
            attacker=vars(ga.KnowsDirectory(columns=["age"])),
            with_earlier=vars(ga.KnowsDirectory(columns=known)),
            tolerance=ga.Tolerance(identity="1/2", share=share),
        )
        for known, share in ((["age"], "0"), (["age", "job"], "1/2"))
    )
    checker.judge(file, release, [ages], drawn.codes, drawn.order)
    with pytest.raises(ga.CheckFailed, match=r"Together with 2025, .* against attacker 1"):
        checker.judge(file, release, [ages, jobs], drawn.codes, drawn.order)


def test_earlier_releases_are_looked_at_one_by_one_all_together_and_in_every_choice() -> None:
    these: list[Any] = list("abc")
    assert ["".join(some) for some in one_by_one_and_all(these)] == ["a", "b", "c", "abc"]
    assert ["".join(some) for some in every_choice(these)] == ["a", "b", "c", "ab", "ac", "bc", "abc"]
