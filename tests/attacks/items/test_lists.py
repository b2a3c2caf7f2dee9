from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.reporting import lists
from giveaway.model.answer.risk import Risk
from giveaway.model.question.effort import Effort
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

Rows = list[set[str]]
PRIVATE = ("y", "z")
some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 3)), min_size=1, max_size=8
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = fractions(Fraction(1, 3), 1, max_denominator=5)
quick = settings(max_examples=150, deadline=None)


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


def measured(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, need: NeedsItemsets | None, withheld: str = ""
) -> Risk | None:
    gone = sorted(set(withheld) & set().union(*rows))
    if not set().union(*rows) - set(PRIVATE) - set(gone):
        return None
    release = Release(transactions(rows, private_in(rows))).withholding(Withheld(items=gone))
    tolerance = ga.Tolerance(identity=Fraction(1, crowd), attribute=limit)
    return measure(release, ga.KnowsItems(at_most=at_most), tolerance, need, Effort())


def itemsets(listed: Any) -> list[frozenset[str]]:
    return [frozenset(row["items"]) for row in listed.rows]


@quick
@given(rows=some_rows, at_most=st.integers(1, 4), crowd=st.integers(1, 4), limit=limits)
def test_the_moles_that_are_listed_are_those_of_brute_force(
    rows: Rows, at_most: int, crowd: int, limit: Fraction
) -> None:
    risk = measured(rows, at_most, crowd, limit, None)
    if risk is None or oracle.empty_set_is_mole(rows, private_in(rows), limit, crowd):
        return
    moles = oracle.moles(rows, private_in(rows), limit, crowd, at_most)
    if not moles:
        assert "moles" not in risk.lists
        return
    listed = risk.lists["moles"]
    assert listed.total == len(listed.rows) == risk.figures["moles"]
    assert set(itemsets(listed)) == set(moles)
    assert all(row["support"] == oracle.support(rows, row["items"]) for row in listed.rows)
    minimal = {frozenset(row["items"]) for row in listed.rows if row["minimal"]}
    assert minimal == set(oracle.minimal_moles(rows, private_in(rows), limit, crowd, at_most))
    sizes = [len(row["items"]) for row in listed.rows]
    assert sizes == sorted(sizes)


@quick
@given(rows=some_rows, at_most=st.integers(1, 4), crowd=st.integers(2, 4), most=st.integers(1, 12))
def test_of_too_many_moles_the_smallest_are_listed_once_each(
    rows: Rows, at_most: int, crowd: int, most: int
) -> None:
    risk = measured(rows, at_most, crowd, Fraction(1), None)
    if risk is None:
        return
    whole = lists.moles(risk.details._seen.moles)  # type: ignore[attr-defined]
    few = lists.moles(risk.details._seen.moles, most)  # type: ignore[attr-defined]
    assert len(few) == len(set(few)) == min(most, len(whole))
    assert set(few) <= set(whole)
    assert [len(one.codes) for one in few] == [len(one.codes) for one in whole][:most]
    not_looked_at = lists.moles(risk.details._seen.moles, cells=0)  # type: ignore[attr-defined]
    assert set(not_looked_at) <= set(whole)


@sized(150)
@given(
    rows=some_rows,
    withheld=st.text("abc", max_size=3),
    min_support=st.integers(1, 4),
    max_size=st.sampled_from([None, 1, 2, 3]),
)
def test_the_nuggets_kept_and_lost_are_those_of_brute_force(
    rows: Rows, withheld: str, min_support: int, max_size: int | None
) -> None:
    risk = measured(
        rows, 1, 2, Fraction(1), NeedsItemsets(min_support=min_support, max_size=max_size), withheld
    )
    if risk is None:
        return
    original = set(oracle.nuggets(rows, min_support, max_size))
    kept = set(oracle.nuggets(oracle.without(rows, withheld), min_support, max_size))
    for name, wanted in (("nuggets", kept), ("nuggets_lost", original - kept)):
        if not wanted:
            assert name not in risk.lists
            continue
        listed = risk.lists[name]
        assert listed.total == len(listed.rows)
        assert set(itemsets(listed)) == wanted
        assert all(row["support"] == oracle.support(rows, row["items"]) for row in listed.rows)


