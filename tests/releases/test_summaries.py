"""Two Summaries compared: what is withheld no more, who is newly exposed, which figures changed."""

from pathlib import Path

import giveaway as ga

BASKETS = [["a", "b"], ["a", "b"], ["a", "c"], ["a", "c"], ["b", "d"], ["a", "d"], ["b"], ["b"]]


def asked(
    limit: str = "1/2", items: list[list[str]] | None = None, at_most: int = 2, **release: object
) -> ga.Assessment:
    data = ga.Transactions.from_lists(BASKETS if items is None else items)
    return ga.assess(
        ga.Release(data, **release),  # type: ignore[arg-type]
        ga.KnowsItems(at_most=at_most),
        ga.Tolerance(identity=limit),
    )


def test_exposures_come_and_go() -> None:
    planned, safer = asked(), asked(withheld=ga.Withheld(items=("d",)))

    found = ga.diff(planned, safer)
    assert found.exposures is not None
    assert found.withheld is not None
    assert found.verdicts == ("at risk", "safe")
    assert (found.exposures.both, found.exposures.gone, found.exposures.new) == (0, 2, 0)
    assert {tuple(one["target"]) for one in found.exposures.gone_listed} == {("a", "d"), ("b", "d")}
    assert (found.withheld["items"].new_listed, found.shows_more) == (("d",), False)

    back = ga.diff(safer, planned)
    assert back.exposures is not None
    assert (back.exposures.new, back.shows_more) == (2, True)
    assert {one.figure for one in back.figures or ()} >= {"worst", "exposures_total", "moles"}


def test_something_else_withheld_is_again_no_more_and_now_too() -> None:
    one, other = asked(withheld=ga.Withheld(items=("a", "d"))), asked(withheld=ga.Withheld(items=("b", "d")))

    held = (ga.diff(one, other).withheld or {})["items"]

    assert (held.both, held.gone_listed, held.new_listed) == (1, ("a",), ("b",))
    assert ga.diff(one, other).shows_more is True


def test_a_summary_that_lists_too_little_is_not_compared_further() -> None:
    few, other = asked().to_dict(exposures=1), asked(items=BASKETS[:-1]).to_dict(exposures=1)

    found = ga.diff(few, other)

    assert found.exposures is not None
    assert (found.exposures.new, found.shows_more) == (None, None)
    assert "--exposures all" in str(found.unknown[0].hint)
    # One that is listed now, next to a whole list in which it is not, is new.
    assert ga.diff(asked(withheld=ga.Withheld(items=("d",))), few).shows_more is True


def test_other_limits_and_other_attackers_are_told() -> None:
    assert ga.diff(asked("1/2"), asked("1/3")).other_tolerance[0]["new"] == {"identity": "1/3"}
    found = ga.diff(asked(at_most=1), asked(at_most=2))
    assert (found.attackers.both, found.attackers.gone, found.attackers.new) == (0, 1, 1)


def test_rows_of_other_data_are_not_the_same_rows() -> None:
    def of(rows: list[dict[str, str]], id: str | None = None) -> ga.Assessment:
        table = ga.Table.from_rows(rows, id=id)
        return ga.assess(
            ga.Release(table),
            ga.KnowsDirectory(columns=["age"], knows_method=False),
            ga.Tolerance(identity="1/2"),
        )

    old = [{"p": "x", "age": "30"}, {"p": "y", "age": "30"}, {"p": "z", "age": "40"}]
    new = [{"p": "z", "age": "40"}, {"p": "x", "age": "30"}, {"p": "y", "age": "31"}]
    unnamed = [[{"age": row["age"]} for row in rows] for rows in (old, new)]

    assert ga.diff(*map(of, unnamed)).shows_more is None
    found = ga.diff(of(old, "p"), of(new, "p")).exposures
    assert found is not None
    assert (found.both, found.gone, found.new) == (1, 0, 2)


def test_files_and_values_give_the_same(tmp_path: Path) -> None:
    asked().to_json(tmp_path / "old.json")
    asked(withheld=ga.Withheld(items=("d",))).to_json(tmp_path / "new.json")

    found = ga.diff(tmp_path / "old.json", tmp_path / "new.json")

    assert found.compares == "summaries"
    assert found.exposures is not None
    assert found.exposures.gone == 2
    assert "Withheld items" in found.to_text()
    assert "<title>What differs</title>" in found.to_html()


def test_a_finer_label_is_withheld_no_more_and_a_coarser_one_now_too() -> None:
    cell, blank = {"record": 1, "column": "age"}, {"record": 2, "column": "age"}
    held = {"cells_total": 1, "coarser_total": 1, "cells": [{**cell, "level": 2}, blank]}
    planned = asked().to_dict() | {"withheld": held}
    finer = asked().to_dict() | {"withheld": held | {"cells": [{**cell, "level": 1}, blank]}}
    hidden = asked().to_dict() | {
        "withheld": held | {"cells": [cell, blank], "cells_total": 2, "coarser_total": 0}
    }

    for other, counts in ((finer, (1, 1, 0)), (hidden, (1, 0, 1)), (planned, (2, 0, 0))):
        sets = (ga.diff(planned, other).withheld or {})["cells"]
        assert (sets.both, sets.gone, sets.new) == counts
    assert (ga.diff(hidden, finer).withheld or {})["cells"].gone_listed == ([1, "age"],)


def test_an_item_given_as_its_category_is_withheld_less_than_one_left_out() -> None:
    out = asked().to_dict() | {"withheld": {"items": ["d"]}}
    category = asked().to_dict() | {
        "withheld": {"items": [], "items_coarser": [{"item": "d", "label": "x", "level": 1}]}
    }

    assert (ga.diff(out, category).withheld or {})["items"].gone == 1
    assert (ga.diff(category, out).withheld or {})["items"].gone == 0
