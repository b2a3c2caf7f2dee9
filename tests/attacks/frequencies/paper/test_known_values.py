"""Results for the attack of Lakshmanan, Ng and Ramesh on public data sets, to the printed digit."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from tests.attacks.frequencies.cases import papers_attacker
from tests.oracles.build import DATA
from tests.sizes import long

import giveaway as ga
from giveaway.model.answer.risk import Risk
from giveaway.sources import read_supports

TAU = ga.Tolerance(average="1/10")
PAIRS = ga.Tolerance(identity="1/2", share="1/10")


@cache
def data(name: str, domain: tuple[str, ...] = ()) -> ga.Transactions:
    path = DATA / f"{name}.dat.gz"
    if not path.exists():
        pytest.skip(f"the data set {name} is not at hand")
    return ga.read_transactions(path, domain=domain)


def measured(held: Any, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance) -> Risk:
    risk = ga.assess(ga.Release(held), attacker, tolerance).findings[0].risk
    assert risk is not None
    return risk


@cache
def recipe(name: str) -> Risk:
    return measured(data(name), papers_attacker(), TAU)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the table of known results, with a tolerance of one in ten."""

    data: str
    items: int
    groups: int
    single: int
    half_width: str
    estimate: str
    exact: str
    breaking: str
    exact_risk: str
    worst: str
    best: str
    samples: tuple[float, ...]

    def __str__(self) -> str:
        return self.data


ROWS = [
    Row(
        data="chess",
        items=75,
        groups=73,
        single=71,
        half_width="0.0071965",
        estimate="0.5356",
        exact="0.5758",
        breaking="0.187",
        exact_risk="0.174",
        worst="0.093",
        best="0.360",
        samples=(),
    ),
    Row(
        data="mushroom",
        items=119,
        groups=89,
        single=76,
        half_width="0.0044313",
        estimate="0.4010",
        exact="0.4105",
        breaking="0.249",
        exact_risk="0.244",
        worst="0.092",
        best="0.597",
        samples=(0.469, 0.598, 0.712, 0.827, 0.963),
    ),
    Row(
        data="connect",
        items=129,
        groups=124,
        single=121,
        half_width="0.0029013",
        estimate="0.5317",
        exact="0.5498",
        breaking="0.188",
        exact_risk="0.182",
        worst="0.093",
        best="0.473",
        samples=(0.733, 0.878, 0.957, 0.996, 1.0),
    ),
    Row(
        data="retail",
        items=16_470,
        groups=583,
        single=220,
        half_width="0.0000113",
        estimate="0.0183",
        exact="0.0190",
        breaking="1.000",
        exact_risk="1.000",
        worst="1.000",
        best="1.000",
        samples=(0.667, 0.529, 0.573, 0.529, 0.664),
    ),
    Row(
        data="accidents_first15224",
        items=319,
        groups=225,
        single=197,
        half_width="0.0005255",
        estimate="0.3832",
        exact="0.3913",
        breaking="0.261",
        exact_risk="0.256",
        worst="0.097",
        best="0.693",
        samples=(0.607, 0.598, 0.653, 0.701, 0.816),
    ),
]
LARGE = ("accidents_first15224", "connect", "retail")
"""The data that take long."""
EVERY = [pytest.param(row, marks=long) if str(row) in LARGE else row for row in ROWS]
EVERY_ROW = pytest.mark.parametrize("row", EVERY, ids=str)


@EVERY_ROW
def test_the_recipe_for_items(row: Row) -> None:
    found = recipe(row.data)
    figures = found.figures

    assert (figures["items"], figures["groups"], figures["singleton_groups"]) == (
        row.items,
        row.groups,
        row.single,
    )
    assert figures["point_valued_cracks"] == row.groups
    assert f"{float(figures['half_width']):.7f}" == row.half_width
    assert f"{float(figures['o_estimate']) / row.items:.4f}" == row.estimate
    assert float(figures["o_estimate"]) == float(figures["o_estimate_plain"])
    assert f"{float(figures['expected_fraction']):.4f}" == row.exact
    assert f"{float(figures['breaking_point']):.3f}" == row.breaking
    assert f"{float(figures['breaking_point_exact_risk']):.3f}" == row.exact_risk
    assert f"{float(figures['breaking_point_worst']):.3f}" == row.worst
    assert f"{float(figures['breaking_point_best']):.3f}" == row.best
    assert found.holds_up_to.value == float(figures["breaking_point_exact_risk"])
    assert (found.how.method, found.how.margin) == ("exact", None)


