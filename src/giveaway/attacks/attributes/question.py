"""The question put about hidden entries, checked: what is published, which entries are secret, and which limits hold."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.decoys.peers import Peers, peers
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn, group
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

_MOST_COLUMNS = 60
"""As many conditions as a bitmask holds."""

_FEW = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class AttributesQuestion:
    """A table with blanks, the secrets among them, and the limits minconf and minsupp of the paper."""

    release: Release
    original: Table
    published: Table
    attacker: KnowsAttributes
    tolerance: Tolerance
    limit: Fraction
    """The largest confidence of a rule to a secret value."""
    need: NeedsCells

    @property
    def hideable(self) -> tuple[str, ...]:
        """Where entries may be hidden."""
        return self.need.hideable

    @cached_property
    def sensitive_columns(self) -> tuple[SensitiveColumn, ...]:
        """The sensitive columns with secrets, in the order of the columns."""
        if not self.release.secrets:
            # The published table may then be that of several releases, and there is nothing to remember.
            return ()
        return self.published.remember(
            "attributes", (self.attacker, self.limit, self.hideable, *self._weights()), self._grouped
        )

    def _grouped(self) -> tuple[SensitiveColumn, ...]:
        return tuple(
            group(
                self.release,
                self.conditions(column),
                column,
                hideable=self.hideable,
                limit=self.limit,
                least=self.attacker.trusts_support_above,
                prices=self._prices(column),
            )
            for column in self.original.sensitive
            if len(self.release.secrets.positions(column))
        )

    def conditions(self, sensitive: str) -> tuple[str, ...]:
        """Return the columns from which an entry of a sensitive column may be inferred."""
        return self.attacker.conditions(self.original, sensitive)

    @property
    def most_conditions(self) -> int:
        """The most conditions that a rule may have."""
        return len(self.conditions(self.original.sensitive[0]))

    @property
    def are_columns_apart(self) -> bool:
        """Whether what is hidden for one sensitive column is no condition of another."""
        return len(self.sensitive_columns) == 1 or not self.attacker.uses_sensitive

    def _weights(self) -> list[tuple[str, int]]:
        return sorted(self.need.weights.items())

    def weight(self, column: str) -> int:
        """Return how much an entry of a column counts."""
        return self.need.weights.get(column, 1)

    def _prices(self, sensitive: str) -> tuple[int, ...]:
        """Return what hiding an entry of each condition and of a sensitive column costs; empty where each costs 1."""
        prices = tuple(map(self.weight, (*self.conditions(sensitive), sensitive)))
        return prices if any(price != 1 for price in prices) else ()

    def cost(self, cells: Cells) -> int:
        """Return how much some entries count together: as many as they are, without weights."""
        return sum(self.weight(name) * len(cells.positions(name)) for name in cells.columns)

    @cached_property
    def peers(self) -> tuple[Peers, ...]:
        """For each sensitive column with secrets, the groups of records that look the same."""
        return tuple(
            peers(
                self.release,
                self.conditions(column.name),
                column.name,
                worth=column.is_worth_protecting,
                at_least=self.attacker.cells_of,
                may_blank="sensitive of others" in self.hideable,
            )
            for column in self.sensitive_columns
        )

    @property
    def records(self) -> int:
        """The number of records, secrets included."""
        return len(self.original)

    @property
    def secrets(self) -> int:
        """The number of secret entries."""
        return len(self.release.secrets)

    @property
    def allowed(self) -> int:
        """How many secrets may be over the limit."""
        share = self.tolerance.share * self.secrets
        return share.numerator // share.denominator

    @property
    def columns(self) -> tuple[str, ...]:
        """The conditions and the sensitive columns: what is counted as kept."""
        return (*self.attacker.columns, *self.original.sensitive)

    @property
    def rows_with_secrets(self) -> Ints:
        """The rows with a secret in some column, counted from 0 and ascending."""
        secrets = self.release.secrets
        return np.unique(np.concatenate([secrets.positions(name) for name in secrets.columns]))

    def has_conditions_of_secrets(self, cells: Cells) -> bool:
        """Tell whether conditions of records with a secret are among some entries."""
        secrets = self.release.secrets
        return any(
            np.isin(cells.positions(name), secrets.positions(sensitive)).any()
            for sensitive in secrets.columns
            for name in self.conditions(sensitive)
        )

    @property
    def hidden_entries(self) -> int:
        """The entries withheld in addition to the secrets, where there is a value."""
        return sum(self._hidden_by_column.values())

    @property
    def hidden_cost(self) -> int:
        """How much the entries count together that are withheld in addition to the secrets."""
        return sum(self.weight(name) * many for name, many in self._hidden_by_column.items())

    @cached_property
    def _hidden_by_column(self) -> dict[str, int]:
        hidden = self.release.withheld.cells - self.release.secrets
        return {name: self._with_value(name, hidden.positions(name)) for name in self.columns}

    @property
    def entries(self) -> int:
        """The entries with a value that need not be hidden: all but the secrets."""
        codes, weights = self.original.columns, self.original.weights
        everything = sum(int(weights[codes[name] != UNKNOWN].sum()) for name in self.columns)
        secrets = self.release.secrets
        return everything - sum(self._with_value(name, secrets.positions(name)) for name in self.columns)

    def _with_value(self, column: str, rows: Ints) -> int:
        return int((self.original.columns[column][self.original.record_of[rows]] != UNKNOWN).sum())

    def label(self, column: str, code: int) -> Label:
        """Return the label of a code."""
        return self.original.labels[column][code]

    def withholding(self, cells: Cells) -> "AttributesQuestion":
        """Ask the same of a release that withholds more entries."""
        return self.about(self.release.withholding(Withheld(cells=cells)))

    def about(self, release: Release, attacker: KnowsAttributes | None = None) -> "AttributesQuestion":
        """Ask the same of another release, or of another attacker."""
        return ask(release, attacker or self.attacker, self.tolerance, self.need)


def ask(
    release: Release, attacker: KnowsAttributes, tolerance: Tolerance, need: NeedsCells | None
) -> AttributesQuestion:
    """Put the question together, and refuse one that does not fit the table."""
    original, published = release.original, release.published
    if not isinstance(original, Table) or not isinstance(published, Table):
        raise ScenarioError(
            "The attack attributes is about published rows, and this release publishes rules only.",
            hint="leave the rules out, or ask about a profiles attacker.",
        )
    _check(release, original, attacker)
    need = need or NeedsCells()
    for column in need.weights:
        original.checked(column)
    return AttributesQuestion(
        release=release,
        original=original,
        published=published,
        attacker=attacker,
        tolerance=tolerance,
        limit=Fraction(1) if tolerance.attribute is None else tolerance.attribute,
        need=need,
    )


def beside_others(release: Release, attacker: KnowsAttributes) -> KnowsAttributes:
    """Return somebody who knows the method with the columns of all of the kind who are asked about.

    Entries that are hidden for another are hidden by columns that everybody sees, and only among records that are equal in
    all of them it says nothing whose they are.
    """
    others = [one for one, _ in release.beside if isinstance(one, KnowsAttributes)]
    return attacker.with_columns_of(others) if attacker.knows_method else attacker


def _check(release: Release, original: Table, attacker: KnowsAttributes) -> None:
    if not original.sensitive:
        raise ScenarioError(
            "No column of the table is sensitive, so there is no entry to infer.",
            exists=", ".join(original.columns),
            hint='name one, as in sensitive = "disease".',
        )
    for column in attacker.columns:
        if column == original.id:
            raise ScenarioError(
                f'The column "{column}" is the identifier, which is never published.',
                hint="take it from the columns that the attacker knows.",
            )
        if original.checked(column) in original.sensitive:
            raise ScenarioError(
                f'The sensitive column "{column}" is among the columns that rules start from.',
                hint="a column is what is known or what is inferred, not both.",
            )
    known = len(attacker.conditions(original, original.sensitive[0]))
    if known > _MOST_COLUMNS:
        raise ScenarioError(
            f"The attacker knows {known} columns, more than the {_MOST_COLUMNS} that can be judged."
        )
    labels = {label for column in original.sensitive for label in original.labels[column]}
    for value in release.sensitive_values or ():
        if value not in labels:
            values = sorted(map(str, labels))
            raise ScenarioError(
                f"The sensitive value {value!r} does not occur.",
                exists=", ".join(values[:_FEW]) + (", ..." if len(values) > _FEW else ""),
            )
