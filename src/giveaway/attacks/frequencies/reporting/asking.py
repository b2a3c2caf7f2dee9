"""How somebody is asked who knows how often items occur."""

from giveaway.attacks.asking import Asking, Choice

ASKING = Asking(
    data="transactions",
    publishes="the transactions, with codes in the place of items",
    another="somebody who knows how often items occur",
    slider="belief",
    asks="How well frequencies are known",
    choices=(
        Choice(value="ignorant", mark="not at all", says="Somebody does not know how often any item occurs."),
        Choice(
            value={"around": "0.05"},
            mark="to 5 %",
            says="A stranger to the trade knows how often each item occurs, give or take 5 % of all transactions.",
        ),
        Choice(
            value={"around": "0.01"},
            mark="to 1 %",
            says="A competitor with sales figures knows how often each item occurs, give or take 1 % of all transactions.",
        ),
        Choice(
            value="exact",
            mark="exactly",
            says="Somebody who saw the books knows exactly how often each item occurs.",
        ),
    ),
    starts={"belief": {"around": "0.01"}},
    tolerates={"average": "1/4"},
)
