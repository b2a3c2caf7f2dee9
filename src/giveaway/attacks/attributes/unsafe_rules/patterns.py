"""Patterns of the same conditions, with the groups and the secrets that have them: what one step of a search works on."""

from typing import NamedTuple

from giveaway.model.data.arrays import Codes, Ints


class PatternGroups(NamedTuple):
    """The groups of a table: their visible sensitive value, the true value of secrets, and the number of records."""

    value: Codes
    truth: Codes
    records: Ints


class RulePatterns(NamedTuple):
    """Patterns of the same conditions, pattern after pattern: the groups that have them, and the secrets among these.

    `rows[row_starts[p] : row_starts[p + 1]]` are all groups that have pattern `p`, in ascending order;
    `secrets[secret_starts[p] : secret_starts[p + 1]]` are those of them that are secret and still searched for, in
    ascending order too. Only patterns that some such secret has are here.
    """

    rows: Codes
    row_starts: Ints
    secrets: Codes
    secret_starts: Ints


class PatternCounts(NamedTuple):
    """What patterns count: the records that have each and those of them with a visible value, and the trusted rules.

    A trusted rule is a pattern and a secret whose true value enough records with the pattern show. `secrets`, `pattern`
    and `showing` hold its secret, its pattern and how many show the value, pattern after pattern from `secret_starts` on.
    """

    matching: Ints
    visible: Ints
    secret_starts: Ints
    secrets: Codes
    pattern: Ints
    showing: Ints
