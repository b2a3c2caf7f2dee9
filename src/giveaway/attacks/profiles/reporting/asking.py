"""How somebody is asked who reads published rules and knows people by sight."""

from giveaway.attacks.asking import Asking

ASKING = Asking(
    data="table",
    publishes="only rules that hold in the table",
    another="somebody who knows other columns",
    ticks=True,
    who="A colleague who knows everybody by sight knows of each:",
    release={"rules": {"min_support": "1/10", "min_confidence": "3/5"}},
    tolerates={"attribute": "3/4"},
)
