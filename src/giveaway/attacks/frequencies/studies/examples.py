"""The examples of the paper, whose data it prints."""

from typing import Any

from giveaway.attacks.frequencies.attacker import Itemsets, KnownPairs
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.frequencies.studies.data import figures, risk
from giveaway.model.answer.study import Compared, Lab, Outcome, Study
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance

_SHOP = ("123", "1234", "46", "3456", "56", "6", "12", "134", "135", "246")
_H: dict[Any, tuple[Any, Any]] = {
    "1": (0, 1),
    "2": (0.4, 0.5),
    "3": (0.5, 0.5),
    "4": (0.4, 0.6),
    "5": (0.1, 0.4),
    "6": (0.5, 0.5),
}
_CHAIN = ("4", "34", "234", "1234")
_6A: dict[Any, tuple[Any, Any]] = {"1": (0.25, 0.25), "2": (0.25, 0.5), "3": (0.25, 0.75), "4": (0.25, 1)}
_6B: dict[Any, tuple[Any, Any]] = {"1": (0.25, 0.5), "2": (0.25, 0.5), "3": (0.5, 1), "4": (0.75, 1)}
_SETS = Tolerance(identity="1/2", share="1/10")


def _data(rows: tuple[str, ...]) -> Transactions:
    return Transactions.from_lists([list(row) for row in rows])


def _figure_2(lab: Lab) -> Outcome:
    shop = _data(_SHOP)
    beliefs = {
        "f, every frequency": (Belief.exact(), "3"),
        "g, nothing": (Belief.ignorant(), "1"),
    }
    rows = [
        Compared(
            what=f"expected cracks of {name}",
            printed=printed,
            found=str(figures(lab, shop, belief=belief)["expected_cracks"]),
        )
        for name, (belief, printed) in beliefs.items()
    ]
    ranges = figures(lab, shop, belief=Belief.intervals(_H))
    rows += [
        Compared(what="O-estimate of h, ranges", printed="47/30", found=str(ranges["o_estimate_plain"])),
        Compared(what="expected cracks of h, exact", printed=None, found=str(ranges["expected_cracks"])),
    ]
    return Outcome(compared=rows)


def _lemma_3_5(lab: Lab) -> Outcome:
    # Four groups of 25 items that occur once, twice, three and four times.
    rows = [[f"{item}" for item in range(100) if item // 25 >= row] for row in range(4)]
    found = figures(
        lab, Transactions.from_lists(rows), _SETS, belief=Belief.exact(), targets=Itemsets(size=3)
    )
    return Outcome(
        compared=[
            Compared(
                what="expected cracked triples of 100 items in four groups",
                printed="20",
                found=str(found["point_valued_cracks"]),
            )
        ]
    )


def _figure_6(lab: Lab) -> Outcome:
    chain = _data(_CHAIN)
    first = figures(lab, chain, belief=Belief.intervals(_6A))
    second = figures(lab, chain, belief=Belief.intervals(_6B))
    return Outcome(
        compared=[
            Compared(what="(a): O-estimate", printed="25/12", found=str(first["o_estimate_plain"])),
            Compared(what="(a): after Propagate", printed="4", found=str(first["o_estimate"])),
            Compared(what="(a): expected cracks", printed="4", found=str(first["expected_cracks"])),
            Compared(what="(b): O-estimate", printed=None, found=str(second["o_estimate_plain"])),
            Compared(what="(b): expected cracks", printed=None, found=str(second["expected_cracks"])),
        ]
    )


def _section_4_3(lab: Lab) -> Outcome:
    printed = {("1", "2"): ("1", "1"), ("1", "3"): ("1/4", "1/6"), ("2", "3"): ("1/4", "1/3")}
    rows = []
    for pair, (chance, estimate) in printed.items():
        found = risk(lab, _data(_CHAIN), _SETS, belief=Belief.intervals(_6B), targets=[pair])
        named = "{" + ", ".join(pair) + "}"
        rows += [
            Compared(what=f"chance of {named}", printed=chance, found=str(found.exposures[0].chance)),
            Compared(
                what=f"OS of {named}",
                printed=_number(estimate),
                found=round(float(found.figures["os_mean"]), 4),
                within=0.0001,
                note="printed once as OS({1, 2}), by a slip" if pair == ("1", "3") else "",
            ),
        ]
    return Outcome(compared=rows)


def _number(text: str) -> float:
    above, _, below = text.partition("/")
    return round(int(above) / int(below or 1), 4)


def _section_7_1(lab: Lab) -> Outcome:
    pair = [("1", "2")]
    known = KnownPairs(pairs=pair, candidate_pairs=pair)
    rows = []
    for name, belief in (("f", Belief.exact()), ("h", Belief.intervals(_H))):
        found = figures(lab, _data(_SHOP), belief=belief, known_pairs=known)
        rows.append(
            Compared(
                what=f"expected cracks of {name}, once (1, 2) is identified",
                printed=None,
                found=str(found["expected_cracks"]),
                note="the paper prints the edges that go, which leave this many",
            )
        )
    return Outcome(compared=rows)


STUDIES = (
    Study(where="Figure 2", title="the beliefs about the shop of Figure 1", run=_figure_2),
    Study(where="Lemma 3.5", title="the example with four groups", run=_lemma_3_5),
    Study(where="Figure 6", title="where the O-estimate is not exact", run=_figure_6),
    Study(where="Section 4.3", title="OS of the graph of Figure 6b", run=_section_4_3),
    Study(where="Section 7.1", title="a pair that is identified", run=_section_7_1),
)
