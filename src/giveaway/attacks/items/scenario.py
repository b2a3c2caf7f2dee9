"""What `giveaway init` proposes of somebody who knows a few items."""

from giveaway.attacks.proposal import DataFound, Form, Proposal

_TOLERATES = """\
identity = "1/5"              # everybody hides among at least five
# attribute = "1/2"           # once items are private: none of them is guessed with a greater chance
# share = "1/100"             # part of the transactions that may be exposed all the same
"""

_KNOWS = """\
# A colleague who knows three purchases:
[[knows]]
attack = "items"
at_most = 3

# A neighbour at the till who saw one item:
# [[knows]]
# attack = "items"
# at_most = 1
"""


def _needs(data: DataFound) -> str:
    support = max(2, data.rows // 100)
    return f"# itemsets = {{ min_support = {support} }}    # combinations in at least this many transactions are worth keeping\n"


PROPOSES: dict[Form, Proposal] = {
    "transactions": Proposal(tolerates=_TOLERATES, knows=lambda _: _KNOWS, needs=_needs)
}
