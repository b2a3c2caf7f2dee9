"""Compact views for notebooks: a Summary, one attacker, a list of exposures, a release."""

from collections.abc import Mapping, Sequence
from typing import Any

from giveaway.model.answer.verdict import in_words
from giveaway.report.charts import charts
from giveaway.report.charts.charts import Chart
from giveaway.report.charts.curves import curves
from giveaway.report.html import views
from giveaway.report.html.document import environment
from giveaway.report.html.exposures import ExposureLine, chosen
from giveaway.report.wording import sentences
from giveaway.report.wording.phrases import phrases, target_text
from giveaway.report.wording.tidy import Summary, label, of_its_release, tidy
from giveaway.report.wording.under_verdict import looks_like_line, not_judged_line
from giveaway.report.wording.usefulness import kept_percent
from giveaway.report.wording.words import ended, number, percent, sentence

_MOST = 3
_SHOWN = 10
_NOTHING: dict[str, Any] = {
    "verdict": "",
    "lead": [],
    "not_judged": "",
    "errors": [],
    "warnings": [],
    "rows": [],
    "exposed": [],
    "protected": False,
    "when": "Measured",
    "charts": [],
    "bars": [],
    "bars_head": "",
}
"""The parts of a view that has nothing to say there."""


@of_its_release
def render(summary: Summary) -> str:
    """Draw a Summary as a fragment of HTML whose styles touch nothing else on the page."""
    clean = tidy(summary)
    pairs = views.pairs(clean)
    exposed = []
    for i, (finding, before) in enumerate(pairs, 1):
        lines = chosen(before or finding, finding if before else None, most=_MOST)
        exposed += [(i, line) for line in lines]
    return _drawn(
        verdict=clean["verdict"],
        title=sentences.verdict(clean),
        lead=sentences.lead(clean),
        not_judged=f"{not_judged_line(clean)} {looks_like_line(clean)}".strip(),
        errors=[str(text) for text in clean.get("errors") or []],
        warnings=sentences.warnings(clean),
        rows=[views.row(i, *pair) for i, pair in enumerate(pairs, 1)],
        exposed=exposed,
        protected=clean.get("before") is not None,
        when="As planned",
    )


def finding(part: Mapping[str, Any]) -> str:
    """Draw what is found of one attacker, with how many targets have which chance."""
    clean = tidy(part)
    warning = clean.get("warning")
    return _drawn(
        verdict=in_words(clean["safe"]),
        title=sentence(f"somebody knows {clean.get('knows') or clean['attack']}"),
        lead=[ended(str(reason)) for reason in clean.get("reasons") or []],
        warnings=[ended(str(warning))] if warning else [],
        rows=[views.row(1, clean, None)],
        exposed=[(0, line) for line in chosen(clean, None)],
        charts=_chances(clean),
    )


def _chances(part: Mapping[str, Any]) -> list[Chart]:
    curve = curves(part).get("chances")
    if curve is None:
        return []
    average = sentences.only_average(part)
    return [charts.histogram(phrases(part).chances, curve, None, average=average)]


def exposures(listed: Sequence[Mapping[str, Any]], total: int) -> str:
    """Draw the first exposures of a list."""
    shown = [tidy(one) for one in listed[:_SHOWN]]
    first = f" The first {len(shown)} are shown; to_pandas() and to_polars() give all."
    more = first if total > len(shown) else ""
    return _drawn(
        title=f"{total:,} exposure{'' if total == 1 else 's'}",
        lead=[f"Those of each attacker are listed worst first.{more}"] if total else ["None is listed."],
        exposed=[(0, _line(one)) for one in shown],
    )


def _line(exposure: Mapping[str, Any]) -> ExposureLine:
    value = exposure.get("value")
    return ExposureLine(
        target=target_text(exposure),
        learnt=None if value is None else label(value),
        because=str(exposure["because"]),
        planned=percent(number(exposure, "chance"), short=True),
    )


def release(says: str, head: str, published: Mapping[str, tuple[int, int]]) -> str:
    """Draw a release: what it is, and which part of each thing is published."""
    bars = [
        {
            "name": label(name),
            "share": kept_percent(some, total),
            "width": round(100 * some / total, 1) if total else 100.0,
        }
        for name, (some, total) in published.items()
    ]
    return _drawn(title=says, bars=bars, bars_head=head)


def _drawn(**parts: Any) -> str:
    return environment().get_template("notebook.html.jinja").render(_NOTHING | parts)