@pytest.mark.papers
@EVERY_ROW
def test_similar_data_by_sampling(row: Row) -> None:
    (curve,) = [curve for curve in recipe(row.data).curves if curve.name == "similar_data"]

    assert curve.x == (0.1, 0.3, 0.5, 0.7, 0.9)
    if row.samples:
        assert curve.y == pytest.approx(row.samples, abs=0.06)
    assert curve.limit == float(recipe(row.data).figures["breaking_point_exact_risk"])


@pytest.mark.papers
def test_similar_data_are_believed_as_widely_as_the_attacker_asked_about() -> None:
    """A sample of one in ten breaks the limit by its mean gap; by its median gap, one of three in ten would not seem to."""
    by_mean = papers_attacker(belief=ga.Belief.around("mean gap"))
    found = measured(data("mushroom"), by_mean, ga.Tolerance(average="1/5"))
    (curve,) = [curve for curve in found.curves if curve.name == "similar_data"]

    assert min(curve.y) > found.holds_up_to.value > max(recipe_samples("mushroom"))
    assert curve.limit == found.holds_up_to.value
    assert [mark.x for mark in curve.marks] == [0.1]
    assert "its own mean gap" in curve.says


def recipe_samples(name: str) -> tuple[float, ...]:
    (curve,) = [curve for curve in recipe(name).curves if curve.name == "similar_data"]
    return curve.y[:2]


def test_chess_to_the_last_digit() -> None:
    figures = recipe("chess").figures

    assert figures["o_estimate"] == Fraction(241, 6)
    assert figures["expected_cracks"] == Fraction(40811, 945)


@long
@pytest.mark.parametrize(
    ("name", "items", "groups", "single", "estimate"),
    [("connect", 130, 125, 122, "0.5292"), ("mushroom", 120, 90, 77, "0.4040")],
)
def test_with_an_item_that_never_occurs_the_table_of_the_paper_comes_out(
    name: str, items: int, groups: int, single: int, estimate: str
) -> None:
    figures = measured(data(name, ("0",)), papers_attacker(), TAU).figures

    assert (figures["items"], figures["groups"], figures["singleton_groups"]) == (items, groups, single)
    assert f"{float(figures['o_estimate_plain']) / items:.4f}" == estimate


@long
def test_figure_26_the_o_estimate_falls_when_more_pairs_of_connect_are_known() -> None:
    attacker = papers_attacker(known_pairs=ga.KnownPairs(top=25))
    risk = measured(data("connect"), attacker, TAU)
    curves = {curve.name: dict(zip(curve.x, curve.y, strict=True)) for curve in risk.curves}

    assert f"{curves['known_pairs'][20]:.3f} {curves['known_pairs'][25]:.3f}" == "69.252 68.585"
    assert curves["known_pairs"][25] == pytest.approx(float(risk.figures["adjusted_o_estimate"]))
    assert set(curves["no_pairs"].values()) == {float(risk.figures["o_estimate"])}


def test_section_7_3_the_most_frequent_pairs_of_mushroom_are_shown() -> None:
    risk = measured(data("mushroom"), papers_attacker(known_pairs=ga.KnownPairs(top=8)), TAU)
    printed = "85 86, 34 85, 34 86, 85 90, 34 90, 86 90, 36 85, 36 86"

    assert risk.figures["known_pairs"] == [pair.split() for pair in printed.split(", ")]


@pytest.mark.papers
def test_the_recipe_walks_from_exact_knowledge_to_a_small_sample() -> None:
    exact, believed, partly, similar = recipe("mushroom").recipe

    assert exact.endswith("cracks 89, 74.8 % (above); you tolerate 10 %.")
    assert "by the O-estimate 47.7, 40.1 % (above)" in believed
    assert (
        "holds up to 24.9 % of the items, drawn at random, by the O-estimate, and up to 24.4 % by" in partly
    )
    assert similar.startswith("Similar data: a sample of 10 % of the transactions is right about 50.4 % ")
    assert similar.endswith("think twice.")


