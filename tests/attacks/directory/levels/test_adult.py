"""The best levels of Adult with the hierarchies of ARX; nodes, suppressed rows and losses are those of ARX."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.attacks.directory.shared_tables import NINE, adult, codes, hierarchy, profiles, subset
from tests.oracles.attribute_risk import above_limit, likeliest
from tests.sizes import first

import giveaway as ga
from giveaway.attacks.directory.levels.counting import ShareLimit
from giveaway.attacks.directory.levels.lattice import ColumnLevels, CountedRows, Lattice
from giveaway.attacks.directory.levels.plan import LevelPlan, plan_levels
from giveaway.attacks.directory.readings.attribute_chances import ValueTargets
from giveaway.attacks.directory.readings.shares import block_shares
from giveaway.model.data.arrays import alike

FIFTIETH, TENTH, ALL = Fraction(1, 50), Fraction(1, 10), Fraction(1)


def lattice(table: ga.Table, columns: list[str], rows: int) -> Lattice:
    return Lattice.of(
        [ColumnLevels.of(table.labels[name], hierarchy(name), name=name) for name in columns], rows
    )


def planned(
    columns: list[str], crowd: int, suppress: Fraction, *, limit: str | None = None, again: bool = False
) -> LevelPlan:
    table = ga.Table.from_frame(adult()[list(dict.fromkeys([*columns, "occupation"]))])
    shares = []
    if limit is not None:
        targets = ValueTargets.of(len(table.labels["occupation"]))
        shares.append(
            ShareLimit(sensitive=table.columns["occupation"], targets=targets, limit=Fraction(limit))
        )
    plan = plan_levels(
        lattice(table, columns, len(table)),
        profiles(table, columns),
        crowd,
        suppress=suppress,
        shares=shares,
        again=again,
    )
    assert plan is not None
    assert plan.proved
    return plan


@pytest.mark.parametrize(
    ("crowd", "suppress", "node", "suppressed", "loss"),
    first(
        2,
        [
            (5, Fraction(0), (0, 4, 1, 1, 3, 2, 2, 1, 0), 0, 0.635544),
            (5, FIFTIETH, (0, 3, 0, 2, 2, 1, 1, 2, 0), 506, 0.357482),
            (5, TENTH, (0, 3, 0, 0, 2, 1, 1, 1, 0), 2553, 0.227700),
            (5, ALL, (0, 3, 0, 0, 2, 1, 1, 1, 0), 2553, 0.227700),
            (11, ALL, (0, 3, 0, 0, 2, 1, 1, 1, 0), 4223, 0.274449),
            (20, ALL, (0, 3, 0, 1, 2, 1, 1, 1, 0), 4265, 0.317087),
        ],
    ),
)
def test_nine_columns(
    crowd: int, suppress: Fraction, node: tuple[int, ...], suppressed: int, loss: float
) -> None:
    plan = planned(NINE, crowd, suppress)

    assert plan.nodes == (node,)
    assert float(plan.loss) == pytest.approx(loss, abs=1e-6)
    table = ga.Table.from_frame(adult()[NINE])
    assert int(table.weights[plan.suppressed].sum()) == plan.rows_suppressed == suppressed


@pytest.mark.parametrize(
    ("crowd", "suppress", "nodes", "left", "loss"),
    first(
        1,
        [
            (5, ALL, 5, 0, 0.1775),
            (11, ALL, 5, 5, 0.1980),
            (20, ALL, 4, 15, 0.2431),
            (5, FIFTIETH, 5, 3, 0.3502),
        ],
    ),
)
def test_again(crowd: int, suppress: Fraction, nodes: int, left: int, loss: float) -> None:
    plan = planned(NINE, crowd, suppress, again=True)

    assert (len(plan.nodes), plan.rows_suppressed) == (nodes, left)
    assert float(plan.loss) == pytest.approx(loss, abs=5e-5)
    assert plan.bound > plan.loss


@pytest.mark.parametrize(
    ("suppress", "limit", "suppressed", "loss"),
    first(
        1,
        [
            (FIFTIETH, None, None, 0.277168),
            (FIFTIETH, "1/2", None, 0.341662),
            (ALL, "1/2", 2376, 0.207685),
            (ALL, "1/3", 4505, 0.335643),
        ],
    ),
)
def test_occupation_sensitive(
    suppress: Fraction, limit: str | None, suppressed: int | None, loss: float
) -> None:
    plan = planned([name for name in NINE if name != "occupation"], 5, suppress, limit=limit)

    assert float(plan.loss) == pytest.approx(loss, abs=1e-6)
    assert suppressed in (None, plan.rows_suppressed)


@pytest.mark.parametrize(
    ("suppress", "limit", "suppressed", "loss"),
    first(1, [(FIFTIETH, None, 407, 0.1239), (FIFTIETH, "1/2", 541, 0.1279), (ALL, "1/3", 4353, 0.2405)]),
)
def test_the_table_of_the_false_safe(
    suppress: Fraction, limit: str | None, suppressed: int, loss: float
) -> None:
    plan = planned(["age", "sex", "race", "education", "marital-status"], 5, suppress, limit=limit)

    assert plan.rows_suppressed == suppressed
    assert float(plan.loss) == pytest.approx(loss, abs=5e-5)


@pytest.mark.parametrize(("limit", "blocks", "entries"), [("1/2", 9, 134), ("1/3", 89, 3946)])
def test_hiding_a_sensitive_column_in_the_blocks_that_tell_it(limit: str, blocks: int, entries: int) -> None:
    columns = ["age", "sex", "race", "education", "marital-status"]
    plan = planned(columns, 5, FIFTIETH)
    table = ga.Table.from_frame(adult()[[*columns, "occupation"]])
    held = lattice(table, columns, len(table))
    labels = [
        np.stack(column.labels)[plan.levels[:, place], table.columns[name]]
        for place, (name, column) in enumerate(zip(columns, held.columns, strict=True))
    ]
    values = len(table.labels["occupation"])
    published = block_shares(alike(labels)[0], table.columns["occupation"], table.weights, values=values)
    over = above_limit(likeliest(published, ValueTargets.of(values)), Fraction(limit))

    assert (int(over.sum()), int(published.rows[over].sum())) == (blocks, entries)


@pytest.mark.parametrize(
    ("crowd", "suppress", "in_register", "loss"),
    first(
        2,
        [
            (5, Fraction(0), True, 0.556),
            (5, Fraction(0), False, 0.677),
            (11, FIFTIETH, True, 0.406),
            (11, FIFTIETH, False, 0.572),
        ],
    ),
)
def test_a_sample_with_a_register(crowd: int, suppress: Fraction, in_register: bool, loss: float) -> None:
    table = ga.Table.from_frame(pd.concat([subset(), adult()[subset().columns]])[NINE])
    values = codes(table, NINE)[table.record_of]
    sample = len(subset())
    rows, people = (
        CountedRows(values=part, count=np.ones(len(part), np.int64))
        for part in (values[:sample], values[sample:])
    )
    plan = plan_levels(
        lattice(table, NINE, sample), rows, crowd, suppress=suppress, people=people if in_register else None
    )

    assert plan is not None
    assert float(plan.loss) == pytest.approx(loss, abs=5e-4)


def protected(
    frame: pd.DataFrame,
    crowd: int,
    *,
    people: pd.DataFrame | None = None,
    knows_method: bool = True,
    **options: object,
) -> ga.Assessment:
    attacker = ga.KnowsDirectory(columns=NINE, people=people, knows_method=knows_method)
    return ga.protect(
        ga.Release(ga.Table.from_frame(frame[NINE]), hierarchies={name: hierarchy(name) for name in NINE}),
        attacker,
        ga.Tolerance(identity=Fraction(1, crowd)),
        directory={"method": "levels", **options},
    )


@pytest.mark.parametrize(
    ("crowd", "suppress", "node", "suppressed", "loss", "smallest"),
    first(
        1,
        [
            (5, 0, (0, 4, 1, 1, 3, 2, 2, 1, 0), 0, 0.635544, 69),
            (5, "1/50", (0, 3, 0, 2, 2, 1, 1, 2, 0), 506, 0.357482, 5),
            (11, 1, (0, 3, 0, 0, 2, 1, 1, 1, 0), 4223, 0.274449, 11),
            (20, 1, (0, 3, 0, 1, 2, 1, 1, 1, 0), 4265, 0.317087, 20),
        ],
    ),
)
def test_nine_columns_are_protected(
    crowd: int, suppress: object, node: tuple[int, ...], suppressed: int, loss: float, smallest: int
) -> None:
    found = protected(adult(), crowd, suppress=suppress)
    finding = found.findings[0]
    figures = finding.protection.figures

    assert found.verdict == "safe"
    assert figures["nodes"] == [dict(zip(NINE, node, strict=True))]
    assert (figures["suppressed"], figures["gap"]) == (suppressed, 0)
    assert figures["loss"] == figures["loss_bound"] == pytest.approx(loss, abs=1e-6)
    assert finding.risk.figures["smallest_crowd"] == smallest


@pytest.mark.parametrize(
    ("crowd", "knows_method", "nodes", "left", "loss"),
    first(
        1,
        [
            (5, True, 5, 0, 0.177489),
            (11, True, 4, 17, 0.198135),
            (11, False, 5, 5, 0.198045),
            (20, False, 4, 15, 0.2431),
        ],
    ),
)
def test_levels_again_are_protected(
    crowd: int, knows_method: bool, nodes: int, left: int, loss: float
) -> None:
    """The rows that are left show nothing: for somebody who knows the method there are none or a crowd of them."""
    found = protected(adult(), crowd, suppress=1, again=True, knows_method=knows_method)
    figures = found.findings[0].protection.figures

    assert found.verdict == "safe"
    assert (len(figures["nodes"]), figures["suppressed"], figures["gap"]) == (nodes, left, None)
    assert figures["loss"] == pytest.approx(loss, abs=5e-5)


@pytest.mark.parametrize(("crowd", "suppress", "loss"), first(1, [(5, 0, 0.556), (11, "1/50", 0.406)]))
def test_a_sample_is_protected_with_a_register(crowd: int, suppress: object, loss: float) -> None:
    found = protected(subset(), crowd, people=adult(), knows_method=False, suppress=suppress)

    assert found.verdict == "safe"
    assert found.findings[0].protection.figures["loss"] == pytest.approx(loss, abs=5e-4)


def test_a_sample_is_protected_by_levels_of_the_register() -> None:
    found = protected(subset(), 5, people=adult(), suppress="1/10")
    figures = found.findings[0].protection.figures

    assert found.verdict == "safe"
    assert figures["nodes"] == [dict(zip(NINE, (0, 3, 0, 0, 2, 1, 1, 1, 0), strict=True))]
    assert figures["loss"] == pytest.approx(0.227700, abs=1e-6)
    assert found.findings[0].risk.figures["smallest_crowd"] >= 5
