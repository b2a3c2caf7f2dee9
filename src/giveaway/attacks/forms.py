"""The forms in which data may be published, for somebody who chooses one."""

from typing import Literal

from giveaway.attacks import ATTACKS
from giveaway.attacks.asking import Asking


def forms(kind: Literal["table", "transactions"]) -> dict[str, Asking]:
    """Return how each attack on a kind of data is asked about, by the name of the attack.

    >>> import giveaway as ga
    >>> ga.forms("transactions")["items"].publishes
    'the transactions, item by item'
    """
    return {
        attack.name: attack.asks.page
        for attack in ATTACKS.values()
        if attack.asks.page is not None and attack.asks.page.data == kind
    }
