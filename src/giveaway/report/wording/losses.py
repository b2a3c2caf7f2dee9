"""What columns lost, and advice where hardly anything is left."""

from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.words import count, joined, percent

_MOST = 12
_GONE = 0.9
"""The part of a column, or of what is kept, from which on it is as good as gone."""


def by_column(summary: Summary) -> list[tuple[str, str]]:
    """Say which part of each column is blank or coarser, the largest first; without columns nothing."""
    shares = _shares(summary)
    said = [(label(name), _said(blank, coarse, share)) for name, blank, coarse, share in shares]
    more = len(said) - _MOST
    return [*said[:_MOST], *([(f"{count(more)} more", "")] if more > 0 else [])]


def hardly_anything(summary: Summary) -> list[str]:
    """Say that hardly anything is left, of the whole or of columns, with advice; nothing where much is."""
    if summary.get("before") is None or summary["verdict"] != "safe":
        return []
    gone = [label(name) for name, *_, share in _shares(summary) if share >= _GONE]
    data, held = summary.get("data") or {}, summary.get("withheld") or {}
    items = len(held.get("items") or [])
    told = []
    if items and data.get("items") and items >= _GONE * data["items"]:
        told.append(
            f"Hardly anything is left: {count(items)} of {count(data['items'])} items are withheld. Ask about an attacker who "
            "knows less, tolerate more (giveaway assess --suggest says what that costs), or publish groups of items, such as "
            "weeks for days."
        )
    if gone:
        are = "is" if len(gone) == 1 else "are"
        told.append(
            f"Hardly anything is left of {joined(gone)}, which {are} blank or coarser in {percent(_GONE)} of the rows or more. "
            "Put values into classes, give a hierarchy, leave the column out so that others can stay, or tolerate more "
            "(giveaway assess --suggest says what that costs)."
        )
    return told


def _shares(summary: Summary) -> list[tuple[str, int, int, float]]:
    """Return of each changed column how many entries are blank and coarser, and which part of the rows that is."""
    held, rows = summary.get("withheld") or {}, (summary.get("data") or {}).get("rows")
    blank, coarse = held.get("cells_by_column") or {}, held.get("coarser_by_column") or {}
    if not rows:
        return []
    found = [
        (
            str(name),
            blank.get(name) or 0,
            coarse.get(name) or 0,
            ((blank.get(name) or 0) + (coarse.get(name) or 0)) / rows,
        )
        for name in dict.fromkeys([*blank, *coarse])
    ]
    return sorted((one for one in found if one[3]), key=lambda one: -one[3])


def _said(blank: int, coarse: int, share: float) -> str:
    parts = [f"{count(blank)} blank"] if blank else []
    parts += [f"{count(coarse)} coarser"] if coarse else []
    return f"{percent(share)} ({', '.join(parts)})"
