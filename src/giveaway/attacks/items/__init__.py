"""The attack `items`: somebody who knows a few of a person's items."""

from fractions import Fraction

from giveaway.attacks.attack import Asks, Attack, Does, Limits, Reads, Says
from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.reporting.asking import ASKING
from giveaway.attacks.items.reporting.phrases import PHRASES
from giveaway.attacks.items.scenario import PROPOSES
from giveaway.attacks.kept_items import NeedsItems
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.transactions import Transactions


def _does() -> Does:
    from giveaway.attacks.items.does import DOES

    return DOES


ITEMS = Attack(
    name="items",
    attacker=KnowsItems,
    options=ItemsOptions,
    need=NeedsItemsets,
    marks=(NeedsItems,),
    reads=Reads(data=Transactions, fields=frozenset({"hierarchies"})),
    limits=Limits(
        used=frozenset({"identity", "attribute"}),
        greatest=lambda _: dict.fromkeys(("identity", "attribute"), Fraction(1)),
        spared=lambda _, private: {} if private else {"attribute": f"no {nouns().item} is private"},
        unjoined_tell_more=frozenset({"attribute"}),
    ),
    does=_does,
    says=Says(
        story=(
            "Somebody knows a few public items of a person's transaction, for example what a neighbour saw at the till, and "
            "looks for the transactions that hold them all."
        ),
        measures=(
            "How many transactions hold what is known (1/support is the chance of telling whose it is), and how often a "
            "private item is among them (the breach probability). A combination that leaves too few, or gives away too "
            "much, is a mole; a release without moles is (h, k, p)-coherent."
        ),
        does_not_cover=(
            "Somebody who knows that an item was not bought.",
            "Somebody who knows a private item of the person already.",
            "Somebody who knows a withheld item, or the one behind a category, and how giveaway chose it.",
            "Other releases or files that may be joined with this one, unless they are named as earlier ones.",
            "Next to earlier releases of another period: somebody who knows who joined or left since.",
        ),
        not_judged=lambda _, attacker, __: (
            f"{nouns().items} known not to be there",
            *((f"knowing withheld {nouns().items}",) if attacker.knows_method else ()),
        ),
        missing="An empty transaction is a transaction: it counts, and it stays in the release.",
        assumes=("Each transaction is of one person, and nobody has two.",),
        paper=(
            "Xu, Fung, Wang, Fu, Pei: Publishing Sensitive Transactions for Itemset Utility, ICDM 2008. "
            "Their word: (h, k, p)-coherence."
        ),
        phrases=PHRASES,
    ),
    asks=Asks(proposes=PROPOSES, example="at_most=3", page=ASKING),
)

__all__ = ["ITEMS", "ItemsOptions", "KnowsItems"]
