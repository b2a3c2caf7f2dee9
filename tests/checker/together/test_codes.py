"""Codes now and names or codes earlier: an earlier file with names is a sample, counted from the file."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.checker.together.writing import csv, judged, run, written
from tests.oracles import cracks

import giveaway as ga
from giveaway.checker.attacks.frequencies.judge import EarlierSample

SCENARIO = """
[release]
data = "{data}"
renamed = true
{earlier}
[tolerates]
average = "1/2"
[[knows]]
attack = "frequencies"
belief = "ignorant"
"""
ALIKE = "a b c d\n" * 4 + "a b\nc d\n"
"""Each of four items is in five transactions."""
OTHERS = "a b c d\n" * 3 + "a b c\na b\na\n"


@pytest.mark.parametrize("linked", ["people", "nobody", "unknown"])
def test_names_that_were_published_earlier_are_confirmed_as_a_sample(
    linked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("2025.dat").write_text(ALIKE)
    Path("now.dat").write_text(ALIKE)
    said = f'[[earlier]]\nrelease = "2025.dat"\nlinked = "{linked}"\n'
    written(SCENARIO.format(data="now.dat", earlier=said), "2026", "--json", "2026.json")
    told = json.loads(Path("2026.json").read_text())
    (line,) = (one["says"] for one in told["not_judged"] if one["what"] == "other releases")
    assert line == ("other releases" if linked == "nobody" else "releases other than 2025")
    shown = " ".join(run("report", "2026.json").output.split())
    assert ("releases other than 2025" in shown) == (linked != "nobody")


def test_codes_that_were_published_earlier_tell_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("now.dat").write_text(ALIKE)
    written(SCENARIO.format(data="now.dat", earlier=""), "2025", "--ledger", "ledger.json")
    said = '[[earlier]]\nrelease = "2025"\nledger = "ledger.json"\n'
    written(SCENARIO.format(data="now.dat", earlier=said), "2026")


def release(folder: Path, then: str, now: str, **how: Any) -> ga.Release:
    """Transactions under codes, and earlier ones with names."""
    (folder / "2025.dat").write_text(then)
    (folder / "now.dat").write_text(now)
    shown = ga.read_transactions(folder / "2025.dat")
    one = ga.Earlier(shown, name="2025", file=folder / "2025.dat", **{"linked": "people"} | how)
    return ga.Release(ga.read_transactions(folder / "now.dat"), renamed=True, earlier=[one])


IGNORANT = ga.KnowsFrequencies(belief=ga.Belief.ignorant())


@pytest.mark.parametrize("linked", ["people", "nobody"])
def test_a_sample_that_gives_codes_away_breaks_the_promise(linked: Any, tmp_path: Path) -> None:
    judged(release(tmp_path, ALIKE, ALIKE, linked=linked), tmp_path, IGNORANT, average="1/4")
    with pytest.raises(ga.CheckFailed, match=r"Together with 2025, release\.dat breaks the promise"):
        judged(release(tmp_path, OTHERS, OTHERS, linked=linked), tmp_path, IGNORANT, average="1/4")


def test_files_that_were_changed_are_noticed(tmp_path: Path) -> None:
    now = release(tmp_path, ALIKE, OTHERS)
    judged(now, tmp_path, IGNORANT, average="1/4")
    (tmp_path / "2025.dat").write_text(OTHERS)
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(now, tmp_path, IGNORANT, average="1/4")
    (tmp_path / "2025.dat").write_text(ALIKE)

    def exchanged(out: Path) -> None:
        text = out.read_text()
        out.write_text(text.translate(str.maketrans("12", "21")))

    apart = "a b\n" * 3 + "a\n" * 2 + "b\n"
    with pytest.raises(ga.CheckFailed, match="not the original"):
        judged(release(tmp_path, apart, apart), tmp_path, IGNORANT, exchanged, average="1")


def test_codes_that_were_used_before_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = "abcdefghijkl"
    (tmp_path / "now.dat").write_text(" ".join(items) + "\n")
    shop = ga.read_transactions(tmp_path / "now.dat")
    codes = {item: str(at) for at, item in enumerate(items, 1)}
    one = ga.Earlier(shop, name="2025", linked="people", renamed=True, codes=codes)
    now = ga.Release(shop, renamed=True, earlier=[one])
    judged(now, tmp_path, IGNORANT, average="1/2")
    monkeypatch.setattr("giveaway.publish.release._codes", lambda _: codes)
    with pytest.raises(ga.CheckFailed, match="has the codes of 2025"):
        judged(now, tmp_path, IGNORANT, average="1/2")


def test_people_are_not_confirmed_together(tmp_path: Path) -> None:
    csv(tmp_path, "now.csv", "name,age", ["ann,30", "bob,30", "cid,40", "dan,40"])
    table = ga.read_table(tmp_path / "now.csv", id="name")
    one = ga.Earlier(table, name="2025", linked="people")
    attacker = ga.KnowsFrequencies(belief=ga.Belief.of_people({"ann": {"age": "30"}}))
    with pytest.raises(ga.NotConfirmed, match="What is known of people is not checked together"):
        judged(ga.Release(table, earlier=[one]), tmp_path, attacker, identity="1")


BASKETS = st.lists(st.frozensets(st.sampled_from("abcd")), min_size=3, max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(then=BASKETS, now=BASKETS)
def test_chances_are_those_of_all_mappings(
    then: list[frozenset[str]], now: list[frozenset[str]], tmp_path: Path
) -> None:
    """Who believes that items are as frequent as then, give or take the median gap of then."""
    items = sorted(frozenset().union(*now))
    if not items or not all(now) or not all(then):
        return
    supports = [sum(item in basket for basket in now) for item in items]
    seen = [sum(item in basket for basket in then) for item in items]
    groups = sorted({*seen})
    gap = Fraction(median(high - low for low, high in pairwise(groups))) if len(groups) > 1 else Fraction(0)
    fits = [
        {
            code
            for code, count in enumerate(supports)
            if abs(Fraction(count, len(now)) - Fraction(support, len(then))) <= gap / len(then)
        }
        for support in seen
    ]
    if not any(True for _ in cracks.mappings(fits)):
        return
    average = sum(cracks.crack_chances(fits), Fraction(0)) / len(items)
    made = release(
        tmp_path,
        "".join(" ".join(sorted(basket)) + "\n" for basket in then),
        "".join(" ".join(sorted(basket)) + "\n" for basket in now),
    )
    by_the_paper = ga.KnowsFrequencies(belief=ga.Belief.ignorant(), knows_method=False)
    judged(made, tmp_path, by_the_paper, average=max(average, Fraction(1, len(items))))
    if Fraction(1, len(items)) < average:
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(made, tmp_path, by_the_paper, average=average - Fraction(1, 1000))


def test_a_sample_has_as_many_rows_as_its_file() -> None:
    assert len(EarlierSample(labels=("a",), supports=None, rows=3)) == 3  # type: ignore[arg-type] # not asked for