@long
@pytest.mark.parametrize(
    ("name", "without", "os_mean", "mean", "os_share", "share", "os_breaking", "breaking"),
    [
        ("connect", "0", "0.2843", "0.3035", "0.2550", "0.2610", "0.620", "0.620"),
        ("connect", "0.1", "0.2943", None, "0.2773", "0.2843", "0.597", "0.589"),
        ("chess", "0", "0.2917", "0.3355", "0.2014", "0.2173", "0.693", "0.680"),
        ("chess", "0.2", "0.3360", None, "0.2593", "0.2712", "0.613", "0.600"),
        ("mushroom", "0", "0.1628", "0.1699", "0.1369", "0.1370", "0.849", "0.849"),
        ("mushroom", "0.1", "0.1246", None, "0.0877", "0.0879", "1.000", "1.000"),
        ("mushroom", "0.2", "0.0839", None, "0.0357", "0.0360", "1.000", "1.000"),
    ],
)
def test_the_recipe_for_pairs(
    name: str,
    without: str,
    os_mean: str,
    mean: str | None,
    os_share: str,
    share: str,
    os_breaking: str,
    breaking: str,
) -> None:
    targets: Any = "pairs" if without == "0" else ga.Itemsets(size=2, without_top=without)
    figures = measured(data(name), papers_attacker(targets=targets), PAIRS).figures

    assert f"{figures['os_mean']:.4f}" == os_mean
    assert f"{float(figures['os_vulnerable_share']):.4f}" == os_share
    assert f"{float(figures['vulnerable_share']):.4f}" == share
    assert f"{float(figures['breaking_point']):.3f}" == os_breaking
    assert f"{float(figures['breaking_point_exact_risk']):.3f}" == breaking
    if mean is not None:
        assert f"{float(figures['mean_probability']):.4f}" == mean


def test_larger_sets_of_mushroom_are_cracked_more_often_than_the_paper_says() -> None:
    attacker = papers_attacker(targets=ga.Itemsets(size=4, sample=1_000))
    figures = measured(data("mushroom"), attacker, PAIRS).figures

    assert figures["os_mean"] == pytest.approx(0.0270, rel=0.15)
    assert float(figures["mean_probability"]) == pytest.approx(0.0287, rel=0.15)
    assert float(figures["mean_probability"]) > figures["os_mean"]


def test_the_eight_most_frequent_pairs_of_mushroom() -> None:
    from giveaway.attacks.frequencies.known_pairs.counts import pair_counts

    held = data("mushroom")
    counted = pair_counts(held)
    top = [(held.labels[one], held.labels[other]) for one, other in counted.top(8).tolist()]

    assert top == [
        ("85", "86"),
        ("34", "85"),
        ("34", "86"),
        ("85", "90"),
        ("34", "90"),
        ("86", "90"),
        ("36", "85"),
        ("36", "86"),
    ]
    assert sorted(counted.counts.tolist(), reverse=True)[:3] == [7924, 7914, 7906]


@long
@pytest.mark.parametrize(("known", "plain"), [(1, "68.919"), (10, "68.835"), (20, "68.752"), (25, "68.585")])
def test_the_most_frequent_pairs_of_connect_help_little_and_not_the_more_the_better(
    known: int, plain: str
) -> None:
    attacker = papers_attacker(known_pairs=ga.KnownPairs(top=known))
    figures = measured(data("connect"), attacker, TAU).figures

    assert f"{float(figures['adjusted_o_estimate_plain']):.3f}" == plain
    assert float(figures["adjusted_o_estimate"]) >= float(figures["adjusted_o_estimate_plain"])
    assert f"{float(figures['o_estimate_plain']):.3f}" == "68.585"


@long
def test_pumsb_is_known_by_its_supports_and_solved_exactly() -> None:
    path = DATA / "pumsb_item_supports.csv"
    if not path.exists():
        pytest.skip("the supports of pumsb are not at hand")
    found = measured(read_supports(path, transactions=49_046), papers_attacker(), TAU)

    assert (found.figures["items"], found.figures["groups"], found.figures["singleton_groups"]) == (
        2113,
        650,
        421,
    )
    assert float(found.figures["median_gap"]) == pytest.approx(0.0000408, abs=1e-7)
    assert found.how.method == "exact"
    assert float(found.figures["expected_cracks"]) > float(found.figures["o_estimate"])
