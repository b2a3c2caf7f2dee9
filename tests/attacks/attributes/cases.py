"""Tables of the oracle as releases, and what a release hides as entries of the oracle."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.oracles.attributes import Entry, Planned

import giveaway as ga
from giveaway.attacks.attributes.attacker import AttributesOptions, KnowsAttributes
from giveaway.attacks.attributes.measure import measure
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.protect import protect
from giveaway.model.answer.risk import Curve, Protection, Risk
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

LETTERS = "abcdefgh"

FIGURE_2 = ["a b c s", "a b c s", "a b c s", "a b x s", "a b d s", "a y d s", "z b d s", "w b d s", "v u d t"]
"""Figure 2 of the paper; the first and the fifth record are secret."""


def names(width: int) -> list[str]:
    """Name the conditions."""
    return [f"c{place}" for place in range(width)]


def release_of(table: Planned, **more: object) -> Release:
    """Make the release of a table of the oracle."""
    columns = [*names(table.width), "s"]
    rows = [dict(zip(columns, record, strict=True)) for record in table.records]
    marks = table.marks - {(row, table.width) for row in table.secrets}
    return Release(
        Table.from_rows(rows, sensitive="s"),
        secrets=[row + 1 for row in sorted(table.secrets)],
        must_publish=[(row + 1, columns[column]) for row, column in marks if row < len(rows)],
        **more,
    )


def attacker_of(table: Planned) -> KnowsAttributes:
    return KnowsAttributes(columns=names(table.width), trusts_support_above=table.least, knows_method=False)


def measured(table: Planned, release: Release | None = None, share: Fraction | int = 0) -> Risk:
    tolerance = Tolerance(attribute=table.limit, share=share)
    need = NeedsCells(hideable=table.regions)
    return measure(release or release_of(table), attacker_of(table), tolerance, need, Effort())


def protected(
    table: Planned, *, share: Fraction | int = 0, exact: bool = False, **options: str
) -> Protection:
    return protect(
        release_of(table),
        attacker_of(table),
        Tolerance(attribute=table.limit, share=share),
        NeedsCells(hideable=table.regions),
        Effort(exact=exact),
        AttributesOptions(**options),
    )


def hidden(release: Release, width: int) -> set[Entry]:
    """Return the entries that a release withholds."""
    columns = [*names(width), "s"]
    return {(row - 1, columns.index(column)) for row, column in release.withheld.cells}


def exposed(table: Planned, gone: Collection[Entry] = (), longest: int | None = None) -> set[int]:
    """Return the secrets that some unsafe rule gives away, of at most so many conditions."""
    seen = oracle.published(table, gone)
    rules = oracle.unsafe_rules(table, gone)
    return {
        row
        for row in table.secrets
        for pattern, value in rules
        if table.records[row][-1] == value and oracle.has(seen[row], pattern)
        if longest is None or len(pattern) <= longest
    }


def best_chance(table: Planned, row: int) -> Fraction:
    """Return the largest confidence of a trusted rule for a secret; 0 when there is none."""
    seen, value = oracle.published(table), table.records[row][-1]
    if value is None:
        return Fraction(0)
    found = [oracle.counts(seen, (pattern, value)) for pattern in oracle.patterns(seen[row])]
    return max((Fraction(*one) for one in found if one[0] > table.least), default=Fraction(0))


def curve(curves: Sequence[Curve], name: str) -> Curve:
    return next(curve for curve in curves if curve.name == name)


def tables(rows: int, width: int, letters: str = LETTERS) -> st.SearchStrategy[Planned]:
    """Give tables with a limit that an owner may state."""
    found = oracle.tables(rows=rows, width=width, regions=st.sampled_from(letters).map(oracle.letter))
    return found.filter(lambda table: table.limit > 0)


def figure_2(**more: object) -> Release:
    return Release(table_of(FIGURE_2, "ABCS", sensitive="S"), secrets=[1, 5], **more)


def table_of(
    rows: Sequence[str], columns: Sequence[str], sensitive: str | Sequence[str], missing: str = "?"
) -> Table:
    """Make a table of texts with one word for each column."""
    records: list[Mapping[str, str]] = [dict(zip(columns, row.split(), strict=True)) for row in rows]
    return ga.Table.from_rows(records, sensitive=sensitive, missing=[missing])
