"""What `giveaway explore` shows of the attack `items`: the borders of the paper."""

from collections.abc import Mapping, Sequence
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label, in_order
from giveaway.papers.paper import Explorer


def borders(
    release: Any, attacker: Any, tolerance: Any, need: Any, *, having: Sequence[Label] = ()
) -> dict[str, Any]:
    """Return the borders and the steps of the paper's algorithm, with what they cover that has some items."""
    from giveaway.papers.items.borders import borders as borders_of

    both = borders_of(release, attacker, tolerance, need=need)
    named = {str(label): label for label in release.original.labels}
    unknown = [str(item) for item in having if str(item) not in named]
    if unknown:
        raise ScenarioError(
            f"No transaction has {', '.join(unknown)}.", hint="explore.having names items of the data."
        )
    having = [named[str(item)] for item in having]

    def spelled(border: Any) -> Mapping[str, Any]:
        return {
            "upper": [in_order(one) for one in border.upper],
            "lower": [in_order(one) for one in border.lower],
            "edges": [{"least": in_order(one.least), "most": in_order(one.most)} for one in border.edges],
            "covering": [
                {"least": in_order(one.least), "most": in_order(one.most)} for one in border.covering(having)
            ],
            "count": border.count(having),
            "counts": border.counts(having),
        }

    moles = f"{len(both.moles.edges):,} edges cover {both.moles.count():,} moles"
    if having:
        moles += f", {both.moles.count(having):,} of them with {', '.join(map(str, having))}"
    deletes = (
        "without needs.itemsets the algorithm is not run"
        if need is None
        else f"the algorithm deletes {len(both.suppressed):,} items"
    )
    return {
        "says": f"{moles}; {deletes}.",
        "suppressed": both.suppressed,
        "infrequent": both.infrequent,
        "moles": spelled(both.moles),
        "nuggets": None if both.nuggets is None else spelled(both.nuggets),
        "steps": [{"suppressed": step.suppressed, "counts": step.counts} for step in both.steps],
    }


EXPLORES = {
    "borders": Explorer(
        says="the borders of moles and nuggets, and the paper's algorithm on them step by step",
        finds=borders,
        options={"having": "items that are contained in what is counted, as in a,g"},
        lists=frozenset({"having"}),
        judged=True,
    )
}
