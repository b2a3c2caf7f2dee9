"""The attack `frequencies`: somebody who recognises renamed items by how often they occur."""

from fractions import Fraction

from giveaway.attacks.attack import Attack, Conditional, later
from giveaway.attacks.frequencies.attacker import FrequenciesOptions, KnowsFrequencies
from giveaway.attacks.frequencies.need import NeedsNothing
from giveaway.attacks.frequencies.reporting.asking import ASKING
from giveaway.attacks.frequencies.reporting.phrases import PHRASES, phrases_of
from giveaway.attacks.frequencies.scenario import PROPOSES, FrequenciesFields
from giveaway.attacks.kept_items import NeedsItems
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions

FREQUENCIES = Attack(
    name="frequencies",
    attacker=KnowsFrequencies,
    data=Transactions | Supports | Table,
    data_of=lambda attacker: Table if attacker.of_people else Transactions | Supports,
    renames=True,
    need=NeedsNothing,
    marks=(NeedsItems,),
    options=FrequenciesOptions,
    limits_used=frozenset({"identity", "average"}),
    greatest=lambda _: dict.fromkeys(("identity", "average"), Fraction(1)),
    spared=lambda attacker, _: (
        {}
        if attacker.targets == "items"
        else {"average": f"sets of {nouns().items} are judged by identity and share"}
    ),
    average_is_share=True,
    breach_at_limit=lambda attacker: frozenset(() if attacker.knows_method else ("identity",)),
    vacuous=later("giveaway.attacks.frequencies.vacuous", "refuse"),
    measure=later("giveaway.attacks.frequencies.measure", "measure"),
    protect=later("giveaway.attacks.frequencies.protect", "protect"),
    views=later("giveaway.attacks.frequencies.together", "views"),
    after=later("giveaway.attacks.frequencies.measure", "after"),
    scenario_fields=FrequenciesFields,
    proposes=PROPOSES,
    story=(
        "Item names were replaced by codes. Somebody knows roughly how often each item occurs, for example from similar "
        "data of their own, and looks for the codes that occur as often. Who sells milk with every fourth purchase looks for the "
        "code of every fourth basket, and reads milk wherever that code stands. Or a table is published without names, and "
        "somebody who knows something of some people matches all of them with all records at once."
    ),
    measures=(
        "How likely each item is to be recognised from its code, when every one-to-one mapping of items to codes that agrees "
        "with what is believed is equally likely; the expected share of items that are recognised; for sets of items, "
        "the chance that a set is recognised from its codes; of people in a table, how likely each is told from their record. "
        "For somebody who knows how giveaway chooses, the likeliest code of "
        "an item counts, true or not, so that the verdict tells nothing about the true codes."
    ),
    does_not_cover=(
        Conditional(
            "Somebody who knows which items occur together.",
            if_="without known pairs",
            when=lambda attacker, _: not attacker.of_people and attacker.known_pairs is None,
        ),
        Conditional(
            "Somebody who recognises a transaction, and reads the codes of its items from that.",
            if_="of items",
            when=lambda attacker, _: not attacker.of_people,
        ),
        Conditional(
            "Somebody who knows other columns than those stated, and what is told by which entries are blank.",
            if_="of people in a table",
            when=lambda attacker, _: attacker.of_people,
        ),
        "Somebody who thinks some frequencies in a range more likely than others, unless it is stated as weights.",
        "What it tells that just these items are withheld, and their codes with them.",
        "Other releases or files that may be joined with this one, unless they are named as earlier ones.",
    ),
    not_judged=lambda _, attacker, __: (
        *(
            (f"{nouns().items} known to occur together",)
            if attacker.known_pairs is None and not attacker.of_people
            else ()
        ),
        *(
            ("what a blank tells",)
            if attacker.of_people and attacker.knows_method
            else ("what a removed code tells",)
            if attacker.knows_method
            else ()
        ),
    ),
    missing="An empty transaction is a transaction: it counts. An item of the domain that never occurs has frequency 0. A record of a table without a value may be anybody's.",
    assumes=(
        "What the attacker believes of frequencies, or knows of people, is as stated, and no more.",
        Conditional(
            "Codes stand for items at random, and the file that undoes them is kept by the owner.",
            if_="of items",
            when=lambda attacker, _: not attacker.of_people,
        ),
        Conditional(
            "One record is about one person, and the rows stand in no order that tells whose they are.",
            if_="of people in a table",
            when=lambda attacker, _: attacker.of_people,
        ),
    ),
    paper=(
        "Lakshmanan, Ng, Ramesh: On Disclosure Risk Analysis of Anonymized Itemsets in the Presence of Prior Knowledge, "
        "ACM TKDD 2008. Their words: crack, belief function, compliancy, O-estimate."
    ),
    phrases=PHRASES,
    asking=ASKING,
    phrases_of=phrases_of,
)

__all__ = ["FREQUENCIES", "FrequenciesOptions", "KnowsFrequencies"]
