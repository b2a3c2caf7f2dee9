"""Summaries of several states, with the shape that an assessment saves; the numbers are made up but consistent."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.model.answer.phrases import words_of

Summary = dict[str, Any]

WITHHELD = [
    ("canned beer", 21), ("beverages", 6), ("ice cream", 6), ("chewing gum", 5), ("red/blush wine", 5),
    ("white wine", 4), ("baking powder", 4), ("dishes", 4), ("flour", 4), ("pot plants", 3), ("soft cheese", 3),
    ("herbs", 3), ("pasta", 3), ("canned fish", 2), ("seasonal products", 2), ("cake bar", 2), ("mustard", 2),
    ("frozen fish", 2), ("cling film/bags", 2), ("spread cheese", 2), ("frozen dessert", 1), ("salt", 1),
    ("canned vegetables", 1), ("dish cleaner", 1), ("flower (seeds)", 1), ("condensed milk", 1), ("roll products", 1),
    ("pet care", 1), ("photo/film", 1), ("mayonnaise", 0), ("jam", 0), ("meat spreads", 0), ("soups", 0),
    ("sound storage medium", 0),
]  # fmt: skip

PLANNED_BINS = [1820, 1300, 890, 870, 620, 0, 780, 0, 0, 1214, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1928]
AFTER_BINS = [1340, 330, 75, 25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
EDGES = [round(0.05 * i, 2) for i in range(1, 21)]


def exposure(target: list[str], chance: str, because: str, **more: Any) -> Summary:
    num, den = map(int, chance.split("/"))
    made = {
        "target": target,
        "kind": "identity",
        "chance": num / den,
        "chance_exact": chance,
        "baseline": 1 / 9835,
        "baseline_exact": "1/9835",
        "sensitivity": None,
        "value": None,
        "because": because,
        "after": None,
    }
    return made | more


def chances_curve(bins: list[int], says: str) -> Summary:
    return {
        "name": "chances",
        "x_label": "chance that the transaction is singled out",
        "y_label": "combinations",
        "x": EDGES,
        "y": bins,
        "says": says,
        "limit": 0.2,
        "marks": [],
        "band": None,
    }


def strength_curve(shares: list[float], says: str) -> Summary:
    return {
        "name": "strength",
        "x_label": "items known",
        "y_label": "share of transactions exposed",
        "x": [1, 2, 3, 4],
        "y": shares,
        "says": says,
        "limit": 0.0,
        "marks": [{"x": 2, "label": "stated"}],
        "band": None,
    }


KEPT_CURVE = {
    "name": "kept",
    "x_label": "needed combinations kept",
    "y_label": "share of transactions exposed",
    "x": [1.0, 1.0, 0.993, 0.981, 0.97, 0.959, 0.95, 0.94, 0.928, 0.915, 0.906],
    "y": [0.225, 0.18, 0.152, 0.118, 0.079, 0.036, 0.022, 0.01, 0.003, 0.001, 0.0],
    "says": "Share of transactions exposed while items are withheld one after another.",
    "limit": 0.0,
    "marks": [],
    "band": None,
}


def of_attack(name: str) -> Summary:
    """Return what a finding has of the row of its attack."""
    attack = ATTACKS[name]
    kinds = sorted(attack.limits.breach_at(SimpleNamespace(knows_method=False)))
    return {"attack": name, "words": words_of(attack.says.phrases), "breach_at_limit": kinds}


def finding(**changes: Any) -> Summary:
    """Make what the attacker learns from the plan."""
    made: Summary = {
        "attack": "items",
        "attacker": {"at_most": 2},
        "knows": "any two items of a transaction",
        "knows_publicly": "any two items of a transaction",
        "tolerance": {
            "identity": 0.2,
            "identity_exact": "1/5",
            "attribute": 0.6,
            "attribute_exact": "3/5",
            "share": 0.0,
            "share_exact": "0/1",
            "average": None,
        },
        "safe": False,
        "reasons": [],
        "against": None,
        "warning": None,
        "worst": 1.0,
        "worst_exact": "1/1",
        "average": None,
        "share": 2211 / 9835,
        "share_exact": "2211/9835",
        "baseline": 1 / 9835,
        "baseline_exact": "1/9835",
        "kinds": [
            level("identity", "1/1", "1/5", "1/9835"),
            level("attribute", "1/1", "3/5", "109/9835"),
        ],
        "how": {
            "method": "exact",
            "detail": "Every combination of one or two items was counted; limits were compared as fractions.",
            "margin": None,
        },
        "figures": {
            "transactions": 9835,
            "items": 169,
            "private_items": 6,
            "moles": 5412,
            "minimal_moles": 4542,
            "exposed_transactions": 2211,
            "smallest_support": 1,
        },
        "holds_up_to": {"value": 1, "unit": "items", "at_least": False},
        "curves": [
            chances_curve(PLANNED_BINS, "9,422 combinations of one or two items; 4,542 are over the limit."),
            strength_curve(
                [0.0, 0.225, 0.457, 0.505], "Share of transactions exposed, by the number of items known."
            ),
        ],
        "worked": [
            {"label": "transactions in the release", "count": 9835},
            {"label": "with ice cream", "count": 246},
            {"label": "with ice cream and jam", "count": 2},
            {"label": "of these hold liquor", "count": 2},
        ],
        "exposures_total": 4542,
        "exposures": [
            exposure(
                ["ice cream", "jam"],
                "1/1",
                "2 transactions hold both, and both hold liquor. Without the release: 1.1 %.",
                kind="attribute",
                value="liquor",
                baseline=109 / 9835,
                baseline_exact="109/9835",
            ),
            exposure(
                ["soups", "seasonal products"],
                "1/1",
                "2 transactions hold both, and both hold the private item. Without the release: 0.6 %.",
                kind="attribute",
                value="female sanitary products",
                baseline=60 / 9835,
                baseline_exact="60/9835",
            ),
            exposure(
                ["meat spreads", "red/blush wine"],
                "1/1",
                "Exactly 1 of 9,835 transactions holds both. Each alone is common: 254 and 189 transactions.",
            ),
            exposure(["sound storage medium"], "1/1", "Exactly 1 of 9,835 transactions holds it."),
            exposure(["dishes", "salt"], "1/2", "2 of 9,835 transactions hold both."),
        ],
        "ledger": [],
        "kept": {
            "item_occurrences": 43367,
            "item_occurrences_total": 43367,
            "nuggets": 1001,
            "nuggets_total": 1001,
        },
        "limits": [
            "Knowing that somebody did not have an item is not modelled",
            "Several releases of the same people are not joined",
        ],
        "missing": "A transaction without items counts as a transaction",
        "paper": "Xu, Fung, Wang, Fu, Pei: (h,k,p)-coherence; combinations over the limit are called moles.",
    }
    return made | of_attack("items") | changes


def level(kind: str, worst: str, limit: str, baseline: str) -> Summary:
    def as_float(text: str) -> float:
        num, den = map(int, text.split("/"))
        return num / den

    return {
        "kind": kind,
        "worst": as_float(worst),
        "worst_exact": worst,
        "limit": as_float(limit),
        "limit_exact": limit,
        "baseline": as_float(baseline),
        "baseline_exact": baseline,
    }


def finding_after(**changes: Any) -> Summary:
    """Make what the attacker learns once items are withheld."""
    made = finding(
        safe=True,
        worst=3 / 11,
        worst_exact="3/11",
        share=0.0,
        share_exact="0/1",
        kinds=[level("identity", "1/5", "1/5", "1/9835"), level("attribute", "3/11", "3/5", "109/9835")],
        holds_up_to={"value": 2, "unit": "items", "at_least": False},
        curves=[
            chances_curve(AFTER_BINS, "1,770 combinations of one or two items; none is over the limit."),
            strength_curve(
                [0.0, 0.0, 0.261, 0.355], "Share of transactions exposed, by the number of items known."
            ),
            KEPT_CURVE,
        ],
        worked=[],
        exposures_total=0,
        exposures=[exposure(["meat", "grapes"], "1/5", "5 transactions hold both, which is the limit.")],
        ledger=[
            {
                "withheld": item,
                "why": "greedy" if lost else "infrequent",
                "removed": 40 + 7 * lost,
                "lost": lost,
                "unit": "combinations",
            }
            for item, lost in WITHHELD
        ],
        kept={
            "item_occurrences": 35431,
            "item_occurrences_total": 43367,
            "nuggets": 907,
            "nuggets_total": 1001,
        },
    )
    made["figures"] = made["figures"] | {
        "moles": 0,
        "minimal_moles": 0,
        "exposed_transactions": 0,
        "smallest_support": 5,
        "infrequent_withheld": 5,
        "nuggets_kept": 907,
    }
    return made | of_attack(changes.get("attack", "items")) | changes


def summary(**changes: Any) -> Summary:
    made: Summary = {
        "schema": 1,
        "giveaway": "0.1.0",
        "verdict": "at risk",
        "date": "2026-11-15",
        "data": {
            "name": "groceries.dat",
            "kind": "transactions",
            "rows": 9835,
            "items": 169,
            "sha256": "5e8c1f0b7a92d4463b1e6f0c9d27a85e41b3c6720f9ad8e5b2c4417d90fe63a1",
        },
        "seed": 7,
        "seconds": 4.8,
        "need": None,
        "need_says": None,
        "findings": [finding()],
        "withheld": {"items": [], "cells": [], "cells_total": 0, "rules": []},
        "released": {
            "kind": "transactions",
            "rows": 9835,
            "items": 169,
            "renamed": False,
            "order": "shuffled",
        },
        "before": None,
        "written": None,
    }
    return made | changes


def at_risk() -> Summary:
    return summary()


def protected() -> Summary:
    planned = finding()
    for one in planned["exposures"]:
        one["after"] = "withheld"
    return summary(
        verdict="safe",
        findings=[finding_after()],
        before=[planned],
        need={"itemsets": {"min_support": 50}},
        need_says="combinations of items in 50 or more transactions",
        withheld={"items": [item for item, _ in WITHHELD], "cells": [], "cells_total": 0, "rules": []},
        released={
            "kind": "transactions",
            "rows": 9835,
            "items": 135,
            "renamed": False,
            "order": "shuffled",
        },
        written=[{"file": "release.dat", "sha256": "0d9fa1" + "4e72" * 14 + "aa", "rows": 9835}],
    )


def frequencies(worst: str, *, safe: bool | None, holds: float, curves: list[Summary]) -> Summary:
    return finding(
        **of_attack("frequencies"),
        attacker={"belief": "around 3 transactions", "compliance": 0.2},
        knows="how often items occur",
        knows_publicly="how often items occur",
        tolerance={"identity": None, "attribute": None, "share": 0, "average": 0.2, "average_exact": "1/5"},
        safe=safe,
        worst=0.2,
        worst_exact="1/5",
        average=level("average", worst, "1/5", "1/169")["worst"],
        average_exact=worst,
        share=None,
        share_exact=None,
        kinds=[level("average", worst, "1/5", "1/169")],
        figures={"items": 169, "transactions": 9835, "expected_cracks": 15.2},
        holds_up_to={"value": holds, "unit": "share right", "at_least": False},
        curves=curves,
        worked=[
            {"label": "codes in the release", "count": 169},
            {"label": "codes occur about that often", "count": 6},
        ],
        exposures_total=0,
        exposures=[
            exposure(
                ["whole milk"],
                "1/5",
                "2,513 transactions; no other item occurs within 3 of it.",
                after=0.2,
                after_exact="1/5",
            ),
        ],
        kept={"item_occurrences": 35431, "item_occurrences_total": 43367},
        paper="Lakshmanan, Ng, Ramesh: belief functions and expected cracks.",
    )


def frequency_curves(bins: list[int], average: float, end: float) -> list[Summary]:
    xs = [0.0, 0.25, 0.5, 0.75, 1.0]
    return [
        {
            "name": "chances",
            "x_label": "chance that the item is recognised",
            "y_label": "items",
            "x": [round(0.0125 * i, 4) for i in range(1, 21)],
            "y": bins,
            "says": f"{sum(bins)} items. The limit applies to the average, marked by triangles.",
            "limit": 0.2,
            "marks": [{"x": average, "label": f"average {100 * average:.1f} %"}],
            "band": None,
        },
        {
            "name": "strength",
            "x_label": "items the attacker is right about",
            "y_label": "expected share recognised",
            "x": xs,
            "y": [x * end for x in xs],
            "says": "Expected share recognised. The band runs from the best to the worst choice of items.",
            "limit": 0.2,
            "marks": [{"x": 0.2, "label": "stated"}],
            "band": [[0.9 * x * x * end for x in xs], [min(end, 1.15 * x * end) for x in xs]],
        },
    ]


def two_attackers() -> Summary:
    """Two attackers, of whom the second gets stronger through withholding."""
    made = protected()
    planned_bins = [4, 28, 24, 19, 10, 12, 4, 5, 9, 7, 2, 0, 0, 0, 1, 44, 0, 0, 0, 0]
    after_bins = [0, 0, 0, 3, 0, 0, 2, 2, 7, 4, 0, 0, 0, 0, 1, 46, 0, 0, 0, 0]
    made["before"].append(
        frequencies("90/1000", safe=True, holds=0.45, curves=frequency_curves(planned_bins, 0.09, 0.448))
    )
    made["findings"].append(
        frequencies("166/1000", safe=True, holds=0.24, curves=frequency_curves(after_bins, 0.166, 0.831))
    )
    return made


def not_measured(**changes: Any) -> Summary:
    """Make the finding of an attacker that could not be measured."""
    made = finding(
        safe=None,
        reasons=["Stopped after the 600 seconds allowed, while counting combinations. Hint: allow more with --seconds."],
        worst=None, worst_exact=None, share=None, share_exact=None, baseline=None, baseline_exact=None,
        kinds=[], how=None, figures={}, holds_up_to=None, curves=[], worked=[],
        exposures_total=None, exposures=[], kept={}, ledger=[],
    )  # fmt: skip
    return made | changes


def cannot_judge() -> Summary:
    return summary(verdict="cannot judge", findings=[not_measured()])


def one_of_two_cannot_be_judged() -> Summary:
    return summary(
        verdict="cannot judge",
        findings=[finding_after(ledger=[]), not_measured(knows="any three items of a transaction")],
    )


def estimate() -> Summary:
    straddles = frequencies("199/1000", safe=None, holds=0.2, curves=[])
    straddles["how"] = {"method": "simulated", "detail": "40,000 draws, 95 % interval", "margin": 0.012}
    straddles["reasons"] = ["The value is within the limit, the value and its margin are not"]
    return summary(verdict="cannot judge", findings=[straddles])


def no_safe_release() -> Summary:
    return summary(
        no_safe_release={
            "reason": "liquor is in 61.4 % of all transactions: guessing it for everybody beats the 60 % you tolerate",
            "helps": ["Tolerate 62 % for attribute, or do not list liquor as private."],
            "proved": True,
        }
    )


def nothing_to_withhold() -> Summary:
    safe = finding_after(
        kinds=[level("identity", "1/9", "1/5", "1/9835"), level("attribute", "3/11", "3/5", "109/9835")],
        holds_up_to={"value": 4, "unit": "items", "at_least": True},
        ledger=[],
    )
    safe["curves"] = safe["curves"][:2]
    return summary(verdict="safe", findings=[safe])


def no_private_items() -> Summary:
    made = nothing_to_withhold()
    made["findings"][0]["figures"]["private_items"] = 0
    made["findings"][0]["kinds"] = made["findings"][0]["kinds"][:1]
    made["findings"][0]["exposures"] = []
    return made


def blank_entries() -> Summary:
    """A table with blanks that is safe only as long as blanks are counted."""
    safe = finding_after(
        attack="attributes",
        attacker={"columns": ["sex", "education"], "trusts_support_above": 0},
        knows="the published sex and education of a person",
        knows_publicly="the published sex and education of a person",
        tolerance={"attribute": 0.6, "attribute_exact": "3/5", "share": 0.0, "share_exact": "0/1"},
        worst=0.59,
        worst_exact="59/100",
        kinds=[level("attribute", "59/100", "3/5", "1/5")],
        figures={"records": 1500, "sensitive_records": 12, "exposed_records": 0},
        holds_up_to={"value": 2, "unit": "columns", "at_least": True, "whole_scale": True, "beside": None},
        against="somebody who counts blank entries as other values",
        warning="Somebody who leaves blank entries out of the count finds a rule that holds for 87.9 %, above your limit "
        "of 60 %.",
        ledger=[{"withheld": "job", "why": "greedy", "removed": 9, "lost": 29, "unit": "entries"}],
        kept={"cells": 4471, "cells_total": 4500},
    )
    return summary(
        verdict="safe",
        data={"name": "teachers.csv", "kind": "table", "rows": 1500, "columns": 3, "sha256": None},
        findings=[safe],
        before=[safe | {"safe": False, "share": 0.75, "share_exact": "3/4", "ledger": []}],
        withheld={
            "items": [],
            "cells": [],
            "cells_total": 29,
            "cells_by_column": {"job": 29},
            "secrets": 12,
            "rules": [],
        },
        released={
            "kind": "rows",
            "rows": 1500,
            "columns": 3,
            "empty": {"job": 41},
            "coarser": {},
            "order": "shuffled",
        },
    )


def curves_missing() -> Summary:
    made = protected()
    made["findings"][0]["curves"] = []
    made["before"][0]["curves"] = []
    return made


def wrong_question() -> Summary:
    return {
        "schema": 1,
        "verdict": "cannot judge",
        "errors": ['identity = "1/0" is not a finite number. Hint: write 0.2.'],
    }


HOSTILE = (
    "<script>alert(1)</script>",
    '"quoted" & \'single\' onload="x"',
    "{{ 7*7 }}{% raw %}",
    "long" * 400,
    "\u202ereversed\u202c \u05e9\u05dc\u05d5\u05dd",
    "new\nline\ttab\x1b[31mred\x07\x00\x9b31m",
    "\ud800lone",
    "<svg/onload=alert(1)>",
    "]]>--></style>",
    "Käse 中文 🙂",
)


def hostile(made: Summary) -> Summary:
    """Put hostile labels everywhere a label can stand."""
    made = deepcopy(made)
    made["data"]["name"] = HOSTILE[0]
    for found in [*made["findings"], *(made["before"] or [])]:
        found["exposures"] = [
            exposure(
                [label, other],
                "1/1",
                f"1 transaction holds {label} and {other}.",
                value=label,
                kind="attribute",
            )
            for label, other in zip(HOSTILE, HOSTILE[::-1], strict=True)
        ]
        found["worked"] = [{"label": f"with {label}", "count": 3} for label in HOSTILE]
        found["reasons"] = [f"{label} is too frequent" for label in HOSTILE]
        found["ledger"] = [{"withheld": label, "why": "greedy", "removed": 1, "lost": 1} for label in HOSTILE]
    made["withheld"]["items"] = list(HOSTILE)
    return made


STATES = {
    made.__name__: made
    for made in (
        at_risk, protected, two_attackers, cannot_judge, one_of_two_cannot_be_judged, estimate, no_safe_release,
        nothing_to_withhold, no_private_items, curves_missing, blank_entries, wrong_question,
    )
}  # fmt: skip
