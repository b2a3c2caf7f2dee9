"""The check of the toy: sizes counted again in the file as written."""

from collections import Counter

from giveaway.checker import Check, Promise, ReadBack


def _keeps(opened: ReadBack, promise: Promise) -> bool:
    up_to, crowd = promise.attacker["up_to"], promise.tolerance.smallest_crowd
    alike: Counter[int] = Counter()
    for row, count in opened.content.items():
        alike[min(len(row), up_to + 1)] += count
    exposed = sum(count for count in alike.values() if count < crowd)
    return exposed <= promise.tolerance.share * alike.total()


CHECK = Check(attack="sizes", form="transactions", limits=("identity",), keeps=_keeps)
