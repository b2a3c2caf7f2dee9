"""The examples, tables and figures of Lakshmanan, Ng and Ramesh, run again."""

from typing import Any

from giveaway.attacks.frequencies.attacker import Itemsets, KnowsFrequencies
from giveaway.attacks.frequencies.belief import Belief
from giveaway.model.answer.study import Compared, Lab, Line, Outcome, Picture, Study
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_ROWS = ("123", "1234", "46", "3456", "56", "6", "12", "134", "135", "246")
_H: dict[Any, tuple[Any, Any]] = {
    "1": (0, 1),
    "2": (0.4, 0.5),
    "3": (0.5, 0.5),
    "4": (0.4, 0.6),
    "5": (0.1, 0.4),
    "6": (0.5, 0.5),
}
_TENTH = Tolerance(average="1/10")
_FILES = {
    name: f"transactions/{name}.dat.gz"
    for name in ("chess", "mushroom", "connect", "retail", "accidents_first15224")
}
_STATISTICS = {"connect": (130, 125, 122), "mushroom": (120, 90, 77)}
_ALPHA_MAX = {"chess": 0.45, "mushroom": 0.55, "connect": 0.2}
_ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _attacker(**more: Any) -> KnowsFrequencies:
    """Return the paper's attacker, who judges true codes only."""
    return KnowsFrequencies(knows_method=False, **more)


def _figures(lab: Lab, data: Transactions, tolerance: Tolerance = _TENTH, **more: Any) -> dict[str, Any]:
    found = lab.assess(Release(data), _attacker(**more), tolerance)
    return dict(found.findings[0].risk.figures)


def _data(lab: Lab, name: str, **how: Any) -> Transactions:
    def read() -> Transactions:
        data: Transactions = lab.transactions(_FILES[name], **how)
        return data

    return lab.once(f"{name} {how}", read)


def _figure_2(lab: Lab) -> Outcome:
    shop = Transactions.from_lists([list(row) for row in _ROWS])
    beliefs = {
        "f, every frequency": (Belief.exact(), "3"),
        "g, nothing": (Belief.ignorant(), "1"),
    }
    rows = [
        Compared(
            what=f"expected cracks of {name}",
            printed=printed,
            found=str(_figures(lab, shop, belief=belief)["expected_cracks"]),
        )
        for name, (belief, printed) in beliefs.items()
    ]
    ranges = _figures(lab, shop, belief=Belief.intervals(_H))
    rows += [
        Compared(what="O-estimate of h, ranges", printed="47/30", found=str(ranges["o_estimate_plain"])),
        Compared(what="expected cracks of h, exact", printed=None, found=str(ranges["expected_cracks"])),
    ]
    return Outcome(compared=rows)


def _figure_10(lab: Lab) -> Outcome:
    rows = []
    for name, printed in _STATISTICS.items():
        figures = _figures(lab, _data(lab, name, domain=["0"]))
        keys = ("items", "groups", "singleton_groups")
        rows += [
            Compared(what=f"{name}: {key.replace('_', ' ')}", printed=number, found=int(figures[key]))
            for key, number in zip(keys, printed, strict=True)
        ]
    return Outcome(compared=rows)


def _figure_13(lab: Lab) -> Outcome:
    rows, lines = [], []
    for name, printed in _ALPHA_MAX.items():
        figures = _figures(lab, _data(lab, name))
        items, estimate = int(figures["items"]), float(figures["o_estimate"])
        rows.append(
            Compared(
                what=f"alpha_max of {name}, a tenth tolerated",
                printed=printed,
                found=round(float(figures["breaking_point"]), 3),
                within=0.02,
                note="the O-estimate is linear in alpha; the printed curves are not, whatever the order of the items",
            )
        )
        lines.append(Line(name=name, x=_ALPHAS, y=[alpha * estimate / items for alpha in _ALPHAS]))
    picture = Picture(
        title="Expected share of cracks by compliance",
        x_label="part of the items that are believed rightly",
        y_label="share cracked",
        lines=lines,
        limit=0.1,
        says="The line is the owner's tolerance of a tenth; alpha_max is where each curve crosses it.",
    )
    return Outcome(compared=rows, pictures=(picture,))


def _figure_14(lab: Lab) -> Outcome:
    lines = []
    for name in ("retail", "mushroom", "connect"):
        found = lab.assess(Release(_data(lab, name)), _attacker(), _TENTH).findings[0].risk
        curve = next(one for one in found.curves if one.name == "similar_data")
        lines.append(Line(name=name, x=curve.x, y=curve.y))
    picture = Picture(
        title="What somebody with a sample gets right",
        x_label="part of the transactions in the sample",
        y_label="compliance",
        lines=lines,
        says="Retail falls until a half, as printed; the others rise.",
    )
    return Outcome(pictures=(picture,))


def _figure_18(lab: Lab) -> Outcome:
    printed = {4: (0.0304, 0.00196), 5: (0.0121, 0.000335), 6: (0.0057, 0.00029)}
    limits = Tolerance(identity="1/2", share="1/10")
    rows = []
    for size, (estimate, simulated) in printed.items():
        targets = Itemsets(size=size, sample=10_000)
        figures = _figures(lab, _data(lab, "mushroom"), limits, targets=targets)
        rows += [
            Compared(
                what=f"mushroom, sets of {size}: mean OS",
                printed=estimate,
                found=round(float(figures["os_mean"]), 4),
                within=0.004,
            ),
            Compared(
                what=f"mushroom, sets of {size}: mean probability",
                printed=simulated,
                found=round(float(figures["mean_probability"]), 4),
                within=0.001,
                erratum=True,
                note="what is printed as simulated is far below the exact mean on the graph that gives the printed OS",
            ),
        ]
    return Outcome(compared=rows)


STUDIES = (
    Study(where="Figure 2", title="the beliefs about the shop of Figure 1", run=_figure_2),
    Study(
        where="Figure 10",
        title="statistics of the data sets, with one item that never occurs",
        run=_figure_10,
        data=tuple(_FILES[name] for name in _STATISTICS),
    ),
    Study(
        where="Figure 13",
        title="share cracked by compliance",
        run=_figure_13,
        data=tuple(_FILES[name] for name in _ALPHA_MAX),
    ),
    Study(
        where="Figure 14",
        title="compliance from samples",
        run=_figure_14,
        data=tuple(_FILES[name] for name in ("retail", "mushroom", "connect")),
    ),
    Study(where="Figure 18", title="larger sets of items", run=_figure_18, data=(_FILES["mushroom"],)),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
