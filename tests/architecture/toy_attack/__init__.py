"""A toy attack, `sizes`: somebody who saw how large a basket was. It lives outside `src`, which needs no change for it."""

from fractions import Fraction

from tests.architecture.toy_attack.attacker import KnowsSizes, SizesOptions
from tests.architecture.toy_attack.need import NeedsOccurrences
from tests.architecture.toy_attack.phrases import PHRASES
from tests.architecture.toy_attack.scenario import PROPOSES, OccurrencesFields, SizesFields

from giveaway.attacks.attack import Asks, Attack, Does, Limits, Reads, Says
from giveaway.model.data.transactions import Transactions


def _does() -> Does:
    from tests.architecture.toy_attack.does import DOES

    return DOES


SIZES = Attack(
    name="sizes",
    attacker=KnowsSizes,
    options=SizesOptions,
    need=NeedsOccurrences,
    reads=Reads(data=Transactions),
    limits=Limits(used=frozenset({"identity"}), greatest=lambda _: {"identity": Fraction(1)}),
    does=_does,
    says=Says(
        story="Somebody saw how large a basket was, and looks for the baskets of that size.",
        measures="How many transactions have the size that is known.",
        does_not_cover=("Somebody who knows what is in the basket.",),
        not_judged=lambda *_: ("what is in the baskets",),
        missing="An empty transaction has the size 0.",
        paper="None: a toy.",
        phrases=PHRASES,
    ),
    asks=Asks(
        scenario_fields=SizesFields, need_fields=OccurrencesFields, proposes=PROPOSES, example="up_to=3"
    ),
)

__all__ = ["SIZES", "KnowsSizes", "NeedsOccurrences", "SizesOptions"]
