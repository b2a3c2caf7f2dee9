"""The examples and figures of Zhu, Wang and Du, run again: Figures 5 to 7 are printed without numbers."""

from collections.abc import Sequence
from typing import Any, Literal

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.itemsets.rule_mining import mine_rules
from giveaway.model.answer.study import Compared, Lab, Line, Outcome, Picture, Study
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Rule

_ADULT = "adult/adult_train_complete.csv.gz"
_COLUMNS = (
    "workclass", "marital-status", "occupation", "relationship", "race", "sex", "native-country", "education",
)  # fmt: skip
_CONFIDENCES = ("0.6", "0.7", "0.8", "0.9", "0.95")
_SUPPORTS = ("0.02", "0.04", "0.06", "0.08", "0.1")
_LIMIT = Tolerance(attribute="9/10")
_PEOPLE = (
    "Doctorate Male 50K-", "Masters Female 50K-", "Doctorate Female 50K+", "Bachelors Male 50K-",
    "Masters Female 50K+", "Doctorate Male 50K+", "Masters Female 50K+", "Doctorate Female 50K+",
    "Masters Female 50K+", "Doctorate Female 50K+", "Masters Female 50K+", "Doctorate Female 50K+",
)  # fmt: skip
Scores = Literal["withheld", "exact"]


def _figure_1() -> Table:
    names = ("education", "gender", "salary")
    rows = [dict(zip(names, line.split(), strict=True)) for line in _PEOPLE]
    return Table.from_rows(rows, sensitive="salary")


def _example_1(lab: Lab) -> Outcome:
    people = _figure_1()
    limits: dict[str, Any] = {"min_support": "0.3", "min_confidence": "0.8", "inclusive": False}
    rules = mine_rules(people, **limits)
    released = Release(people, rules=PublishedRules(rules, **limits), sensitive_values=["50K+"])
    reader = KnowsProfiles(columns=["education", "gender"], non_rules=False)
    believed = lab.assess(released, reader, Tolerance(attribute="3/4")).exposures
    chance = {tuple(one.target.values()): one.chance for one in believed}
    return Outcome(
        compared=(
            Compared(what="rules above both thresholds", printed=3, found=len(rules)),
            Compared(
                what="a male doctorate earns more than 50K",
                printed=0.5,
                found=round(float(chance["Doctorate", "Male"]), 6),
                within=1e-6,
            ),
        )
    )


def _adult(lab: Lab) -> Table:
    every = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")

    def read() -> Table:
        table: Table = lab.table(_ADULT, sensitive=["salary-class"], leave_out=every)
        return table

    return lab.once("adult", read)


def _mined(lab: Lab, support: str) -> tuple[Rule, ...]:
    return lab.once(
        f"rules at {support}",
        lambda: tuple(mine_rules(_adult(lab), min_support=support, min_confidence="0.6")),
    )


def _read(
    lab: Lab, support: str, confidence: str, scores: Scores = "withheld", **knows: Any
) -> dict[str, Any]:
    """Return the figures of somebody who reads the rules of Adult at some thresholds, as the paper does."""
    least = float(confidence)
    rules = [rule for rule in _mined(lab, support) if float(rule.confidence or 0) >= least]
    published = PublishedRules(rules, min_support=support, min_confidence=confidence, scores=scores)
    reader = KnowsProfiles(columns=_COLUMNS, whole_numbers=False, **({"non_rules": False} | knows))
    found = lab.assess(Release(_adult(lab), rules=published), reader, _LIMIT)
    return dict(found.findings[0].risk.figures)


def _divergences(lab: Lab, points: Sequence[tuple[str, str]], scores: Scores, **knows: Any) -> list[float]:
    return [float(_read(lab, s, c, scores, **knows)["overall_divergence"]) for s, c in points]


def _section_vi(lab: Lab) -> Outcome:
    figures = _read(lab, "0.1", "0.6", non_rules=True)
    table = _adult(lab)
    return Outcome(
        compared=(
            Compared(what="records", printed=30162, found=len(table)),
            Compared(what="profiles", printed=7722, found=int(figures["profiles"])),
            Compared(
                what="NAR-constraints without pruning", printed=766_472, found=int(figures["non_rules"])
            ),
            Compared(
                what="constraints kept by Theorem 3", printed=449, found=int(figures["constraints_kept"])
            ),
            Compared(what="their variables", printed=281_014, found=int(figures["constraint_variables"])),
        )
    )


def _figure_5a(lab: Lab) -> Outcome:
    points = [("0.1", c) for c in _CONFIDENCES]
    exact, withheld = (_divergences(lab, points, scores) for scores in ("exact", "withheld"))
    x = [float(c) for c in _CONFIDENCES]
    picture = Picture(
        title="D_overall by confidence, support 0.1",
        x_label="least confidence",
        y_label="divergence",
        lines=(Line(name="scores published", x=x, y=exact), Line(name="scores withheld", x=x, y=withheld)),
        says="Less is known at a higher confidence; withheld scores matter less the higher it is, as in Figure 6.",
    )
    rows = tuple(
        Compared(what=f"confidence {c}, scores published", printed=None, found=round(value, 4))
        for c, value in zip(_CONFIDENCES, exact, strict=True)
    )
    return Outcome(compared=rows, pictures=(picture,))


def _figure_5b(lab: Lab) -> Outcome:
    values = _divergences(lab, [(s, "0.6") for s in _SUPPORTS], "exact")
    x = [float(s) for s in _SUPPORTS]
    picture = Picture(
        title="D_overall by support, confidence 0.6",
        x_label="least support",
        y_label="divergence",
        lines=(Line(name="scores published", x=x, y=values),),
        says="Fewer rules at a higher support leave more in doubt.",
    )
    rows = tuple(
        Compared(what=f"support {s}", printed=None, found=round(value, 4))
        for s, value in zip(_SUPPORTS, values, strict=True)
    )
    return Outcome(compared=rows, pictures=(picture,))


def _figure_7b(lab: Lab) -> Outcome:
    points = [("0.1", c) for c in _CONFIDENCES]
    without, with_silence = (_divergences(lab, points, "withheld", non_rules=non) for non in (False, True))
    x = [float(c) for _, c in points]
    picture = Picture(
        title="With and without what is not listed, support 0.1",
        x_label="least confidence",
        y_label="divergence",
        lines=(
            Line(name="rules alone", x=x, y=without),
            Line(name="and rules that are not listed", x=x, y=with_silence),
        ),
        says="Silence adds little on average, as printed.",
    )
    return Outcome(pictures=(picture,))


STUDIES = (
    Study(where="Example 1", title="twelve people and three rules", run=_example_1),
    Study(
        where="Section VI", title="Adult: records, profiles and constraints", run=_section_vi, data=(_ADULT,)
    ),
    Study(where="Figure 5a", title="divergence by confidence, and Figure 6", run=_figure_5a, data=(_ADULT,)),
    Study(where="Figure 5b", title="divergence by support", run=_figure_5b, data=(_ADULT,)),
    Study(where="Figure 7b", title="what silence adds", run=_figure_7b, data=(_ADULT,)),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
