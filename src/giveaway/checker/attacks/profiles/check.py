"""How the attack `profiles` is judged."""

from giveaway.checker.attacks.profiles.judge import keeps
from giveaway.checker.attacks.profiles.together import together
from giveaway.checker.check import Check

CHECK = Check(attack="profiles", form="rules", limits=("attribute",), keeps=keeps, together=together)
