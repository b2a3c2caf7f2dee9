"""At least one small case for each attack: what the shared bench of properties runs on."""

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import giveaway as ga
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.need import Need


@dataclass(frozen=True, kw_only=True)
class Case:
    """A release that is at risk and can be protected, with ways to vary the question."""

    rows: list[Any]
    release: Callable[[list[Any]], ga.Release]
    attacker: Attacker
    stronger: Attacker
    tolerance: ga.Tolerance
    looser: ga.Tolerance
    need: Need | None
    labels: tuple[str, ...]
    """Texts that must not appear in what is published about the release."""
    outcome: Callable[[ga.Assessment], Any]
    """What protecting comes to, whatever the order of the rows."""
    exposed: tuple[str, str] | None
    """The figures that count what is over the limit, and of how many."""
    strength: tuple[str, float | str] | None
    """What the curve `strength` shows, and where on it the stated attacker is: a number, or the field that says it.

    None where the curve is about records, and people are judged.
    """
    together: ga.Tolerance | None = None
    """The tolerance for several attackers, where they cannot be protected against by that for one."""
    over_at_limit: bool = False
    """Whether a chance that is exactly the limit is over it."""
    by_lot: bool = False
    """Whether it is drawn which of equal records are withheld."""


def uninformed(attacker: Attacker) -> Attacker:
    """Return the attacker of the paper, who does not know how giveaway chooses."""
    other = copy(attacker)
    object.__setattr__(other, "knows_method", False)
    return other


ROWS = [
    ["bread", "milk"],
    ["bread", "milk", "jam"],
    ["bread", "milk", "jam", "insulin"],
    ["bread", "milk"],
    ["bread", "jam"],
    ["bread", "milk", "caviar"],
    ["milk", "jam"],
    ["bread", "milk", "saffron", "insulin"],
    [],
    ["bread"],
]

PEOPLE = [
    {"who": f"p{number}", "sex": sex, "job": job, "town": town, "ill": ill}
    for number, (sex, job, town, ill) in enumerate(
        [
            *[("female", "cook", "Ayr", "asthma")] * 6,
            *[("female", "cook", "Wick", "healthy")] * 1,
            *[("female", "clerk", "Ayr", "healthy")] * 5,
            *[("female", "clerk", "Wick", "asthma")] * 2,
            *[("male", "cook", "Ayr", "healthy")] * 4,
            *[("male", "cook", "Wick", "gout")] * 3,
            *[("male", "clerk", "Ayr", "gout")] * 1,
            *[("male", "clerk", "Wick", "healthy")] * 6,
        ]
    )
]
MIXED = [
    {"who": f"p{number}", "sex": sex, "job": job, "town": town, "ill": ill}
    for number, (sex, job, town, ill) in enumerate(
        [
            *[("female", "cook", "Ayr", ill) for ill in ("asthma", "gout", "asthma", "healthy", "gout")],
            *[
                ("female", "clerk", "Wick", ill)
                for ill in ("healthy", "gout", "asthma", "healthy", "healthy")
            ],
            *[("male", "cook", "Wick", ill) for ill in ("gout", "healthy", "asthma", "healthy")],
            *[
                ("male", "clerk", "Ayr", ill)
                for ill in ("healthy",) * 4 + ("gout", "asthma", "gout", "asthma")
            ],
            *[("male", "clerk", "Wick", "healthy")] * 3,
        ]
    )
]
KNOWN = ["sex", "job", "town"]
VALUES = ("cook", "clerk", "Ayr", "Wick", "asthma", "healthy", "gout", "p13")


def people(rows: list[Any]) -> ga.Table:
    return ga.Table.from_rows(rows, sensitive="ill", id="who")


def rules(rows: list[Any]) -> ga.Release:
    table = people(rows)
    limits = {"min_support": "1/10", "min_confidence": "1/2"}
    return ga.Release(
        table, rules=ga.PublishedRules(ga.mine_rules(table, **limits), scores="exact", **limits)
    )


def shown(assessment: ga.Assessment) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row.values()) for row in assessment.released())


SHOP = [
    [f"item{number}" for number, support in enumerate((9, 9, 8, 9, 5, 5, 5, 1, 12)) if place < support]
    for place in range(12)
]

