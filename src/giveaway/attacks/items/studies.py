"""The examples of Xu et al., run again; the paper prints no measured results."""

from typing import Any

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.model.answer.study import Compared, Lab, Outcome, Study
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

_ROWS = ("a b e f s1", "c e f g s2", "a b g s3", "a b f g s2", "a b d g s2", "e f g s1", "b e f g s3")
_LIMITS = Tolerance(identity="1/3", attribute="1/2")
_KNOWS = KnowsItems(at_most=3, knows_method=False)
_NEED = NeedsItemsets(min_support=4)


def _release(*withheld: str) -> Release:
    data = Transactions.from_lists([row.split() for row in _ROWS], private=["s1", "s2", "s3"])
    return Release(data, Withheld(items=withheld))


def _figures(lab: Lab, release: Release) -> dict[str, Any]:
    found = lab.assess(release, _KNOWS, _LIMITS, need=_NEED)
    return dict(found.findings[0].risk.figures)


def _example_1(lab: Lab) -> Outcome:
    whole, reduced = _figures(lab, _release()), _figures(lab, _release("c", "d"))
    exposures = lab.assess(_release(), KnowsItems(at_most=2, knows_method=False), _LIMITS).exposures
    chances = {(frozenset(one.target), one.kind): one.chance for one in exposures}
    return Outcome(
        compared=(
            Compared(
                what="support of ae, 1 / chance",
                printed=1,
                found=int(1 / chances[frozenset("ae"), "identity"]),
            ),
            Compared(
                what="breach probability of ag",
                printed="2/3",
                found=str(chances[frozenset("ag"), "attribute"]),
            ),
            Compared(what="moles", printed=None, found=whole["moles"]),
            Compared(what="moles without c and d", printed=None, found=reduced["moles"]),
            Compared(what="nuggets (k' = 4)", printed=None, found=whole["nuggets"]),
        )
    )


def _suppression(lab: Lab) -> Outcome:
    printed = lab.protect(
        _release(), _KNOWS, _LIMITS, need=_NEED, items={"score": "paper", "reinstate": False}
    )
    best = lab.protect(_release(), _KNOWS, _LIMITS, need=_NEED)
    return Outcome(
        compared=(
            Compared(
                what="items deleted first (observation 2)",
                printed="c d",
                found=" ".join(printed.withheld.items[:2]),
            ),
            Compared(
                what="items deleted by score", printed="a b", found=" ".join(printed.withheld.items[2:])
            ),
            Compared(what="nuggets kept", printed=None, found=printed.kept["items"]["nuggets"]),
            Compared(
                what="nuggets kept by giveaway's own score",
                printed=None,
                found=best.kept["items"]["nuggets"],
            ),
        )
    )


STUDIES = (
    Study(where="Example 1", title="moles and nuggets of the running example", run=_example_1),
    Study(where="Figure 2", title="the item suppression algorithm on the running example", run=_suppression),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
