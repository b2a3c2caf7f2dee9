"""The report as one self-contained HTML file: the owner's edition, and the public one that holds no values."""

from functools import cache
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.verdict import in_words, overall
from giveaway.report.charts import palette
from giveaway.report.html import page, public, views
from giveaway.report.html.worked import story
from giveaway.report.wording import earlier, sentences, usefulness
from giveaway.report.wording.phrases import settings_in_words
from giveaway.report.wording.readings import NO_LIMITS
from giveaway.report.wording.tidy import Summary, of_its_release, tidy
from giveaway.report.wording.under_verdict import (
    alone_lines,
    class_lines,
    limit_lines,
    looks_like_line,
    not_judged_line,
    small_classes,
    unjudged_columns,
)
from giveaway.report.wording.words import all_of, day, ended

Edition = Literal["owner", "public"]


@of_its_release
def render(summary: Summary, *, edition: Edition = "owner") -> str:
    """Draw a Summary; `edition="public"` leaves out every label, every value and everything about the plan."""
    clean = tidy(summary)
    if not sentences.withheld_counts(clean):
        clean |= {"before": None}  # protecting changed nothing: there is no other release to compare with
    both = {
        "date": day(str(clean.get("date") or "")),
        "version": str(clean.get("giveaway") or ""),
        "verdict": clean["verdict"],
        "not_judged": not_judged_line(clean),
        "no_limits": NO_LIMITS,
    }
    parts = _owner(clean) if edition == "owner" else public.parts(clean)
    return environment().get_template(f"{edition}.html.jinja").render(both | parts)


@cache
def environment() -> Environment:
    """Make the environment of the templates, with escaping always on."""
    templates = Environment(
        loader=PackageLoader("giveaway.report.html", "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(
        nouns=nouns, light=palette.variables(palette.LIGHT), dark=palette.variables(palette.DARK)
    )
    return templates


def _owner(summary: Summary) -> dict[str, Any]:
    pairs = views.pairs(summary)
    data = summary.get("data") or {}
    protected = summary.get("before") is not None
    judged = [finding["safe"] for finding in summary.get("before") or summary.get("findings") or []]
    return {
        "name": str(data.get("name") or "Release"),
        "size": sentences.size(data),
        "protected": protected,
        "planned": in_words(overall(judged or [None])),
        "who": _who(summary),
        "title": sentences.verdict(summary),
        "lead": [*filter(None, [story(summary)]), *sentences.lead(summary)],
        "columns": usefulness.columns(summary),
        "advice": usefulness.advice(summary),
        "unjudged": f"{unjudged_columns(summary)} {looks_like_line(summary)}".strip(),
        "classes": " ".join(
            filter(None, [*class_lines(summary), small_classes(summary), *alone_lines(summary)])
        ),
        "limits": limit_lines(summary),
        "hints": [*_hints(summary), *_decisions(summary)],
        "next": _next(summary),
        "measured_head": "Measured" if any(sentences.averages(one) for one, _ in pairs) else "Worst chance",
        "rows": [views.row(i, *pair) for i, pair in enumerate(pairs, 1)],
        "facts": page.facts(summary),
        "earlier": earlier.releases(summary),
        "sections": [
            views.section(i, *pair, alone=len(pairs) == 1, known=_known_above(summary))
            for i, pair in enumerate(pairs, 1)
        ],
        "withheld": page.withheld(summary),
        "origin": page.origin(summary),
        "closing": page.closing(summary),
    }


def _who(summary: Summary) -> str:
    """Say which attackers the verdict comes from, when nothing was protected."""
    findings = summary.get("findings") or []
    wanted = {"safe": True, "at risk": False}.get(str(summary["verdict"]))
    which = [i for i, finding in enumerate(findings, 1) if finding["safe"] is wanted]
    if len(findings) <= 1:
        return ""
    if len(which) == len(findings):
        return all_of(len(findings), "attackers")
    return f"{sentences.attackers(which)} of {len(findings)}"


def _known_above(summary: Summary) -> list[str]:
    """Return the reasons that the first screen gives for there being no release or no verdict; sections do not repeat them."""
    refusal = sentences.no_safe_release(summary)
    if refusal is None:
        unjudged = (finding for finding in summary.get("findings") or [] if finding["safe"] is None)
        return [str(reason) for finding in unjudged for reason in finding.get("reasons") or []]
    return [
        "No safe release exists (proved).",
        "No safe release was found (not proved).",
        refusal["reason"],
        *refusal["helps"],
    ]


def _hints(summary: Summary) -> list[str]:
    refusal = sentences.no_safe_release(summary)
    if refusal is not None:
        return [settings_in_words(ended(str(text))) for text in refusal["helps"]]
    if summary.get("errors"):
        return [str(text) for text in summary["errors"]]
    hints = [
        ended(str(reason))
        for finding in summary.get("findings") or []
        if finding["safe"] is None
        for reason in finding.get("reasons") or []
    ]
    return hints


def _decisions(summary: Summary) -> list[str]:
    """Return what the recipes of the papers came to, each with how to ask it, for a release as planned."""
    findings = [] if summary.get("before") is not None else summary.get("findings") or []
    return [
        f"{finding['decision']['says']} Ask with "
        + " ".join(
            f"--set knows.{place}.{name}={value}" for name, value in finding["decision"]["fields"].items()
        )
        for place, finding in enumerate(findings)
        if finding.get("decision")
    ]


def _next(summary: Summary) -> str:
    """Return the command that goes on from here."""
    over = summary["verdict"] == "at risk" and summary.get("before") is None
    return (
        "giveaway protect SCENARIO.toml -o FOLDER" if over and not sentences.no_safe_release(summary) else ""
    )
