"""How somebody is asked who holds a directory of people."""

from giveaway.attacks.asking import Asking

ASKING = Asking(
    data="table",
    publishes="the records, without names",
    ticks=True,
    who="Somebody who knows that a person is in the table knows of them:",
    tolerates={"identity": "1/5", "attribute": "1/2"},
    files={"people": "a register of people that somebody could hold"},
)
