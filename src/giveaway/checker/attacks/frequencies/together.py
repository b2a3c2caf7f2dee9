"""Judge the attack `frequencies` with earlier releases at hand: one that names its items is a sample, counted from its file.

Codes are drawn anew for each release, and without a belief about how frequencies change those of an earlier one tell
nothing more. Whether people are in both does not matter to frequencies.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.attacks.frequencies.judge import keeps_opened
from giveaway.checker.check import Check
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import read_baskets
from giveaway.checker.together.written import SeenTogether, WrittenNow
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.earlier import Earlier

_ENOUGH = 12
"""Of fewer items codes that were drawn anew may be the same by chance."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EarlierSample:
    """How often items of a release occur in an earlier file."""

    labels: tuple[Label, ...]
    supports: NDArray[np.int64]
    rows: int

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, kw_only=True, eq=False)
class EarlierSampleBelief:
    """The belief that items are about as frequent as in a sample."""

    sample: EarlierSample
    kind: str = "from sample"
    weighs: bool = False


def together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give what is seen by somebody who takes an earlier release with names for a sample."""
    if promise.attacker["belief"].kind == "people":
        raise unconfirmed("What is known of people is not checked together with earlier releases.")
    for one in written.release.earlier:
        if one.same_codes:
            raise unconfirmed(f"What the codes of {one.name} tell when they are used again is not checked.")
        if one.renamed:
            _check_anew(written, one)
            continue
        belief = EarlierSampleBelief(sample=_counted(written, one))
        asked = replace(promise, attacker={**promise.attacker, "belief": belief})
        yield SeenTogether(earlier=(one,), keeps=partial(keeps_opened, written.opened, asked))


def _check_anew(written: WrittenNow, one: Earlier) -> None:
    """Refuse transactions that were given away under the same codes, where it is known which they were."""
    then, now = one.codes, written.codes
    if then is None or now is None:
        return
    both = [label for label in then if label in now]
    if len(both) >= _ENOUGH and all(then[label] == now[label] for label in both):
        raise disagree(f"{written.file.name} has the codes of {one.name}, and they were to be drawn anew.")


def _counted(written: WrittenNow, one: Earlier) -> EarlierSample:
    """Count how often each item occurs in the file of an earlier release."""
    original = written.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # the attack is on transactions
    rows, held = 0, Counter[str]()
    for basket in read_baskets(one):
        rows += 1
        held.update(basket)
    if not rows:
        raise unconfirmed(f"{one.name} holds no transactions, and so no frequencies of items.")
    labels = (*original.labels, *original.domain)
    supports = np.array([held[str(label)] for label in labels], np.int64)
    return EarlierSample(labels=labels, supports=supports, rows=rows)


CHECK = Check(
    attack="frequencies",
    form=("transactions", "rows"),
    limits=("identity", "average"),
    keeps=keeps_opened,
    together=together,
)
