"""Items that must be kept, against every choice of others that could be withheld."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.sizes import sized

import giveaway as ga

PRIVATE = ("y", "z")
Rows = list[set[str]]

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdeyz")), st.integers(1, 3)), min_size=1, max_size=7
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])


def released(rows: Rows) -> ga.Release:
    private = [item for item in PRIVATE if any(item in row for row in rows)]
    return ga.Release(ga.Transactions.from_lists(rows, private=private))


def choices(items: list[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def is_safe(rows: Rows, tolerance: ga.Tolerance, at_most: int) -> bool:
    """Judge by the definitions; what is published has a public item."""
    limit = Fraction(1) if tolerance.attribute is None else tolerance.attribute
    crowd = tolerance.smallest_crowd
    if not oracle.public_items(rows, PRIVATE) or oracle.empty_set_is_mole(rows, PRIVATE, limit, crowd):
        return False
    exposed = oracle.exposed_rows(rows, PRIVATE, limit, crowd, at_most)
    return len(exposed) <= tolerance.share * len(rows)


def protected(
    rows: Rows,
    at_most: int,
    tolerance: ga.Tolerance,
    needs: list[ga.NeedsItems | ga.NeedsItemsets],
    options: dict[str, object],
) -> ga.Assessment:
    return ga.protect(released(rows), ga.KnowsItems(at_most=at_most), tolerance, need=needs, items=options)


@sized(200)
@given(
    rows=some_rows,
    keep=st.sets(st.sampled_from("abcde"), min_size=1, max_size=3),
    at_most=st.integers(1, 3),
    crowd=st.integers(2, 4),
    attribute=st.sampled_from([None, "1/2", "2/3"]),
    share=st.sampled_from([0, 0, "1/4"]),
    min_support=st.sampled_from([None, 1, 3]),
    options=st.sampled_from([{}, {"score": "paper"}, {"reinstate": False}, {"keep_infrequent": True}]),
)
def test_a_safe_release_with_the_kept_items_is_found_exactly_where_there_is_one(
    rows: Rows,
    keep: set[str],
    at_most: int,
    crowd: int,
    attribute: str | None,
    share: str | int,
    min_support: int | None,
    options: dict[str, object],
) -> None:
    present = set().union(*rows)
    assume(keep <= present)
    tolerance = ga.Tolerance(
        identity=Fraction(1, crowd), share=share, attribute=attribute if present & {*PRIVATE} else None
    )
    others = [item for item in oracle.public_items(rows, PRIVATE) if item not in keep]
    safe = [gone for gone in choices(others) if is_safe(oracle.without(rows, gone), tolerance, at_most)]
    needs: list[ga.NeedsItems | ga.NeedsItemsets] = [ga.NeedsItems(keep=sorted(keep))]
    needs += [] if min_support is None else [ga.NeedsItemsets(min_support=min_support)]
    if not safe:
        with pytest.raises(ga.NoSafeRelease) as refused:
            protected(rows, at_most, tolerance, needs, options)
        assert refused.value.proved
        return
    made = protected(rows, at_most, tolerance, needs, options)
    assert tuple(sorted(made.withheld.items)) in {tuple(sorted(gone)) for gone in safe}
    assert made.verdict == "safe"


@settings(max_examples=60)
@given(
    rows=some_rows,
    keep=st.sets(st.sampled_from("abcde"), min_size=1, max_size=2),
    min_support=st.integers(1, 3),
)
@example(rows=[{"a", "b"}, {"a", "b"}, {"a", "c"}, {"b", "c"}, {"a"}], keep={"c"}, min_support=1)
def test_what_is_proved_best_is_best_of_all_that_keep_the_items(
    rows: Rows, keep: set[str], min_support: int
) -> None:
    pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")
    assume(keep <= set().union(*rows))
    tolerance = ga.Tolerance(identity="1/2")
    others = [item for item in oracle.public_items(rows, PRIVATE) if item not in keep]
    kept = [
        len(oracle.nuggets(left, min_support))
        for gone in choices(others)
        if is_safe(left := oracle.without(rows, gone), tolerance, 2)
    ]
    needs = [ga.NeedsItems(keep=sorted(keep)), ga.NeedsItemsets(min_support=min_support)]
    effort = ga.Effort(exact=True)
    try:
        made = ga.protect(released(rows), ga.KnowsItems(at_most=2), tolerance, need=needs, effort=effort)
    except ga.NoSafeRelease:
        assert not kept
        return
    if not made.withheld:
        return
    figures = made.findings[0].protection.figures
    assert figures["nuggets_kept"] <= max(kept) <= figures["nuggets_upper_bound"]
    if figures["optimal"]:
        assert figures["nuggets_kept"] == max(kept)
    assert (
        len(oracle.nuggets(oracle.without(rows, made.withheld.items), min_support)) == figures["nuggets_kept"]
    )


SHOP = [{"bread", "jam"}] * 5 + [{"bread", "tea"}] * 5 + [{"bread", "jam", "tea"}]
NEIGHBOUR, CROWD = ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2")


@pytest.mark.parametrize(("kept", "withheld"), [("jam", ("tea",)), ("tea", ("jam",))])
def test_another_way_is_found(kept: str, withheld: tuple[str, ...]) -> None:
    made = ga.protect(released(SHOP), NEIGHBOUR, CROWD, need=ga.NeedsItems(keep=[kept]))

    assert made.withheld.items == withheld
    assert made.to_dict()["need_says"] == f"the item {kept}"


@pytest.mark.parametrize("method", ["counts", pytest.param("borders", marks=pytest.mark.papers)])
def test_every_method_obeys(method: str) -> None:
    needs = [ga.NeedsItems(keep=["tea"]), ga.NeedsItemsets(min_support=1)]

    made = ga.protect(released(SHOP), NEIGHBOUR, CROWD, need=needs, items={"method": method})

    assert made.withheld.items == ("jam",)


def test_the_item_in_the_way_is_named_with_changes_that_help() -> None:
    need = ga.NeedsItems(keep=["jam", "tea", "bread"])

    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(released(SHOP), NEIGHBOUR, CROWD, need=need)

    assert refused.value.proved
    assert "items 'jam' and 'tea' must be kept" in str(refused.value)
    assert "1 transaction holds them, fewer than the crowd of 2" in str(refused.value)
    going, tolerating = refused.value.helps
    assert tolerating.set == ({"tolerates.identity": "1/1"},)
    (change,) = going.set
    less = ga.NeedsItems(keep=change["needs.items.keep"])
    assert ga.protect(released(SHOP), NEIGHBOUR, CROWD, need=less).verdict == "safe"
    summary = refused.value.assessment.to_dict()
    assert summary["no_safe_release"]["helps"][0]["set"] == [change]


@pytest.mark.parametrize(
    ("limits", "change"),
    [
        ({"identity": "1/4"}, "tolerates.identity"),
        ({"identity": "1/2", "attribute": "1/2"}, "tolerates.attribute"),
        ({"identity": "1/9", "attribute": "1/2"}, "tolerates.identity"),
    ],
)
def test_the_limits_that_are_said_to_help_do(limits: dict[str, str], change: str) -> None:
    rows = [{"a", "b", "y"}, {"a", "b", "y"}, {"a", "b"}, {"c"}, {"c"}, {"c", "a"}, {"c"}, {"c"}, {"c"}]
    need = ga.NeedsItems(keep=["a", "b"])
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(released(rows), NEIGHBOUR, ga.Tolerance(**limits), need=need)

    set_to = refused.value.helps[-1].set[0]
    assert change in set_to

    easier = limits | {name.removeprefix("tolerates."): value for name, value in set_to.items()}
    assert ga.protect(released(rows), NEIGHBOUR, ga.Tolerance(**easier), need=need).verdict == "safe"


def test_a_kept_item_is_published_under_its_own_name() -> None:
    rows = [{"cola", "bread"}, {"cola", "bread"}, {"tea", "bread"}, {"tea", "milk"}, {"milk"}, {"milk"}]
    categories = {item: ["drinks"] for item in ("cola", "tea")}
    release = ga.Release(ga.Transactions.from_lists(rows), hierarchies={"item": categories})
    for prefer in ("names", "categories"):
        for kept in ("tea", "cola"):
            need = ga.NeedsItems(keep=[kept])
            made = ga.protect(release, ga.KnowsItems(at_most=1), CROWD, need=need, items={"prefer": prefer})
            assert kept in made.release.own_names.labels
            assert made.verdict == "safe"


@pytest.mark.parametrize(
    ("keep", "says"),
    [
        (["wine"], "The item 'wine' must be kept, and is not in the data."),
        (["tea"], "The item 'tea' must be kept, and is withheld already."),
        ([], "keep names no item."),
        ("tea", "keep is a list of items, not one text."),
    ],
)
def test_what_cannot_be_kept_is_refused(keep: list[str], says: str) -> None:
    release = released(SHOP).withholding(ga.Withheld(items=["tea"]))

    with pytest.raises(ga.ScenarioError, match=says):
        ga.assess(release, NEIGHBOUR, CROWD, need=ga.NeedsItems(keep=keep))


def test_items_of_a_table_are_refused() -> None:
    people = ga.Table.from_rows([{"age": "1"}, {"age": "2"}])

    with pytest.raises(ga.ScenarioError, match="NeedsItems serves none of the attackers named"):
        ga.assess(
            ga.Release(people), ga.KnowsDirectory(columns=["age"]), CROWD, need=ga.NeedsItems(keep=["1"])
        )


def test_a_scenario_states_it_and_the_public_report_names_no_item(tmp_path: Path) -> None:
    (tmp_path / "shop.dat").write_text("".join(" ".join(sorted(row)) + "\n" for row in SHOP))
    text = """
        release = { data = "shop.dat" }
        tolerates = { identity = "1/2" }
        knows = [{ attack = "items", at_most = 2 }]
        needs = { items = { keep = ["tea"] } }
        """

    made = ga.Scenario.from_text(text, tmp_path).protect()

    assert made.withheld.items == ("jam",)
    assert "tea" in made.to_html()
    page = made.to_html(public=True)
    assert "tea" not in page.replace("steady", "").replace("instead", "")
