"""A compact view of a Summary for notebooks: verdict, one line per attacker, the worst exposures."""

from giveaway.report.html import views
from giveaway.report.html.document import environment
from giveaway.report.html.exposures import chosen
from giveaway.report.wording import sentences
from giveaway.report.wording.not_judged import looks_like_line, not_judged_line
from giveaway.report.wording.tidy import Summary, tidy

_MOST = 3


def render(summary: Summary) -> str:
    """Draw a Summary as a fragment of HTML whose styles touch nothing else on the page."""
    clean = tidy(summary)
    pairs = views.pairs(clean)
    exposed = []
    for i, (finding, before) in enumerate(pairs, 1):
        lines = chosen(before or finding, finding if before else None, most=_MOST)
        exposed += [(i, line) for line in lines]
    return (
        environment()
        .get_template("notebook.html.jinja")
        .render(
            verdict=clean["verdict"],
            title=sentences.verdict(clean),
            lead=sentences.lead(clean),
            not_judged=f"{not_judged_line(clean)} {looks_like_line(clean)}".strip(),
            errors=[str(text) for text in clean.get("errors") or []],
            warnings=sentences.warnings(clean),
            rows=[views.row(i, *pair) for i, pair in enumerate(pairs, 1)],
            exposed=exposed,
            protected=clean.get("before") is not None,
        )
    )
