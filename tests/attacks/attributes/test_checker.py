"""The checker's judgement of hidden entries against the definition, rule by rule."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.attacks.attributes import judge, rules
from giveaway.checker.files import tables

COLUMNS = ("a", "b", "c")
Row = tuple[str, str, str, str]
some_rows = st.lists(
    st.tuples(*(st.sampled_from(["x", "y", ""]) for _ in COLUMNS), st.sampled_from(["s", "t", ""])),
    min_size=1,
    max_size=9,
)
limits = st.sampled_from(["1/3", "1/2", "0.55", "2/3", "1"])


def exposed(shown: list[list[str]], rows: list[Row], secret: int, limit: Fraction, least: int) -> bool:
    """Tell whether an unsafe rule leads from what a secret shows to its true value, by the definition."""
    truth, own = rows[secret][3], shown[secret]
    seen = [place for place in range(3) if own[place]]
    for size in range(1, len(seen) + 1):
        for pattern in combinations(seen, size):
            met = [row for row in shown if all(row[place] == own[place] for place in pattern)]
            showing = sum(row[3] == truth for row in met)
            if truth and showing > least and Fraction(showing, len(met)) > limit:
                return True
    return False


def promised(columns: Sequence[str], limit: str, *, least: int = 0, share: str = "0") -> checker.Promise:
    return checker.Promise(
        attack="attributes",
        attacker=vars(ga.KnowsAttributes(columns=columns, trusts_support_above=least, knows_method=False)),
        tolerance=ga.Tolerance(attribute=limit, share=share),
    )


@sized(1000)
@given(
    rows=some_rows,
    marks=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), max_size=6),
    chosen=st.sets(st.integers(0, 8), min_size=1, max_size=4),
    limit=limits,
    least=st.integers(0, 2),
    share=st.sampled_from(["0", "1/4", "1/2"]),
    walk=st.booleans(),
)
def test_the_checker_agrees_with_the_definition(
    rows: list[Row],
    marks: list[tuple[int, int]],
    chosen: set[int],
    limit: str,
    least: int,
    share: str,
    walk: bool,
) -> None:
    names = (*COLUMNS, "ill")
    secrets = sorted(row for row in chosen if row < len(rows)) or [0]
    marks = [(row, column) for row, column in marks if row < len(rows)]
    shown = [
        [
            "" if (at, place) in marks or (place == 3 and at in secrets) else value
            for place, value in enumerate(row)
        ]
        for at, row in enumerate(rows)
    ]
    table = ga.Table.from_rows([dict(zip(names, row, strict=True)) for row in rows], sensitive="ill")
    release = ga.Release(
        table,
        ga.Withheld(cells=[(row + 1, names[column]) for row, column in marks]),
        secrets=[row + 1 for row in secrets],
    )
    promise = promised(COLUMNS, limit, least=least, share=share)
    number = sum(exposed(shown, rows, secret, Fraction(limit), least) for secret in secrets)

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_MANY_COLUMNS", 0 if walk else 12)
        found = tables.same(publish.write_release(release, Path(folder), None), release, table)
        kept = judge.keeps(found, release, table, promise)

    assert kept == (number <= Fraction(share) * len(secrets))


def test_only_values_worth_protecting_are_judged_and_columns_apart(tmp_path: Path) -> None:
    rows = [{"a": "x", "ill": "flu", "pay": "low"}] * 3 + [{"a": "y", "ill": "hiv", "pay": "low"}]
    table = ga.Table.from_rows(rows, sensitive=["ill", "pay"])

    def keeps(secrets: list[tuple[int, str]], values: list[str]) -> bool:
        release = ga.Release(table, secrets=secrets, sensitive_values=values)
        file = publish.write_release(release, tmp_path, None)
        found = tables.same(file, release, table)
        return judge.keeps(found, release, table, promised(["a"], "1/2"))

    assert not keeps([(1, "ill")], [])
    assert keeps([(1, "ill")], ["hiv"])
    assert keeps([(4, "ill")], [])
    assert keeps([(4, "pay")], [])
    assert not keeps([(1, "pay")], ["low"])


def test_a_share_of_the_secrets_may_be_exposed(tmp_path: Path) -> None:
    rows = [{"a": "x", "ill": "flu"}] * 4 + [{"a": "y", "ill": "hiv"}] * 2
    table = ga.Table.from_rows(rows, sensitive="ill")
    release = ga.Release(table, secrets=[1, 5, 6])
    found = tables.same(publish.write_release(release, tmp_path, None), release, table)

    assert judge.keeps(found, release, table, promised(["a"], "1/2", share="1/3"))
    assert not judge.keeps(found, release, table, promised(["a"], "1/2", share="0.33"))


@pytest.mark.parametrize("many", [0, 12])
@pytest.mark.parametrize(("least", "exposes"), [(1, True), (2, False)])
def test_a_pattern_is_followed_to_the_last_record_that_can_be_trusted(
    many: int, least: int, exposes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rows show the value, one more than is not trusted; only both conditions together give it away."""
    monkeypatch.setattr(rules, "_MANY_COLUMNS", many)
    rows = [{"a": "x", "b": "u", "ill": "flu"}] * 3
    rows += [{"a": "x", "b": "v", "ill": "hiv"}] * 4 + [{"a": "y", "b": "u", "ill": "hiv"}] * 4
    table = ga.Table.from_rows(rows, sensitive="ill")
    release = ga.Release(table, secrets=[1])
    found = tables.same(publish.write_release(release, tmp_path, None), release, table)
    asked = promised(["a", "b"], "1/2", least=least)

    assert judge.keeps(found, release, table, asked) != exposes
    assert (
        ga.assess(
            release,
            ga.KnowsAttributes(columns=["a", "b"], trusts_support_above=least, knows_method=False),
            ga.Tolerance(attribute="1/2"),
        ).safe
        != exposes
    )
