"""The examples of Xu et al. run again, and their method on public data sets; the paper prints no measured results."""

from fractions import Fraction
from typing import Any

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld
from giveaway.papers.items.borders import borders
from giveaway.papers.items.labelled import Edge
from giveaway.papers.study import Compared, FigureLine, Lab, Outcome, Picture, Study, stated

_ROWS = ("a b e f s1", "c e f g s2", "a b g s3", "a b f g s2", "a b d g s2", "e f g s1", "b e f g s3")
_LIMITS = Tolerance(identity="1/3", attribute="1/2")
_KNOWS = KnowsItems(at_most=3, knows_method=False)
_NEED = NeedsItemsets(min_support=4)
_KNOWN = (1, 2, 3)


def _release(*withheld: str) -> Release:
    data = Transactions.from_lists([row.split() for row in _ROWS], private=["s1", "s2", "s3"])
    return Release(data, Withheld(items=withheld))


def _figures(lab: Lab, release: Release) -> dict[str, Any]:
    answer = lab.assess(release, _KNOWS, _LIMITS, need=_NEED)
    return dict(answer.findings[0].risk.figures)


def _example_1(lab: Lab) -> Outcome:
    whole, reduced = _figures(lab, _release()), _figures(lab, _release("c", "d"))
    exposures = lab.assess(_release(), KnowsItems(at_most=2, knows_method=False), _LIMITS).exposures
    chances = {(frozenset(one.target), one.kind): one.chance for one in exposures}
    return Outcome(
        compared=(
            Compared(
                what="support of ae, 1 / chance",
                printed=1,
                ours=int(1 / chances[frozenset("ae"), "identity"]),
            ),
            Compared(
                what="breach probability of ag",
                printed="2/3",
                ours=str(chances[frozenset("ag"), "attribute"]),
            ),
            Compared(what="moles", printed=None, ours=whole["moles"]),
            Compared(what="moles without c and d", printed=None, ours=reduced["moles"]),
            Compared(what="nuggets (k' = 4)", printed=None, ours=whole["nuggets"]),
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
                ours=" ".join(printed.withheld.items[:2]),
            ),
            Compared(what="items deleted by score", printed=None, ours=" ".join(printed.withheld.items[2:])),
            Compared(what="nuggets kept", printed=None, ours=printed.kept["items"]["nuggets"]),
            Compared(
                what="nuggets kept by giveaway's own score",
                printed=None,
                ours=best.kept["items"]["nuggets"],
            ),
        )
    )


def _named(edges: Any) -> str:
    return " ".join(map(str, edges)) or "none"


def _figure_3(_: Lab) -> Outcome:
    """Run the border-based algorithm, whose mole border the paper draws."""
    drawn = borders(_release(), _KNOWS, _LIMITS, need=_NEED)
    both = (("mole", drawn.moles), ("nugget", drawn.nuggets))
    rows = [
        Compared(
            what=f"{bound} bound of the {name} border",
            printed=None,
            ours=" ".join(sorted("".join(sorted(map(str, one))) for one in getattr(border, bound))),
        )
        for name, border in both
        if border is not None
        for bound in ("upper", "lower")
    ]
    return Outcome(
        compared=[
            *rows,
            Compared(what="edges of the mole border", printed=None, ours=len(drawn.moles.edges)),
            Compared(what="moles that it covers", printed=None, ours=drawn.moles.count()),
            Compared(
                what="items deleted by the whole algorithm",
                printed=None,
                ours=" ".join(map(str, drawn.suppressed)),
            ),
        ]
    )


def _example_2(_: Lab) -> Outcome:
    moles = borders(_release(), _KNOWS, _LIMITS, need=_NEED).moles
    return Outcome(
        compared=[
            Compared(
                what="edges that cover ae and are two in the text",
                printed="<a e, a b e f> <a f, a b e f>",
                ours=_named(moles.covering([*"ae"])),
                erratum=True,
                note=f"a slip: aef is covered by both, {_named(moles.covering([*'aef']))}",
            ),
            stated(
                "abef is covered and too long to be a mole",
                holds=bool(moles.covering([*"abef"])) and not moles.count([*"abef"]),
            ),
        ]
    )


