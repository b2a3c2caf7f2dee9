"""How somebody is asked who knows a few items."""

from giveaway.attacks.asking import Asking, Choice

ASKING = Asking(
    data="transactions",
    publishes="the transactions, item by item",
    another="somebody who knows items",
    slider="at_most",
    asks="Items known",
    choices=(
        Choice(value=1, mark="1", says="A passer-by saw one item of a transaction."),
        Choice(value=2, mark="2", says="A neighbour at the till saw any two items of a transaction."),
        Choice(value=3, mark="3", says="A colleague knows any three items of a transaction."),
        Choice(value=4, mark="4", says="A flatmate knows any four items of a transaction."),
    ),
    starts={"at_most": 2},
    tolerates={"identity": "1/5", "attribute": "1/2"},
    needs="itemsets.min_support",
)
