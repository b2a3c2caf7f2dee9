"""Items that are given as their categories: by brute force, through written files, and what is refused."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.sizes import sized
from typer.testing import CliRunner

import giveaway as ga
from giveaway import checker
from giveaway.cli.main import app

HALF = Fraction(1, 2)
LEVELS = {
    "a": ["x", "all"],
    "b": ["x", "all"],
    "c": ["y", "all"],
    "d": ["y", "all"],
    "e": ["e", "all"],
}
Row = frozenset[str]

tables = st.lists(st.frozensets(st.sampled_from("abcdefs")), min_size=4, max_size=10)


def data_of(rows: list[Row]) -> ga.Transactions:
    private = ["s"] if any("s" in row for row in rows) else []
    return ga.Transactions.from_lists([sorted(row) for row in rows], private=private)


def shown_by(made: ga.Assessment) -> dict[Any, Any]:
    """Return what stands for each item that has not its own name, worked out of the levels alone."""
    levels = {item: LEVELS[item][level - 1] for item, level in made.withheld.item_levels.items()}
    return dict.fromkeys(made.withheld.items) | levels


def protected(rows: list[Row], p: int, need: int | None, **options: Any) -> ga.Assessment | None:
    data = data_of(rows)
    limits = ga.Tolerance(identity=HALF, attribute=HALF) if data.private else ga.Tolerance(identity=HALF)
    needs = None if need is None else ga.NeedsItemsets(min_support=need)
    release = ga.Release(data, hierarchies={"item": LEVELS})
    try:
        return ga.protect(release, ga.KnowsItems(at_most=p), limits, need=needs, items=options)
    except ga.NoSafeRelease:
        return None


@sized(80)
@given(
    rows=tables,
    p=st.integers(1, 3),
    need=st.sampled_from([None, 1, 3]),
    prefer=st.sampled_from(["names", "categories"]),
)
def test_no_attacker_is_above_the_limit_whatever_original_items_they_know(
    rows: list[Row], p: int, need: int | None, prefer: str
) -> None:
    assume(any(row - {"s"} for row in rows))
    made = protected(rows, p, need, prefer=prefer)
    assume(made is not None and (made.withheld.item_levels or made.withheld.items))
    assert made is not None
    private = {"s"} & frozenset().union(*rows)
    shown = shown_by(made)
    released = oracle.under(rows, shown)

    assert oracle.coherent(released, private, HALF, 2, p)
    assert not set(shown) & private
    for place, row in enumerate(rows):
        for size in range(1, p + 1):
            for known in combinations(sorted(row - private), size):
                labels = {shown.get(item, item) for item in known} - {None}
                fitting = [other for other in released if labels <= other]
                assert released[place] in fitting
                assert len(fitting) >= 2
                assert 2 * sum("s" in other for other in fitting) <= len(fitting)

    risk = made.findings[0].risk
    assert risk is not None
    own = oracle.without(rows, shown)
    assert risk.kept["item_occurrences"] == sum(map(len, own))
    categories = {label for item, label in shown.items() if label not in (None, item)}
    if categories:
        assert risk.figures["categories"] == len(categories)
        assert risk.figures["category_occurrences"] == sum(len(row & categories) for row in released)
    if need is not None:
        everything, named = (oracle.nuggets(table, need) for table in (released, own))
        assert risk.figures["nuggets_kept"] == len(named)
        if categories:
            assert risk.figures["nuggets_coarser"] == len(everything) - len(named)


@settings(max_examples=60, deadline=None)
@given(rows=tables, p=st.integers(1, 2), need=st.sampled_from([None, 2]))
def test_categories_cost_no_item_its_name(rows: list[Row], p: int, need: int | None) -> None:
    assume(any(row - {"s"} for row in rows))
    made = protected(rows, p, need)
    data = data_of(rows)
    limits = ga.Tolerance(identity=HALF, attribute=HALF) if data.private else ga.Tolerance(identity=HALF)
    needs = None if need is None else ga.NeedsItemsets(min_support=need)
    try:
        plain = ga.protect(ga.Release(data), ga.KnowsItems(at_most=p), limits, need=needs)
    except ga.NoSafeRelease:
        return
    assert made is not None
    assert {*made.withheld.items, *made.withheld.item_levels} == {*plain.withheld.items}
    assert made.kept["items"]["item_occurrences"] == plain.kept["items"]["item_occurrences"]


@settings(max_examples=25, deadline=None)
@given(rows=st.lists(st.frozensets(st.sampled_from("abcs")), min_size=4, max_size=7), p=st.integers(1, 2))
def test_no_way_to_show_items_keeps_more_itemsets_of_names_than_withholding(rows: list[Row], p: int) -> None:
    """The proposition of `protecting.categories`, and the proof of the best release, over all ways."""
    private = {"s"} & frozenset().union(*rows)
    assume(not oracle.empty_set_is_mole(rows, private, HALF, 2) and any(row - {"s"} for row in rows))
    public = oracle.public_items(rows, private)
    safe = [
        shown
        for shown in oracle.ways_to_show(public, LEVELS)
        if oracle.coherent(oracle.under(rows, shown), private, HALF, 2, p)
    ]

    def kept(shown: dict[Any, Any]) -> int:
        gone = [item for item, label in shown.items() if label != item]
        return len(oracle.nuggets(oracle.without(rows, gone), 2))

    withholding = [shown for shown in safe if all(label in (item, None) for item, label in shown.items())]
    assert max(map(kept, safe)) == max(map(kept, withholding))

    data = data_of(rows)
    limits = ga.Tolerance(identity=HALF, attribute=HALF) if private else ga.Tolerance(identity=HALF)
    release, effort = ga.Release(data, hierarchies={"item": LEVELS}), ga.Effort(exact=True)
    try:
        made = ga.protect(
            release, ga.KnowsItems(at_most=p), limits, need=ga.NeedsItemsets(min_support=2), effort=effort
        )
    except ga.NoSafeRelease:
        assert len(withholding) == 1  # that of everything
        return
    protection = made.findings[0].protection
    if protection is not None and protection.figures.get("optimal"):
        assert made.kept["items"]["nuggets"] == max(map(kept, safe))


def test_items_too_rare_to_hide_in_are_shown_together() -> None:
    rows = [["bread", "cola"], ["bread", "tea"], ["bread", "water"], ["bread"], ["bread", "jam"]]
    data = ga.Transactions.from_lists(rows)
    drinks = {"cola": ["drinks"], "tea": ["drinks"], "water": ["drinks"], "bread": ["food"]}
    release = ga.Release(data, hierarchies={"item": drinks})
    safer = ga.protect(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3"))

    assert safer.withheld.items == ("jam",)
    assert safer.withheld.item_levels == {"cola": 1, "tea": 1, "water": 1}
    assert dict(
        zip(safer.release.published.labels, safer.release.published.supports.tolist(), strict=True)
    ) == {
        "bread": 5,
        "drinks": 3,
    }
    summary = safer.to_dict()
    assert summary["withheld"]["items_coarser"][0] == {"item": "cola", "label": "drinks", "level": 1}
    assert summary["released"]["categories"] == 1
    rare = next(e for e in summary["before"][0]["exposures"] if e["target"] == ["cola"])
    assert (rare["chance_exact"], rare["after_exact"]) == ("1/1", "1/3")


def test_where_no_item_is_safe_alone_categories_may_be() -> None:
    rows = [["cola"], ["tea"], ["water"], ["juice"]]
    data = ga.Transactions.from_lists(rows)
    drinks = {item: ["drinks"] for (item,) in rows}
    asked = ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/4")
    with pytest.raises(ga.NoSafeRelease, match="none is safe even alone"):
        ga.protect(ga.Release(data), *asked)
    assert ga.protect(ga.Release(data, hierarchies={"item": drinks}), *asked).release.published.labels == (
        "drinks",
    )
    few = ga.Release(data, hierarchies={"item": {**drinks, "juice": ["fruit"]}})
    with pytest.raises(ga.NoSafeRelease, match="No category that was tried helps") as caught:
        ga.protect(few, *asked)
    assert not caught.value.proved


def test_names_are_given_up_for_categories_where_these_are_preferred() -> None:
    rows = [["cola", "bread"], *[["cola"]] * 3, *[["tea", "bread"]] * 3, *[["bread"]] * 2]
    drinks = {"cola": ["drinks"], "tea": ["drinks"]}
    release = ga.Release(ga.Transactions.from_lists(rows), hierarchies={"item": drinks})
    asked = ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3")
    names, categories = (
        ga.protect(release, *asked, items={"prefer": prefer}) for prefer in ("names", "categories")
    )

    assert "drinks" in categories.release.published.labels
    assert categories.release.published.occurrences == 13
    assert (names.withheld.items, categories.withheld.items) == (("cola",), ())
    assert [made.kept["items"]["item_occurrences"] for made in (names, categories)] == [9, 6]


def test_a_release_may_be_planned_with_categories() -> None:
    rows = [["cola"], ["tea"], ["tea"], ["bread"], ["bread"]]
    drinks = {"cola": ["drinks"], "tea": ["drinks"]}
    planned = ga.Release(
        ga.Transactions.from_lists(rows),
        ga.Withheld(item_levels={"cola": 1, "tea": 1}),
        hierarchies={"item": drinks},
    )
    found = ga.assess(planned, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))

    assert found.verdict == "safe"
    assert found.findings[0].against == "somebody who knows published items and categories only"
    assert found.findings[0].risk is not None
    assert found.findings[0].risk.figures["withheld_known_worst"] == 1
    stricter = ga.protect(planned, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/3"))
    assert (stricter.withheld.items, set(stricter.withheld.item_levels)) == (("bread",), {"cola", "tea"})


SHOP = ["cola bread", "tea bread cola", "tea", "bread jam", "bread jam", "", "jam s", "water bread"]
SHOWN = [
    frozenset(
        {"cola": "drinks", "tea": "drinks", "water": "drinks"}.get(x, x) for x in row.split() if x != "jam"
    )
    for row in SHOP
]
CATEGORIES = {"cola": ["drinks"], "tea": ["drinks"], "water": ["drinks"], "jam": ["sweet"]}


def _baskets(folder: Path) -> ga.Transactions:
    (folder / "shop.dat").write_text("".join(f"{row}\n" for row in SHOP))
    return ga.read_transactions(folder / "shop.dat", private=["s"])


def _long(folder: Path, ending: str = "csv") -> ga.Transactions:
    pairs = [(str(at), item) for at, row in enumerate(SHOP) for item in row.split() or [""]]
    file = folder / f"shop.{ending}"
    if ending == "csv":
        with file.open("w", newline="") as out:
            csv.writer(out).writerows([("basket", "product"), *pairs])
    else:
        file.write_text("".join(json.dumps({"basket": b, "product": i or None}) + "\n" for b, i in pairs))
    return ga.read_transactions(file, id="basket", item="product", private=["s"])


def _one_hot(folder: Path, ending: str = "csv") -> ga.Transactions:
    items = sorted({item for row in SHOP for item in row.split()})
    marks = [{item: int(item in row.split()) for item in items} for row in SHOP]
    file = folder / f"shop.{ending}"
    if ending == "csv":
        with file.open("w", newline="") as out:
            csv.writer(out).writerows([items, *(list(row.values()) for row in marks)])
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in marks))
    return ga.read_transactions(file, private=["s"])


def _json_lists(folder: Path) -> ga.Transactions:
    (folder / "shop.jsonl").write_text("".join(json.dumps(row.split()) + "\n" for row in SHOP))
    return ga.read_transactions(folder / "shop.jsonl", private=["s"])


def _frame(kind: str, shape: str) -> Callable[[Path], ga.Transactions]:
    def made(_: Path) -> ga.Transactions:
        library = pytest.importorskip(kind)
        rows = [row.split() for row in SHOP]
        if shape == "lists":
            return ga.Transactions.from_frame(library.DataFrame({"items": rows}), item="items", private=["s"])
        if shape == "long":
            whose = [at for at, row in enumerate(rows) for _ in row or [None]]
            what = [item for row in rows for item in row or [None]]
            frame = library.DataFrame({"basket": whose, "product": what})
            return ga.Transactions.from_frame(frame, id="basket", item="product", private=["s"])
        items = sorted({item for row in rows for item in row})
        frame = library.DataFrame({item: [item in row for row in rows] for item in items})
        return ga.Transactions.from_frame(frame, private=["s"])

    return made


def _parquet(shape: str) -> Callable[[Path], ga.Transactions]:
    def made(folder: Path) -> ga.Transactions:
        polars = pytest.importorskip("polars")
        rows = [row.split() for row in SHOP]
        if shape == "lists":
            polars.DataFrame({"items": rows}).write_parquet(folder / "shop.parquet")
            return ga.read_transactions(folder / "shop.parquet", item="items", private=["s"])
        items = sorted({item for row in rows for item in row})
        polars.DataFrame({item: [item in row for row in rows] for item in items}).write_parquet(
            folder / "shop.parquet"
        )
        return ga.read_transactions(folder / "shop.parquet", private=["s"])

    return made


FORMS: dict[str, Callable[[Path], ga.Transactions]] = {
    "baskets": _baskets,
    "lists in memory": lambda _: ga.Transactions.from_lists([row.split() for row in SHOP], private=["s"]),
    "long csv": _long,
    "long jsonl": lambda folder: _long(folder, "jsonl"),
    "one-hot csv": _one_hot,
    "one-hot jsonl": lambda folder: _one_hot(folder, "jsonl"),
    "lists jsonl": _json_lists,
    "one-hot parquet": _parquet("one-hot"),
    "lists parquet": _parquet("lists"),
    **{
        f"{shape} {kind}": _frame(kind, shape)
        for kind in ("pandas", "polars")
        for shape in ("lists", "long", "one-hot")
    },
}


def stated(data: ga.Transactions, **how: Any) -> ga.Release:
    withheld = ga.Withheld(item_levels={"cola": 1, "tea": 1, "water": 1})
    return ga.Release(data, withheld, hierarchies={"item": CATEGORIES}, **how)


@pytest.mark.parametrize("order", ["shuffled", "kept"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_the_category_once(form: str, order: Any, tmp_path: Path) -> None:
    data = FORMS[form](tmp_path)
    asked = ga.KnowsItems(at_most=1, knows_method=order == "shuffled"), ga.Tolerance(identity="1/2")
    release = ga.Release(data, ga.Withheld(items=["jam"]), hierarchies={"item": CATEGORIES}, order=order)
    release = release.withholding(stated(data).withheld)
    found = ga.assess(release, *asked)
    assert found.verdict == "safe"
    found.publish(tmp_path / "out")
    (file,) = (path for path in (tmp_path / "out").iterdir() if path.name != "manifest.json")
    assert _read_again(file, form) == Counter(SHOWN)
    if order == "kept" and form == "baskets":
        assert file.read_text().splitlines()[1] == "bread drinks"


def _read_again(file: Path, form: str) -> Counter[frozenset[str]]:
    """Read a release as a stranger would."""
    shape = form.split(maxsplit=1)[0]
    roles: dict[str, Any] = {}
    if shape == "long":
        roles = {"id": "basket", "item": "product"}
    elif file.suffix == ".parquet" and shape == "lists":
        roles = {"item": "items"}
    data = ga.read_transactions(file, **roles)
    rows: Counter[frozenset[str]] = Counter()
    for at, weight in enumerate(data.weights.tolist()):
        codes = data.codes[data.offsets[at] : data.offsets[at + 1]].tolist()
        rows[frozenset(str(data.labels[code]) for code in codes)] += weight
    return rows


def test_a_renamed_release_has_one_code_for_a_category(tmp_path: Path) -> None:
    data = _baskets(tmp_path)
    release = stated(data, renamed=True).withholding(ga.Withheld(items=["jam"]))
    found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    found.publish(tmp_path / "out", key=tmp_path / "key.json")
    codes = json.loads((tmp_path / "key.json").read_text())["releases"][0]["codes"]
    assert sorted(codes.values()) == ["bread", "drinks", "s"]
    back = Counter(
        frozenset(codes[code] for code in line.split())
        for line in (tmp_path / "out" / "release.dat").read_text().splitlines()
    )
    assert back[frozenset({"bread", "drinks"})] == 3
    assert "categories" not in found.to_dict()["released"]


def test_the_checker_finds_an_item_under_its_own_name(tmp_path: Path) -> None:
    data = _baskets(tmp_path)
    release = stated(data).withholding(ga.Withheld(items=["jam"]))
    promise = checker.Promise(attack="items", attacker={"at_most": 1}, tolerance=ga.Tolerance(identity="1/2"))
    right = "".join(" ".join(sorted(row)) + "\n" for row in SHOWN)
    file = tmp_path / "release.dat"
    file.write_text(right)
    checker.judge(file, release, [promise])
    for wrong in (right.replace("drinks", "cola", 1), right.replace("drinks\n", "\n", 1), right + "drinks\n"):
        file.write_text(wrong)
        with pytest.raises(ga.CheckFailed):
            checker.judge(file, release, [promise])
    file.write_text(right.replace("bread drinks\n", "bread drinks drinks\n", 1))
    with pytest.raises(ga.CheckFailed, match="twice"):
        checker.judge(file, release, [promise])


@pytest.mark.parametrize(
    ("hierarchies", "levels", "said"),
    [
        ({"item": {"s": ["x"], "tea": ["x"]}}, {}, "holds the private item 's' and the public item 'tea'"),
        ({"item": {"tea": ["bread"]}}, {}, "called like an item"),
        ({"item": {"tea": ["s"]}}, {}, "called like an item"),
        ({"price": {"tea": ["x"]}}, {}, "transactions have items only"),
        ({"item": {"tea": ["hot drinks"]}}, {}, "has a blank in it"),
        ({"item": {"tea": [7]}}, {}, "is not a text"),
        ({"item": {"s": ["x"], "tea": ["y"]}}, {"s": 1}, "private items are never given as a category"),
        ({"item": CATEGORIES}, {"tea": 2}, "no category of level 2"),
        ({"item": CATEGORIES}, {"bread": 1}, "no category of level 1"),
        ({"item": CATEGORIES}, {"tea": 0}, "at least 1"),
        ({"item": {"tea": ["*", "x"], "cola": ["y", "x"]}}, {"tea": 1}, "no category of level 1"),
        ({}, {"tea": 1}, "no categories are named"),
    ],
)
def test_what_is_refused(hierarchies: dict[str, Any], levels: dict[str, int], said: str) -> None:
    data = ga.Transactions.from_lists([row.split() for row in SHOP], private=["s"])
    with pytest.raises(ga.ScenarioError, match=said):
        ga.Release(data, ga.Withheld(item_levels=levels), hierarchies=hierarchies)


def test_columns_that_name_an_item_all_the_same_are_refused(tmp_path: Path) -> None:
    (tmp_path / "shop.csv").write_text("basket,product,price\n1,tea,2\n1,bread,3\n2,tea,2\n")
    data = ga.read_transactions(
        tmp_path / "shop.csv", id="basket", item="product", publish_unjudged=["price"]
    )
    with pytest.raises(ga.ScenarioError, match="price is published next to each item"):
        ga.Release(data, hierarchies={"item": CATEGORIES})


def test_supports_and_frequencies_know_no_categories(tmp_path: Path) -> None:
    release = ga.Release(_baskets(tmp_path), hierarchies={"item": CATEGORIES})
    with pytest.raises(ga.ScenarioError, match="does not judge coarser labels"):
        ga.assess(release, ga.KnowsFrequencies(), ga.Tolerance(average="1/2"))


SCENARIO = """\
[release]
data = "shop.dat"
private = ["s"]
hierarchies = { item = "categories.csv" }
item_levels = { cola = 1 }

[tolerates]
identity = "1/2"

[[knows]]
attack = "items"
at_most = 1
"""


def test_a_scenario_file_names_categories_and_plans_with_them(tmp_path: Path) -> None:
    _baskets(tmp_path)
    (tmp_path / "shop.toml").write_text(SCENARIO)
    lines = [";".join([item, *labels]) for item, labels in CATEGORIES.items()]
    (tmp_path / "categories.csv").write_text("\n".join(lines))
    run = CliRunner().invoke
    made = run(app, ["protect", str(tmp_path / "shop.toml"), "-o", str(tmp_path / "out")])

    assert made.exit_code == 0, made.output
    assert "once 2 items are given as their category" in " ".join(made.output.split())
    assert "water" not in (tmp_path / "out" / "release.dat").read_text()
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["counts"] == {"rows": 8, "items": 5}

    (tmp_path / "categories.csv").write_text("\n".join([*lines, "s;drinks"]))
    wrong = run(app, ["assess", str(tmp_path / "shop.toml")])
    assert wrong.exit_code == 2
    assert "line 4" in wrong.output
    assert "holds the private item 's'" in wrong.output
