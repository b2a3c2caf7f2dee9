"""How the attack `directory` is judged."""

from giveaway.checker.attacks.directory.judge import keeps
from giveaway.checker.attacks.directory.together import together
from giveaway.checker.check import Check

CHECK = Check(
    attack="directory",
    form="rows",
    limits=("identity", "attribute", "average"),
    keeps=keeps,
    together=together,
)
