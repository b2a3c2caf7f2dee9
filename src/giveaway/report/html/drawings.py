"""The charts of one attacker: those that every attacker has, and further curves."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from giveaway.model.question.limits import kind_of
from giveaway.report.charts import charts, lines, together
from giveaway.report.charts.charts import Chart
from giveaway.report.charts.curves import DrawnCurve, curves, is_share, x_words
from giveaway.report.wording import sentences
from giveaway.report.wording.phrases import phrases
from giveaway.report.wording.tidy import Finding

_CORE = ("chances", "strength", "kept")
_COSTS = "What the safety costs"


@dataclass(frozen=True, kw_only=True)
class AttackerDrawn:
    """The charts of one attacker; `stated` names the attacker that was stated on the axis of strengths."""

    core: list[Chart] = field(default_factory=list)
    more: list[Chart] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """The titles of those that could not be computed."""
    stated: str = ""

    @property
    def missing_charts(self) -> list[Chart]:
        """What stands for those that could not be computed where each is shown by itself."""
        return [
            Chart(title=title, says="Not computed in the time given.", drawing=Markup(""))
            for title in self.missing
        ]

    @property
    def over(self) -> bool:
        """Whether something over a limit as planned is drawn."""
        return any(chart.over for chart in self.core)


def drawn(finding: Finding, before: Finding | None, *, alone: bool) -> AttackerDrawn:
    """Draw the curves of a finding, next to those before protection; nothing of an attacker who was not measured."""
    if finding.get("worst") is None and not finding.get("kinds"):
        return AttackerDrawn()
    now, then = curves(finding), curves(before)
    bars = [name for name, curve in now.items() if curve.bars]
    late = "curves" in (finding.get("not_computed") or ()) or "not_computed" not in finding
    core = [
        *_chances(finding, now, then),
        *(charts.histogram(now[name].title, now[name], then.get(name), of_crowd=False) for name in bars),
        *_strength(finding, now, then),
    ]
    if "kept" in now and before is not None:
        core.append(_cost(now["kept"], alone=alone))
    axis = now.get("strength")
    stated = None if axis is None else _stated(finding, axis.marks)
    titles = {"chances": phrases(finding).chances, "strength": phrases(finding).stronger}
    if before is not None and finding.get("ledger"):
        titles["kept"] = _COSTS
    return AttackerDrawn(
        core=core,
        more=_more({**then, **now}, bars),
        missing=[title for name, title in titles.items() if late and name not in now],
        stated="" if axis is None or stated is None else x_words(stated, share=is_share(axis.x)),
    )


def _chances(finding: Finding, now: Mapping[str, DrawnCurve], then: Mapping[str, DrawnCurve]) -> list[Chart]:
    title = phrases(finding).chances
    if "chances" not in now:
        return []
    average = sentences.only_average(finding)
    stated = (finding.get("tolerance") or {}).items()
    of_crowd = any(kind_of(name).in_crowds for name, limit in stated if limit is not None)
    return [charts.histogram(title, now["chances"], then.get("chances"), average=average, of_crowd=of_crowd)]


def _strength(finding: Finding, now: Mapping[str, DrawnCurve], then: Mapping[str, DrawnCurve]) -> list[Chart]:
    copy = phrases(finding)
    if "strength" not in now:
        return []
    curve, before = now["strength"], then.get("strength")
    if len({*curve.x, *(before.x if before else ())}) == 1:
        return []  # there is nothing to know more or less of
    stated = _stated(finding, curve.marks)
    end = max([*curve.x, *(before.x if before else ())])
    title = copy.stronger if stated is not None and stated < end else copy.weaker
    return [lines.strength(title, curve, before, finding, stated)]


def _more(curves_left: Mapping[str, DrawnCurve], bars: list[str]) -> list[Chart]:
    """Draw what only some attacks have, curves that belong together in one picture."""
    charts = []
    for name, curve in curves_left.items():
        if name not in (*_CORE, *bars) and curve.beside not in curves_left:
            others = [other for other in curves_left.values() if other.beside == name]
            charts.append(
                together.scatter(curve.title, curve)
                if curve.points
                else together.together(curve.title, [curve, *others])
            )
    return charts


def _cost(curve: DrawnCurve, *, alone: bool) -> Chart:
    chart = lines.cost(_COSTS if alone else f"{_COSTS} for this attacker", curve)
    others = "Only what was withheld for this attacker is counted, from where the others left off."
    return chart if alone else replace(chart, says=f"{chart.says} {others}".strip())


def _stated(finding: Finding, marks: tuple[tuple[float, str], ...]) -> float | None:
    for at, words in marks:
        if "state" in words:
            return at
    stated = (finding.get("attacker") or {}).get(phrases(finding).stated_by)
    return float(stated) if isinstance(stated, int) else None
