"""Several sensitive columns, each of which may tell of the others."""

from collections.abc import Collection
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.oracles.attributes import Entry, Planned, Record
from tests.sizes import sized

import giveaway as ga

NAMES = ("a", "b", "s", "t")
SENSITIVE = (2, 3)
words = st.sampled_from(["x", "x", "x", "y", None])
some_rows = st.lists(st.tuples(words, words, words, words), min_size=2, max_size=7)
some_secrets = st.frozensets(st.tuples(st.integers(0, 1), st.sampled_from(SENSITIVE)), min_size=1)
limits = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 5)])


def as_one_table(
    rows: list[Record], secrets: Collection[Entry], column: int, limit: Fraction, gone: Collection[Entry] = ()
) -> Planned:
    """Write one sensitive column last; what is hidden of the others is hidden as a condition."""
    order = [place for place in range(4) if place != column]
    hidden = {*secrets, *gone}
    return Planned(
        records=tuple(
            (
                *(None if (at, place) in hidden else row[place] for place in order),
                None if (at, column) in set(gone) - set(secrets) else row[column],
            )
            for at, row in enumerate(rows)
        ),
        secrets=frozenset(at for at, place in secrets if place == column),
        limit=limit,
    )


def exposed(
    rows: list[Record], secrets: Collection[Entry], limit: Fraction, gone: Collection[Entry] = ()
) -> tuple[int, int]:
    """Count the unsafe rules and the secrets that they give away, one column after the other, by the definitions."""
    many = over = 0
    for column in SENSITIVE:
        table = as_one_table(rows, secrets, column, limit, gone)
        rules, seen = oracle.unsafe_rules(table), oracle.published(table)
        many += len(rules)
        over += sum(
            any(
                table.records[row][-1] == value and oracle.has(seen[row], pattern) for pattern, value in rules
            )
            for row in table.secrets
        )
    return many, over


def release_of(rows: list[Record], secrets: Collection[Entry]) -> ga.Release:
    table = ga.Table.from_rows([dict(zip(NAMES, row, strict=True)) for row in rows], sensitive=["s", "t"])
    return ga.Release(table, secrets=[(row + 1, NAMES[column]) for row, column in secrets])


somebody = ga.KnowsAttributes(columns=["a", "b"], uses_sensitive=True, knows_method=False)


@sized(150)
@given(rows=some_rows, secrets=some_secrets, limit=limits)
def test_other_sensitive_columns_are_counted_as_conditions(
    rows: list[Record], secrets: frozenset[Entry], limit: Fraction
) -> None:
    try:
        found = ga.assess(release_of(rows, secrets), somebody, ga.Tolerance(attribute=limit))
    except ga.NothingToJudge:
        return

    if found.safe is not None:
        figures = found.findings[0].risk.figures
        assert (figures["unsafe_rules"], figures["exposed_records"]) == exposed(rows, secrets, limit)
        assert not any(part["what"] == "attack" for part in found.to_dict()["not_judged"])


@sized(100)
@given(rows=some_rows, secrets=some_secrets, limit=limits, letter=st.sampled_from("abcdefg"))
def test_what_is_protected_is_safe_by_the_definition_and_for_the_checker(
    rows: list[Record], secrets: frozenset[Entry], limit: Fraction, letter: str
) -> None:
    release, tolerance = release_of(rows, secrets), ga.Tolerance(attribute=limit)
    try:
        safer = ga.protect(release, somebody, tolerance, need=ga.NeedsCells(hideable=letter))
    except (ga.NothingToJudge, ga.NoSafeRelease):
        return
    if safer.safe is None:
        return

    gone = {(row - 1, NAMES.index(column)) for row, column in safer.withheld.cells}
    assert exposed(rows, secrets, limit, gone)[1] == 0
    with TemporaryDirectory() as place:
        assert safer.publish(Path(place) / "out").written


def drugs() -> ga.Table:
    """The drug gives the illness away, and the town does not."""
    kinds = [("Ulm", "insulin", "diabetes"), ("Ulm", "aspirin", "flu"), ("Ulm", "aspirin", "cold")]
    rows = [dict(zip(("town", "drug", "illness"), kind, strict=True)) for kind in kinds * 5]
    return ga.Table.from_rows(rows, sensitive=["drug", "illness"])


@pytest.mark.parametrize("knows_method", [False, True])
def test_a_drug_that_tells_the_illness_is_found_only_by_somebody_who_looks_at_it(knows_method: bool) -> None:
    release = ga.Release(drugs(), secrets=[(1, "illness"), (2, "illness")])
    tolerance = ga.Tolerance(attribute="0.6")
    alone, together = (
        ga.assess(
            release,
            ga.KnowsAttributes(columns=["town"], uses_sensitive=uses, knows_method=knows_method),
            tolerance,
        )
        for uses in (False, True)
    )

    assert (alone.verdict, together.verdict) == ("safe", "at risk")
    assert "drug" in together.exposures[0].because
    assert "other sensitive columns as conditions" in str(alone.to_dict()["not_judged"])


def test_the_bound_holds_where_one_column_has_secrets_and_none_is_given_where_two_have() -> None:
    tolerance = ga.Tolerance(attribute="0.6")
    one = ga.protect(ga.Release(drugs(), secrets=[(1, "illness")]), somebody_with("town"), tolerance)
    both = ga.protect(
        ga.Release(drugs(), secrets=[(1, "illness"), (4, "drug")]), somebody_with("town"), tolerance
    )

    assert one.findings[0].protection.figures["optimal"] is True
    assert both.safe
    assert both.findings[0].protection.figures["lower_bound"] is None


def somebody_with(column: str, **more: bool) -> ga.KnowsAttributes:
    return ga.KnowsAttributes(columns=[column], uses_sensitive=True, **{"knows_method": False, **more})


def test_decoys_that_might_tell_of_each_other_are_not_judged() -> None:
    release = ga.Release(drugs(), secrets=[(1, "illness"), (4, "drug")])
    found = ga.assess(release, somebody_with("town", knows_method=True), ga.Tolerance(attribute="0.6"))
    assert found.safe is None
    assert "several sensitive columns" in found.findings[0].reasons[0]


def test_decoys_are_dealt_among_people_with_the_same_drug() -> None:
    rows = [
        {"town": "Ulm", "drug": drug, "illness": illness}
        for drug, illness in [("insulin", "diabetes"), ("insulin", "gout"), ("aspirin", "flu")] * 4
    ]
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive=["drug", "illness"]), secrets=[(1, "illness"), (4, "illness")]
    )
    safer = ga.protect(release, somebody_with("town", knows_method=True), ga.Tolerance(attribute="1/2"))
    drawn = {rows[row - 1]["illness"] for row, _ in safer.withheld.cells - release.secrets}
    assert safer.safe
    assert drawn == {"gout"}


@pytest.mark.parametrize("more", [{"asking_known": True, "asking": "independent"}, {"uses_sensitive": 1}])
def test_what_is_not_worked_out_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(ga.ScenarioError, match="sensitive"):
        ga.KnowsAttributes(**{"columns": ["a"], "uses_sensitive": True, **more})
