"""Releases for several recipients who may collude, as text for a terminal or a log."""

from giveaway.report.colluding import Laid, Saved
from giveaway.report.colluding import drawn as laid_out
from giveaway.report.terminal.ink import JUDGED, Ink


def render(
    saved: Saved, *, quiet: bool = False, width: int = 80, colour: bool = False, unicode: bool = True
) -> str:
    """Write the verdict and, unless it is quiet, the matrix of recipients; no value of the data is in it."""
    ink = Ink(colour=colour, unicode=unicode, width=max(width, 40))
    drawn = laid_out(saved, public=False)
    lines = [
        *ink.wrapped(drawn["title"], first=f"{ink.verdict(JUDGED[drawn['verdict']])}  "),
        *(line for text in drawn["hints"] for line in ink.wrapped(text, indent="  ")),
        *ink.wrapped(drawn["not_judged"]),
    ]
    if quiet:
        return ink.finish(lines)
    for text in drawn["lead"]:
        lines += ["", *ink.wrapped(text)]
    for one in drawn["matrices"]:
        lines += ["", *ink.wrapped(one["title"], bold=True)]
        lines += [*(ink.wrapped(one["against"], indent="  ") if one["against"] else []), *_matrix(one, ink)]
    if drawn["withheld"]:
        lines += ["", ink.bold("Withheld")]
        lines += ink.columns([("recipient", "by itself", "at once"), *drawn["withheld"]])
    for text in drawn["details"]:
        lines += ["", *ink.wrapped(text)]
    return ink.finish(lines)


def _matrix(one: Laid, ink: Ink) -> list[str]:
    """Write a line for each set of recipients: how many are over the limit, and in brackets how many alone."""

    def both(over: str, alone: str) -> str:
        return f"{over} ({alone})" if one["alone"] else over

    head = ("who collude", "each by itself", "planned at once")
    rows = [
        (row["name"], both(row["before"], row["before_alone"]), both(row["after"], row["after_alone"]))
        for row in one["rows"]
    ]
    dash = " Where a dash stands, it is not known what they would learn." if one["unknown"] else ""
    words = f"  Of {one['of']}, over the limit{' (and alone)' if one['alone'] else ''}; tolerated: {one['limits']}.{dash}"
    return [*ink.wrapped(words.strip(), indent="  "), *ink.columns([head, *rows])]