@quick
@given(rows=some_rows, min_support=st.integers(1, 3), most=st.integers(1, 20))
def test_of_too_many_nuggets_the_smallest_are_listed(rows: Rows, min_support: int, most: int) -> None:
    data = transactions(rows, private_in(rows))
    need = NeedsItemsets(min_support=min_support)
    whole, few = lists.nuggets(data, need), lists.nuggets(data, need, most)
    assert len(whole) == len(oracle.nuggets(rows, min_support))
    assert whole[: len(few)] == few
    following = [len(one.codes) for one in whole[len(few) :]]
    complete = not few or not following or following[0] > len(few[-1].codes)
    assert complete or (len(few) == most and len(few[-1].codes) == 1)


@sized(150)
@given(
    rows=some_rows,
    at_most=st.integers(1, 3),
    limit=limits,
    min_support=st.integers(1, 3),
    withheld=st.text("ab", max_size=2),
)
def test_accurate_rules_are_those_of_brute_force(
    rows: Rows, at_most: int, limit: Fraction, min_support: int, withheld: str
) -> None:
    private = private_in(rows)
    risk = measured(rows, at_most, 2, limit, NeedsItemsets(min_support=min_support), withheld)
    if risk is None:
        return
    if not private:
        assert "accurate_rules" not in risk.figures
        return

    def rules(of: Any) -> set[Any]:
        return {
            (nugget - {s}, s)
            for nugget in oracle.nuggets(of, min_support)
            for s in nugget & set(private)
            if not (nugget - {s}) & set(private)
            and len(nugget) - 1 > at_most
            and Fraction(oracle.support(of, nugget), oracle.support(of, nugget - {s})) > limit
        }

    left = oracle.without(rows, withheld)
    assert risk.figures["accurate_rules"] == len(rules(left))
    if set(withheld) & set().union(*rows):
        assert risk.figures["accurate_rules_total"] == len(rules(rows))
    if rules(left):
        listed = risk.lists["accurate_rules"].rows
        assert {(frozenset(row["items"]), row["private_item"]) for row in listed} == rules(left)
        assert all(row["chance"] > limit for row in listed)


def test_of_too_many_nuggets_no_rules_are_made(monkeypatch: Any) -> None:
    monkeypatch.setattr(lists, "MOST_FOR_RULES", 2)
    rows = [set("aby"), set("aby"), set("abcz")]
    risk = measured(rows, 1, 2, Fraction(1, 2), NeedsItemsets(min_support=2))
    assert risk is not None
    assert risk.figures["accurate_rules"] is None
    assert "accurate_rules" not in risk.lists


FIGURE_1 = ["a b e f s1", "c e f g s2", "a b g s3", "a b f g s2", "a b d g s2", "e f g s1", "b e f g s3"]


def test_reports_and_the_summary_name_what_is_kept_and_lost_and_the_public_edition_does_not(
    tmp_path: Path,
) -> None:
    data = ga.Transactions.from_lists(map(str.split, FIGURE_1), private=["s1", "s2", "s3"])
    safer = ga.protect(
        ga.Release(data),
        ga.KnowsItems(at_most=3),
        ga.Tolerance(identity="1/3", attribute="1/2"),
        need=ga.NeedsItemsets(min_support=4),
    )

    summary = safer.to_dict(exposures=3)
    lost, kept = (summary["findings"][0]["lists"][name] for name in ("nuggets_lost", "nuggets"))
    assert [row["items"] for row in lost["rows"]] == [["b"], ["a"], ["a", "b"]]
    assert (lost["total"], kept["total"], len(kept["rows"])) == (4, 5, 3)
    assert summary["before"][0]["lists"]["moles"]["total"] == 26
    safer.write_reports(html=tmp_path / "owner.html", public_html=tmp_path / "public.html")
    owner, public = ((tmp_path / name).read_text() for name in ("owner.html", "public.html"))
    for title in ("Combinations over a limit", "Needed combinations (nuggets) that are lost"):
        assert title in owner
        assert title not in public
