"""The experiments of Lebanon et al. and what their assumption of independence costs, on Adult and FEBRL."""

import csv
import gzip
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.attacks.directory.cases import people
from tests.oracles.disclosing import loss_if_independent
from tests.oracles.shared import SHARED

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.protecting.alike_records import lots
from giveaway.attacks.directory.protecting.plan import Planner
from giveaway.attacks.directory.question import ask
from giveaway.papers.directory import figure_1
from giveaway.papers.directory.choose_together import by_minrisk

ANY = ga.Tolerance(average="999/1000")


def read(path: Path, leave_out: Sequence[str] = ()) -> list[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"the data set {path.stem} is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [
            {name: value or None for name, value in row.items() if name not in leave_out}
            for row in csv.DictReader(lines, skipinitialspace=True)
        ]


@cache
def adult() -> list[dict[str, Any]]:
    return read(SHARED / "adult" / "adult_train_complete.csv.gz", ("fnlwgt", "education-num", "salary-class"))


@cache
def febrl() -> list[dict[str, Any]]:
    files = [SHARED / "dictionary" / f"febrl{number}.csv.gz" for number in (1, 2, 3)]
    return [row for file in files for row in read(file, ("rec_id",))]


@cache
def directory(name: str) -> Any:
    rows = {"adult": adult, "febrl": febrl}[name]()
    return people([(str(place), row) for place, row in enumerate(rows)], tuple(rows[0]), name)


def drawn(name: str, number: int, seed: int) -> list[dict[str, Any]]:
    rows = {"adult": adult, "febrl": febrl}[name]()
    chosen = np.random.default_rng(seed).choice(len(rows), number, replace=False)
    return [{"who": str(place)} | rows[place] for place in sorted(chosen.tolist())]


def weighed(rows: list[dict[str, Any]], seed: int, form: Any) -> ga.Sensitivity:
    random = np.random.default_rng(seed)
    cells = {
        row["who"]: {name: round(float(random.random()), 6) for name in row if name != "who"} for row in rows
    }
    return ga.Sensitivity(cells=cells, form=form)


@cache
def compared(name: str, number: int) -> dict[int, dict[str, float]]:
    """The mean loss of the best choice and of MinRisk's, for some numbers of values, and the figure under independence."""
    rows = drawn(name, number, seed=1)
    table = ga.Table.from_rows(rows, id="who")
    release = ga.Release(table, gaps="agree", sensitivity=weighed(rows, 2, "multiplicative"))
    question = ask(release, ga.KnowsDirectory(knows_method=False, people=directory(name)))
    together = lots(question, None)
    best = together.best(None)
    assert best.proved.all()
    alone = question.lookup.matchings[0].alone(together.values)
    size, most = len(directory(name)), len(question.attributes)
    available = np.bitwise_count(together.available)
    found = {}
    for values in range(1, most + 1):
        wanted = np.minimum(values, available).astype(np.int64)
        need = ga.NeedsColumns(per_record=values, clip=True, fill=False)
        chosen = by_minrisk(together, need, wanted)
        planner = Planner(question=question, tolerance=ANY, need=need, options=DirectoryOptions())
        each = [
            loss_if_independent(
                alone[lot], size, int(mask), question.weighing.weights(int(together.classes[lot]))
            )
            for lot, mask in zip(together.lot_of, chosen.masks, strict=True)
        ]
        found[values] = {
            "best": float(best.losses[np.arange(len(wanted)), wanted] @ together.count) / number,
            "minrisk": float(planner.tally(chosen.masks).risk_if_listed),
            "factorised": float(np.mean(each)),
        }
    return found


@pytest.mark.parametrize(("name", "number"), [("adult", 60), ("febrl", 60)])
def test_minrisk_is_best_with_one_value_and_clearly_not_with_more(name: str, number: int) -> None:
    found = compared(name, number)
    ratios = {values: risks["minrisk"] / risks["best"] for values, risks in found.items()}
    assert ratios[1] == pytest.approx(1)
    assert min(ratios.values()) >= 1 - 1e-9
    assert max(ratios[values] for values in range(3, len(ratios))) >= 1.5
    assert ratios[len(ratios)] == pytest.approx(1)


@pytest.mark.parametrize(("name", "number"), [("adult", 60), ("febrl", 60)])
def test_the_figure_under_independence_explodes_with_the_values_disclosed(name: str, number: int) -> None:
    found = compared(name, number)
    off = [risks["factorised"] / risks["minrisk"] for risks in found.values()]
    assert off[0] == pytest.approx(1)
    assert off[-1] > 1000
    assert off[-1] > off[len(off) // 2] > 0.5


def test_the_risk_rises_with_what_is_disclosed_and_falls_with_the_size_of_the_directory() -> None:
    """Figure 1, left: the records are in the directory; products of weights are above their sums."""
    rows = [{"who": str(place)} | row for place, row in enumerate(adult())]
    columns = {name: round(0.1 + 0.07 * place, 3) for place, name in enumerate(adult()[0])}
    release = ga.Release(
        ga.Table.from_rows(rows, id="who"), gaps="agree", sensitivity=ga.Sensitivity(columns=columns)
    )
    question = ask(release, ga.KnowsDirectory(knows_method=False))
    values, size = (make(question, ANY, 0) for make in (figure_1.by_values, figure_1.by_size))
    for added, multiplied in (values, size):
        assert multiplied.name == f"{added.name}_multiplicative"
        assert all(high > low for low, high in zip(added.y, multiplied.y, strict=True))
    for curve in values:
        assert all(later >= earlier for earlier, later in zip(curve.y, curve.y[1:], strict=False))
    for curve in size:
        assert all(later <= earlier for earlier, later in zip(curve.y, curve.y[1:], strict=False))
        assert curve.y[-1] < curve.y[0]


def test_the_risk_rises_with_the_size_of_a_directory_that_does_not_hold_the_records() -> None:
    rows, others = adult()[:300], adult()[300:]
    held = people([(f"x{place}", row) for place, row in enumerate(others)], tuple(rows[0]))
    question = ask(
        ga.Release(ga.Table.from_rows(rows), gaps="agree"), ga.KnowsDirectory(knows_method=False, people=held)
    )
    (curve,) = figure_1.by_size(question, ANY, 0)
    assert curve.y[-1] > 1.5 * curve.y[0]
    assert "not known to be in it" in curve.says
    tally = judged(question, ANY)
    assert tally.without > len(rows) / 2
    assert tally.risk_if_listed > tally.risk


def test_likeness_is_the_less_cautious_choice() -> None:
    """Everybody who agrees exactly agrees by likeness too, so the risk is never above."""
    table = ga.Table.from_rows(drawn("febrl", 40, seed=3), id="who")
    match = {name: ga.Jaro() for name in ("given_name", "surname", "address_1", "suburb")}
    exact, alike = (
        ask(
            ga.Release(table, gaps="agree"),
            ga.KnowsDirectory(knows_method=False, people=directory("febrl"), match=words),
        )
        for words in ({}, match)
    )
    for columns in (["surname"], ["given_name", "surname"], ["surname", "suburb", "postcode"]):
        marks = exact.only([exact.attributes.index(name) for name in columns])
        few, many = (one.lookup.crowds_of(one.groups, marks)[:, 0] for one in (exact, alike))
        assert (many >= few).all()
        assert many.sum() > few.sum()
    assert judged(alike, ANY).risk <= judged(exact, ANY).risk
