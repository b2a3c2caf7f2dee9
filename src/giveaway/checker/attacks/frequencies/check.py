"""How the attack `frequencies` is judged."""

from giveaway.checker.attacks.frequencies.judge import keeps_opened
from giveaway.checker.attacks.frequencies.together import together
from giveaway.checker.check import Check

CHECK = Check(
    attack="frequencies",
    form=("transactions", "rows"),
    limits=("identity", "average"),
    keeps=keeps_opened,
    together=together,
)
