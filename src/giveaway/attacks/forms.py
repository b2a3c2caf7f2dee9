"""The forms in which data may be published, for somebody who chooses one."""

from typing import Literal, get_args

from giveaway.attacks import ATTACKS
from giveaway.attacks.asking import Asking
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions


def forms(kind: Literal["table", "transactions"]) -> dict[str, Asking]:
    """Return how each attack on a kind of data is asked about, by the name of the attack.

    >>> import giveaway as ga
    >>> ga.forms("transactions")["items"].publishes
    'the transactions, item by item'
    """
    wanted = Table if kind == "table" else Transactions
    return {
        attack.name: attack.asking
        for attack in ATTACKS.values()
        if attack.asking is not None and wanted in (get_args(attack.data) or (attack.data,))
    }
