"""How somebody is asked who holds a directory of people."""

from giveaway.attacks.asking import Asking, File

ASKING = Asking(
    data="table",
    publishes="the records, without names",
    another="somebody who knows other columns",
    ticks=True,
    who="Somebody who looks for a person knows of them:",
    tolerates={"identity": "1/5", "attribute": "1/2"},
    files={"people": File(asks="Where they look people up", without="in this table: they know who is in it")},
)
