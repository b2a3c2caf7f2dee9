"""The files that a scenario names become a release."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import shown_before
from giveaway.errors import DataError, ScenarioError
from giveaway.model.answer.nouns import Nouns
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.table import Table
from giveaway.model.question.attacker import Attacker
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement
from giveaway.model.release.sensitivity import Sensitivity
from giveaway.model.release.withheld import Withheld
from giveaway.scenario.earlier.fields import EarlierFields
from giveaway.scenario.fields import OF_TRANSACTIONS, ReleaseFields, SensitivityFields
from giveaway.scenario.lines import Lines
from giveaway.scenario.roles import check_table, on_tables

if TYPE_CHECKING:
    from giveaway.sources.address import Address


def load(
    fields: ReleaseFields,
    base: Path,
    attackers: Sequence[Attacker],
    lines: Lines,
    earlier: Sequence[EarlierFields] = (),
) -> Release:
    """Read the data that a scenario names, and what was given away before."""
    data = _data(fields, base)
    # Rows that were given away may have columns that the data now do not publish; rules are about theirs.
    at_once = not earlier or fields.publishes_rules
    release = _loaded(fields, base, data, attackers, lines, check=at_once)
    if not earlier:
        return release
    from giveaway.scenario.earlier.loading import load_earlier

    release = replace(release, earlier=load_earlier(earlier, fields, base, release, data, lines))
    if isinstance(release.original, Table) and on_tables(attackers) and not at_once:
        check_table(release.original, fields, attackers, release.sensitivity, lines, shown_before(release))
    return release


def _loaded(
    fields: ReleaseFields,
    base: Path,
    data: "Path | Address",
    attackers: Sequence[Attacker],
    lines: Lines,
    *,
    check: bool,
) -> Release:
    """Read the data that a scenario names."""
    how = fields.reading(base).how
    common = {name: how[name] for name in how if name != "item"} | {
        "table": fields.table,
        "query": fields.query,
    }
    kind = _kind(fields, data, attackers)
    if kind == "supports":
        return _supports(fields, base, data, lines)
    if kind == "transactions":
        renames = any(ATTACKS[attacker.attack].reads.renames for attacker in attackers)
        return _transactions(fields, base, data, common, lines, renamed=fields.renamed or renames)
    from giveaway import sources

    with lines.with_lines_of("release"):
        table = sources.read_table(
            data,
            sensitive=fields.sensitive,
            classes=fields.classes,
            ladders=fields.ladders,
            decimal=fields.decimal,
            **common,
        )
        table = table.together() if fields.sensitive_together else table
    with lines.with_line("release.sensitivity"):
        sensitivity = _sensitivity(fields, base, table)
    if check and on_tables(attackers):
        check_table(table, fields, attackers, sensitivity, lines)
    with lines.with_lines_of("release"):
        return Release(
            table,
            stated=_withheld_entries(fields, base, table),
            words=_words(fields),
            order=fields.order,
            gaps=fields.gaps,
            secrets=_secrets(fields, base, table),
            must_publish=_marks(fields, base, table),
            sensitive_values=fields.sensitive_values,
            sensitive_classes=fields.sensitive_classes,
            rules=_rules(fields, base, table, attackers),
            statements=_statements(fields, base, table),
            sensitivity=sensitivity,
            hierarchies=_hierarchies(fields, base),
        )


def _data(fields: ReleaseFields, base: Path) -> "Path | Address":
    """Return the file or the address that is named."""
    from giveaway.sources.address import address

    return address(fields.data, base) or base / fields.data


def _kind(fields: ReleaseFields, data: "Path | Address", attackers: Sequence[Attacker]) -> str:
    """Return the kind that is given, follows from other fields or from the attackers, or is guessed."""
    from giveaway.sources import guess_kind

    if fields.kind is not None:
        return fields.kind
    if fields.item is not None:
        return "transactions"
    if fields.stated_for_tables or on_tables(attackers):
        return "table"
    if not isinstance(data, Path):
        return "transactions"
    guess = guess_kind(data, separator=fields.separator, header=fields.header, encoding=fields.encoding)
    unfit = next(iter(fields.stated(OF_TRANSACTIONS)), None)
    if guess == "table" and unfit is not None:
        raise DataError(
            f"{fields.data} looks like a table, to which {unfit} does not belong.",
            hint='set kind = "transactions".',
        )
    return guess


def _supports(fields: ReleaseFields, base: Path, data: "Path | Address", lines: Lines) -> Release:
    from giveaway.sources import read_supports

    if not isinstance(data, Path):
        raise ScenarioError(
            f"Supports are read from a file, not from {data.shown}.", hint="export them to one."
        )

    supports = read_supports(
        data,
        transactions=fields.transactions or 0,
        domain=fields.domain,
        domain_from=None if fields.domain_from is None else base / fields.domain_from,
        separator=fields.separator,
        encoding=fields.encoding,
    )
    with lines.with_lines_of("release"):
        return Release(supports, stated=_withheld_items(fields, base), words=_words(fields))


def _transactions(
    fields: ReleaseFields,
    base: Path,
    data: "Path | Address",
    common: dict[str, Any],
    lines: Lines,
    *,
    renamed: bool,
) -> Release:
    from giveaway.sources import read_transactions

    transactions = read_transactions(
        data,
        private=fields.private,
        private_from=None if fields.private_from is None else base / fields.private_from,
        domain=fields.domain,
        domain_from=None if fields.domain_from is None else base / fields.domain_from,
        item=fields.item,
        **common,
    )
    with lines.with_lines_of("release"):
        return Release(
            transactions,
            Withheld(item_levels=fields.item_levels),
            stated=_withheld_items(fields, base),
            words=_words(fields),
            renamed=renamed,
            order=fields.order,
            hierarchies=_hierarchies(fields, base),
        )


def _words(fields: ReleaseFields) -> Nouns:
    words = fields.words
    return Nouns() if words is None else Nouns.of({"row": words.row, "item": words.item})


def _withheld_items(fields: ReleaseFields, base: Path) -> Withheld:
    if not isinstance(fields.withheld, str):
        return Withheld(items=fields.withheld)
    from giveaway.sources import read_items

    return Withheld(items=read_items(base / fields.withheld))


def _withheld_entries(fields: ReleaseFields, base: Path, table: Table) -> Withheld:
    if not isinstance(fields.withheld, str):
        return Withheld(
            cells=Cells.at({table.checked(name): np.arange(len(table)) for name in fields.withheld})
        )
    from giveaway.sources import read_withheld

    return read_withheld(base / fields.withheld, table)


def _secrets(fields: ReleaseFields, base: Path, table: Table) -> Cells:
    if fields.secrets is None:
        return Cells()
    from giveaway.sources import read_entries

    return read_entries(base / fields.secrets, table, secrets=True)


def _marks(fields: ReleaseFields, base: Path, table: Table) -> Cells | tuple[str, ...]:
    if not isinstance(fields.must_publish, str):
        return fields.must_publish
    from giveaway.sources import read_entries

    return read_entries(base / fields.must_publish, table, secrets=False)


def _sensitivity(fields: ReleaseFields, base: Path, table: Table) -> Sensitivity:
    weights = fields.sensitivity
    if not isinstance(weights, SensitivityFields):
        return Sensitivity()
    from giveaway.sources.side_files.weights import read_weights

    files = {name: getattr(weights, name) for name in ("records", "cells", "pairs")}
    return read_weights(
        table,
        columns=weights.columns,
        form=weights.form,
        wrong=weights.wrong,
        **{name: base / file for name, file in files.items() if file is not None},
    )


def _hierarchies(fields: ReleaseFields, base: Path) -> dict[str, Hierarchy]:
    from giveaway.sources.side_files.hierarchies import read_hierarchy

    named = fields.hierarchies or {}
    return {column: read_hierarchy(base / file, encoding=fields.encoding) for column, file in named.items()}


def _rules(
    fields: ReleaseFields, base: Path, table: Table, attackers: Sequence[Attacker]
) -> PublishedRules | None:
    """Read the rules, or find them over everything that the readers of rules know."""
    stated = fields.rules
    if stated is None:
        return None
    if stated.from_ is not None:
        from giveaway.sources.side_files.rule_lists import read_rules

        return stated.published(read_rules(base / stated.from_, table))
    from giveaway.itemsets.rule_mining import mine_rules

    readers = [attacker for attacker in attackers if ATTACKS[attacker.attack].reads.published == "rules"]
    columns = list(dict.fromkeys(column for attacker in readers for column in attacker.looks_at()))
    rules = mine_rules(
        table,
        columns=columns or None,
        min_support=stated.min_support,
        min_confidence=stated.min_confidence,
        inclusive=stated.inclusive,
    )
    return stated.published(rules)


def _statements(fields: ReleaseFields, base: Path, table: Table) -> tuple[Statement, ...]:
    if fields.statements_from is None:
        return fields.statements
    from giveaway.sources import read_statements

    return (*fields.statements, *read_statements(base / fields.statements_from, table))
