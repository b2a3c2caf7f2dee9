"""How somebody is asked who fills in blank entries by rules."""

from giveaway.attacks.asking import Asking, Choice, File

ASKING = Asking(
    data="table",
    publishes="the table, with some entries blank",
    another="a reader who fills blanks by rules",
    slider="trusts_support_above",
    asks="Records that a rule needs before it is believed",
    choices=(
        Choice(
            value=20,
            mark="20",
            says="A careful reader believes rules that hold for more than twenty records.",
        ),
        Choice(value=10, mark="10", says="A reader believes rules that hold for more than ten records."),
        Choice(value=5, mark="5", says="A quick reader believes rules that hold for more than five records."),
        Choice(value=0, mark="any", says="A reader believes every rule, however few records it rests on."),
    ),
    ticks=True,
    who="Rules are looked for in:",
    starts={"trusts_support_above": 0},
    tolerates={"attribute": "3/5"},
    files={
        "release.secrets": File(asks="A list of the entries that must be blank", without="none is named yet")
    },
)
