"""The attack `attributes`: somebody who infers a hidden entry from rules in the rest of the table."""

from fractions import Fraction

from giveaway.attacks.attack import Asks, Attack, Conditional, Does, Limits, Reads, Says
from giveaway.attacks.attributes.attacker import AttributesOptions, KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.reporting.asking import ASKING
from giveaway.attacks.attributes.reporting.phrases import PHRASES
from giveaway.attacks.attributes.scenario import PROPOSES
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def _not_judged(release: Release, attacker: KnowsAttributes, *_: object) -> tuple[str, ...]:
    table = release.original
    several = isinstance(table, Table) and len(table.sensitive) > 1
    knows = attacker.knows_method
    return (
        *(("other sensitive columns as conditions",) if several and not attacker.uses_sensitive else ()),
        *(("knowing who asked for a blank",) if knows and not attacker.asking_known else ()),
        *(("asking that depends on the value",) if knows and attacker.asking == "independent" else ()),
    )


def _does() -> Does:
    from giveaway.attacks.attributes.does import DOES

    return DOES


ATTRIBUTES = Attack(
    name="attributes",
    attacker=KnowsAttributes,
    options=AttributesOptions,
    need=NeedsCells,
    reads=Reads(data=Table, requires=frozenset({"sensitive", "secrets"})),
    limits=Limits(
        used=frozenset({"attribute"}),
        greatest=lambda _: dict.fromkeys(("attribute",), Fraction(1)),
        targets=lambda release: (len(release.secrets), "secrets"),
    ),
    does=_does,
    says=Says(
        story=(
            "Some sensitive entries of a table are left blank. Somebody looks at who asked for a blank and at what the rest of "
            "the table says, such as that most people with this education and these hours are teachers, and fills in the blanks."
        ),
        measures=(
            "For each secret entry, how many of the blank entries of people who look the same have one value: somebody who knows "
            "how blanks are chosen, but not who asked, has no better chance. A blank that stands alone is told by the asking. "
            'With asking = "independent", asking_known, or knows_method = false, rules from the visible columns to a value are '
            "judged, among those that enough visible records support."
        ),
        does_not_cover=(
            Conditional(
                "Somebody who knows who asked for a blank; further blanks then hide less.",
                if_="with asking_known = false",
                when=lambda attacker, _: attacker.knows_method and not attacker.asking_known,
            ),
            Conditional(
                "Somebody who knows how giveaway chooses; entries that are hidden for a secret tell its value.",
                if_="with knows_method = false",
                when=lambda attacker, _: not attacker.knows_method,
            ),
            Conditional(
                "Somebody whose own entry was blanked by lot, and who knows it; next to one other blank they learn that value.",
                if_="with knows_method = true",
                when=lambda attacker, _: attacker.knows_method,
            ),
            "Somebody to whom people of the same group differ by more than the columns stated.",
            Conditional(
                "Another sensitive column that is published; it may tell more about a secret.",
                if_="with uses_sensitive = false",
                when=lambda attacker, _: not attacker.uses_sensitive,
            ),
            "A hidden condition that somebody knows from elsewhere.",
            "Other releases or files that may be joined with this one.",
        ),
        not_judged=_not_judged,
        missing=(
            "A missing entry is treated like a hidden one: no rule uses it, it supports none and is not a decoy; a secret without a "
            "value is safe."
        ),
        assumes=(
            "One row is about one person.",
            "Blanks are filled in from what the release shows of people who look the same.",
            Conditional(
                "Who asks for a blank does not depend on their value.",
                if_='with asking = "independent"',
                when=lambda attacker, _: attacker.knows_method and attacker.asking == "independent",
            ),
        ),
        paper=(
            "Li, Shirani-Mehr, Yang: Protecting Individual Information Against Inference Attacks in Data Publishing, "
            "DASFAA 2007. Their words: partial table, safe partial table, R-graph."
        ),
        phrases=PHRASES,
    ),
    asks=Asks(proposes=PROPOSES, example="columns=sex,age", page=ASKING),
)

__all__ = ["ATTRIBUTES", "AttributesOptions", "KnowsAttributes"]
