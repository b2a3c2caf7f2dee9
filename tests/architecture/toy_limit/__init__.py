"""Two toy limits, `crowded` of single baskets and `filled` of all of them, by which the toy attack is judged from here."""

from dataclasses import replace
from fractions import Fraction

from tests.architecture.toy_attack import SIZES
from tests.architecture.toy_limit.measure import after, measure
from tests.architecture.toy_limit.protect import protect

from giveaway.attacks.asking import Asking
from giveaway.attacks.attack import Limits
from giveaway.model.answer.phrases import Counted
from giveaway.model.question.limits import Limit, Slider

CROWDED = Limit(
    name="crowded",
    meaning="largest part of all items that one basket may hold",
    does="know a basket that holds nearly everything",
    dot="full basket",
    worst="fullest {amount}",
    remains="{does}: it has {amount} of all items",
    nearby=[Fraction(part, 5) for part in range(1, 6)],
    slider=Slider(places=("1/5", "2/5", "3/5"), says="No basket holds more than {percent} of all items."),
)
FILLED = Limit(
    name="filled",
    meaning="largest part of all items in a basket, on average",
    compares="filled",
    does="expect full baskets",
    dot="filling",
    strength="{amount} full",
    worst="{amount} full",
    remains="{does}: they are {amount} full",
    over_all="baskets are {amount} full",
    when="in all",
)

FULL_SIZES = replace(
    SIZES,
    limits=Limits(
        used=frozenset({"identity", "crowded", "filled"}),
        greatest=lambda _: dict.fromkeys(("identity", "crowded", "filled"), Fraction(1)),
    ),
    does=lambda: replace(SIZES.does(), measure=measure, protect=protect, after=after),
    says=replace(
        SIZES.says,
        phrases=replace(
            SIZES.says.phrases,
            exposed=replace(SIZES.says.phrases.exposed, kind="identity"),
            exposed_too=Counted(
                figure="crowded_transactions",
                of="transactions",
                noun="baskets",
                how="hold too much",
                kind="crowded",
            ),
        ),
    ),
    asks=replace(
        SIZES.asks,
        page=Asking(
            data="transactions",
            publishes="the transactions, size by size",
            another="somebody who sees sizes",
            tolerates={"crowded": "3/5"},
        ),
    ),
)
