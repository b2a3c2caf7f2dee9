"""The attack `attributes`: somebody who infers a hidden entry from rules in the rest of the table."""

from fractions import Fraction

from giveaway.attacks.attack import Attack, later
from giveaway.attacks.attributes.attacker import AttributesOptions, KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.reporting.phrases import PHRASES
from giveaway.attacks.attributes.scenario import PROPOSES
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def _not_judged(release: Release, *_: KnowsAttributes) -> tuple[str, ...]:
    table = release.original
    several = isinstance(table, Table) and len(table.sensitive) > 1
    return ("other sensitive columns as conditions",) if several else ()


ATTRIBUTES = Attack(
    name="attributes",
    attacker=KnowsAttributes,
    data=Table,
    requires=frozenset({"sensitive", "secrets"}),
    need=NeedsCells,
    options=AttributesOptions,
    limits_used=frozenset({"attribute"}),
    greatest=lambda _: dict.fromkeys(("attribute",), Fraction(1)),
    vacuous=later("giveaway.attacks.attributes.vacuous", "refuse"),
    measure=later("giveaway.attacks.attributes.measure", "measure"),
    protect=later("giveaway.attacks.attributes.protect", "protect"),
    after=later("giveaway.attacks.attributes.measure", "after"),
    proposes=PROPOSES,
    example="columns=sex,age",
    story=(
        "Some sensitive entries of a table are left blank. Somebody finds rules in the rest of the table, such as "
        "that most people with this education and these hours are teachers, and fills in the blanks."
    ),
    measures=(
        "For each secret entry, the best confidence of a rule from the person's visible columns to the true value, among "
        "the rules that enough visible records support. A rule above the limit is unsafe; a partial table without unsafe "
        "rules is safe. Blank entries count as other values; a warning says when somebody who leaves them out of the count "
        "is over the limit."
    ),
    does_not_cover=(
        "Somebody who knows how the entries were chosen: those hidden for a secret carry its value.",
        "A hidden condition that somebody knows from elsewhere.",
        "Another sensitive column as a condition: it is published, and may tell more about a secret than the columns that are judged.",
    ),
    not_judged=_not_judged,
    missing="A missing entry is treated like a hidden one: no rule uses it and it supports none; a secret without a value is safe.",
    paper=(
        "Li, Shirani-Mehr, Yang: Protecting Individual Information Against Inference Attacks in Data Publishing, "
        "DASFAA 2007. Their words: partial table, safe partial table, R-graph."
    ),
    phrases=PHRASES,
)

__all__ = ["ATTRIBUTES", "AttributesOptions", "KnowsAttributes"]