def _example_3(_: Lab) -> Outcome:
    moles = borders(_release(), _KNOWS, _LIMITS, need=_NEED).moles
    return Outcome(
        compared=[
            Compared(
                what="W of ag and 3 in the edge from ag to abfg",
                printed=None,
                ours=Edge([*"ag"], [*"abfg"]).count([*"ag"], 3),
            ),
            Compared(what="W of ag and 3 in the border", printed=3, ours=moles.count([*"ag"])),
            Compared(
                what="Compute-delta of a",
                printed=None,
                ours=" ".join(f"{item}:{count}" for item, count in moles.counts([*"a"]).items()),
            ),
        ]
    )


def _example_4(_: Lab) -> Outcome:
    one, other = Edge([*"ae"], [*"adefg"]), Edge([*"ae"], [*"ade"])
    parts = [one.difference(other, disjoint=apart) for apart in (False, True)]
    return Outcome(
        compared=[
            Compared(
                what="difference of two edges (Theorem 3)",
                printed="<a e f, a d e f g> <a e g, a d e f g>",
                ours=_named(parts[0]),
            ),
            Compared(
                what="itemsets of its edges added up, and of disjoint ones",
                printed=None,
                ours=" ".join(str(sum(edge.count() for edge in part)) for part in parts),
                note="as printed its edges overlap",
            ),
            Compared(
                what="intersection of <ae, abef> and <af, abef> (Theorem 2)",
                printed=None,
                ours=str(Edge([*"ae"], [*"abef"]).intersection(Edge([*"af"], [*"abef"]))),
            ),
        ]
    )


_PUBLIC = {
    "groceries": (Fraction(4, 5), 5, 10),
    "mushroom": (Fraction(4, 5), 10, 812),
    "chess": (Fraction(9, 10), 50, 2238),
}
"""The limits h, k and k' for some public data sets; the paper names neither its data sets nor its limits."""


def _public_data(lab: Lab, name: str, limit: Fraction) -> Release:
    """Read a data set of numbered items; those that end in 3 are private unless too frequent for the limit."""

    def read() -> Release:
        file = f"transactions/{name}.dat.gz"
        data: Transactions = lab.transactions(file)
        counted = zip(data.labels, data.supports.tolist(), strict=True)
        private = [
            label for label, count in counted if str(label).endswith("3") and count <= limit * len(data)
        ]
        return Release(lab.transactions(file, private=private))

    return lab.once(f"{name} {limit}", read)


def _effectiveness(lab: Lab) -> Outcome:
    """Tell how many nuggets are kept, by the printed algorithm and by ours, the more items an attacker knows."""
    compared, lines = [], []
    for name, (limit, crowd, support) in _PUBLIC.items():
        release = _public_data(lab, name, limit)
        limits = Tolerance(identity=Fraction(1, crowd), attribute=limit)
        ways = {"as printed": {"score": "paper", "reinstate": False}, "by giveaway": {}}
        shares: dict[str, list[float]] = {way: [] for way in ways}
        for known in _KNOWN:
            for way, options in ways.items():
                attacker = KnowsItems(at_most=known, knows_method=False)
                need = NeedsItemsets(min_support=support)
                answer = lab.protect(release, attacker, limits, need=need, items=options)
                kept = answer.kept["items"]
                shares[way].append(kept["nuggets"] / kept["nuggets_total"])
                if known == _KNOWN[-1]:
                    what = f"{name}, {known} items known: nuggets of {kept['nuggets_total']:,} kept {way}"
                    compared.append(Compared(what=what, printed=None, ours=kept["nuggets"]))
        lines += [FigureLine(name=f"{name}, {way}", x=_KNOWN, y=share) for way, share in shares.items()]
    picture = Picture(
        title="Nuggets kept",
        x_label="items known",
        y_label="share of the nuggets kept",
        lines=lines,
        says="The paper says that its algorithm was effective on several public data sets, and prints no number.",
    )
    return Outcome(compared=compared, pictures=(picture,))


STUDIES = (
    Study(where="Example 1", title="moles and nuggets of the running example", run=_example_1),
    Study(where="Figure 2", title="the item suppression algorithm on the running example", run=_suppression),
    Study(where="Figure 3", title="the borders of the running example", run=_figure_3),
    Study(where="Example 2", title="which edges cover an itemset", run=_example_2),
    Study(where="Example 3", title="how many moles hold some items", run=_example_3),
    Study(where="Example 4", title="edges without others", run=_example_4),
    Study(
        where="Section 1",
        title="nuggets kept on public data sets",
        run=_effectiveness,
        data=tuple(f"transactions/{name}.dat.gz" for name in _PUBLIC),
    ),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