CASES = {
    "frequencies": Case(
        rows=SHOP,
        release=lambda rows: ga.Release(ga.Transactions.from_lists(rows)),
        attacker=ga.KnowsFrequencies(belief=ga.Belief.around("1/12")),
        stronger=ga.KnowsFrequencies(belief=ga.Belief.exact()),
        tolerance=ga.Tolerance(identity="1/2", average="2/5"),
        looser=ga.Tolerance(average="999/1000"),
        need=None,
        labels=tuple(f"item{number}" for number in range(9)),
        outcome=lambda found: found.withheld,
        exposed=None,
        strength=("average", 1.0),
    ),
    "directory": Case(
        rows=PEOPLE,
        release=lambda rows: ga.Release(people(rows)),
        attacker=ga.KnowsDirectory(on=KNOWN, match={"job": ga.Jaro(0.6)}),
        stronger=ga.KnowsDirectory(on=KNOWN),
        tolerance=ga.Tolerance(identity="1/8"),
        looser=ga.Tolerance(identity="999/1000", share="1/14"),
        need=ga.NeedsColumns(per_record=1),
        labels=VALUES,
        outcome=shown,
        exposed=("exposed_records", "records"),
        strength=("share", 3.0),
    ),
    "directory, of sensitive values": Case(
        rows=[PEOPLE[0] | {"ill": "gout"}, *PEOPLE[1:]],
        release=lambda rows: ga.Release(people(rows)),
        attacker=ga.KnowsDirectory(on=KNOWN, judges="true"),
        stronger=ga.KnowsDirectory(on=KNOWN),
        tolerance=ga.Tolerance(attribute="4/5"),
        looser=ga.Tolerance(attribute="999/1000", share="99/100"),
        together=ga.Tolerance(identity="1/8", attribute="4/5"),
        need=ga.NeedsColumns(),
        labels=VALUES,
        outcome=shown,
        exposed=("exposed_people", "people"),
        strength=None,
    ),
    "directory, known in part": Case(
        rows=PEOPLE,
        release=lambda rows: ga.Release(people(rows)),
        attacker=ga.KnowsDirectory(on=KNOWN, at_most=2),
        stronger=ga.KnowsDirectory(on=KNOWN, at_most=3),
        tolerance=ga.Tolerance(identity="1/8"),
        looser=ga.Tolerance(identity="999/1000", share="1/14"),
        need=ga.NeedsColumns(per_record=1),
        labels=VALUES,
        outcome=shown,
        exposed=("exposed_records", "records"),
        strength=("share", "at_most"),
    ),
    "profiles": Case(
        rows=PEOPLE,
        release=rules,
        attacker=ga.KnowsProfiles(columns=KNOWN),
        stronger=ga.KnowsProfiles(
            columns=KNOWN, background=[ga.Statement(value="gout", at_least="1/10", at_most="1/5")]
        ),
        tolerance=ga.Tolerance(attribute="4/5"),
        looser=ga.Tolerance(attribute="999/1000", share="99/100"),
        need=ga.NeedsRules(),
        labels=VALUES,
        outcome=lambda found: found.withheld.rules,
        exposed=("people_above", "records"),
        strength=("share", inf),
    ),
    "attributes": Case(
        rows=MIXED,
        release=lambda rows: ga.Release(people(rows), secrets=["p0", "p1", "p7", "p19"]),
        attacker=ga.KnowsAttributes(columns=KNOWN),
        stronger=ga.KnowsAttributes(columns=KNOWN, odds="3/2"),
        tolerance=ga.Tolerance(attribute="3/5"),
        looser=ga.Tolerance(attribute="999/1000", share="99/100"),
        need=ga.NeedsCells(),
        labels=VALUES,
        outcome=shown,
        exposed=("exposed_records", "sensitive_records"),
        strength=("share", 3.0),
        by_lot=True,
    ),
    "attributes, of the paper": Case(
        rows=PEOPLE,
        release=lambda rows: ga.Release(people(rows), secrets=["p0", "p7", "p19"]),
        attacker=ga.KnowsAttributes(columns=KNOWN, trusts_support_above=2, knows_method=False),
        stronger=ga.KnowsAttributes(columns=KNOWN, knows_method=False),
        tolerance=ga.Tolerance(attribute="3/5"),
        looser=ga.Tolerance(attribute="999/1000"),
        need=ga.NeedsCells(),
        labels=VALUES,
        outcome=shown,
        exposed=("exposed_records", "sensitive_records"),
        strength=("share", 3.0),
    ),
    "items": Case(
        rows=ROWS,
        release=lambda rows: ga.Release(ga.Transactions.from_lists(rows, private=["insulin"])),
        attacker=ga.KnowsItems(at_most=2),
        stronger=ga.KnowsItems(at_most=3),
        tolerance=ga.Tolerance(identity="1/2", attribute="1/2"),
        looser=ga.Tolerance(identity="999/1000", attribute="999/1000", share="99/100"),
        need=ga.NeedsItemsets(min_support=2),
        labels=("bread", "milk", "jam", "caviar", "saffron", "insulin"),
        outcome=lambda found: found.withheld,
        exposed=("exposed_transactions", "transactions"),
        strength=("share", "at_most"),
    ),
    "items, as categories": Case(
        rows=ROWS,
        release=lambda rows: ga.Release(
            ga.Transactions.from_lists(rows, private=["insulin"]),
            hierarchies={"item": {"caviar": ["delicacies"], "saffron": ["delicacies"], "jam": ["sweets"]}},
        ),
        attacker=ga.KnowsItems(at_most=2),
        stronger=ga.KnowsItems(at_most=3),
        tolerance=ga.Tolerance(identity="1/2", attribute="1/2"),
        looser=ga.Tolerance(identity="999/1000", attribute="999/1000", share="99/100"),
        need=ga.NeedsItemsets(min_support=2),
        labels=("bread", "milk", "jam", "caviar", "saffron", "insulin", "delicacies"),
        outcome=lambda found: found.withheld,
        exposed=("exposed_transactions", "transactions"),
        strength=("share", "at_most"),
    ),
}

PAPERS = {
    f"{name}, of the paper": replace(
        CASES[name],
        attacker=uninformed(CASES[name].attacker),
        stronger=uninformed(CASES[name].stronger),
        over_at_limit=name == "frequencies",
    )
    for name in ("directory", "frequencies", "items", "profiles")
}
PAPERS["directory, of the paper"] = replace(
    PAPERS["directory, of the paper"], looser=ga.Tolerance(identity="999/1000")
)
"""The same questions about attackers who do not know how giveaway chooses."""
