"""What papers print next to what is found, as text."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from giveaway.papers.study import Compared, Ran, Study, Value
from giveaway.report.wording.words import seconds

_WIDE = 100
_SET_IN = "      "


def listing(papers: Iterable[tuple[str, str, Sequence[Study]]]) -> str:
    """List what can be run again: papers with their titles, and their studies."""
    lines = []
    for number, title, studies in papers:
        lines += ["", *wrap(f"{number}  {title}", _WIDE, subsequent_indent="     ")]
        lines += [f"     {one.where:<16} {one.title}" for one in studies]
    return "\n".join(lines).strip("\n")


def told(ran: Ran) -> str:
    """Write one study: what the paper prints, what is found, and how they compare."""
    head = f"{ran.study.where}: {ran.study.title}"
    if ran.outcome is None:
        return "\n".join([head, *_noted(ran.about)])
    rows = ran.outcome.compared
    lines = [f"{head}  ({seconds(ran.seconds)})", *_noted(ran.about)]
    if rows:
        table = [("", "paper", "found", ""), *(_row(one) for one in rows)]
        widths = [max(len(line[place]) for line in table) for place in range(3)]
        for one, line in zip([None, *rows], table, strict=True):
            cells = (line[0].ljust(widths[0]), line[1].rjust(widths[1]), line[2].rjust(widths[2]), line[3])
            lines.append(f"  {'   '.join(cells)}".rstrip())
            if one is not None:
                lines += _noted(written(one.ours), indent=_SET_IN) if _is_a_text(one) else []
                lines += _noted(one.note, indent=_SET_IN) if tells(one) else []
    lines += _noted(f"Left out: {ran.study.left_out}") if ran.study.left_out else []
    for picture in ran.outcome.pictures:
        lines += _noted(f"{picture.title}: {picture.says}") if picture.says else []
    return "\n".join(lines)


def tells(one: Compared) -> bool:
    """Tell whether a note says why numbers differ, of what there is no printed number, or on what choice of ours it rests."""
    return bool(one.note) and (one.status != "equal" or one.choice)


def summed_up(runs: Sequence[Ran]) -> str:
    """Count what became of the paper's numbers."""
    compared = [one for ran in runs if ran.outcome is not None for one in ran.outcome.compared]
    counts = {status: sum(one.status == status for one in compared) for status in WORDS}
    parts = (
        [f"{count} {_many(status, count)}" for status, count in counts.items()]
        if any(counts.values())
        else []
    )
    left = sum(ran.outcome is None for ran in runs)
    parts += [f"{left} not run"] if left else []
    other = sum(ran.outcome is not None and bool(ran.missing) for ran in runs)
    parts += [f"{other} on other data than the paper's"] if other else []
    summary = ", ".join(parts) or "no number is printed"
    return f"{summary[0].upper()}{summary[1:]}."


WORDS = ("equal", "about", "erratum", "does not reproduce", "not stated in the paper")
"""What may become of a number that a paper prints."""


def _many(status: str, count: int) -> str:
    plural = {"erratum": "errata", "does not reproduce": "do not reproduce"}
    return status if count == 1 else plural.get(status, status)


def _row(one: Compared) -> tuple[str, str, str, str]:
    status = "" if one.printed is None else one.status
    ours = "" if _is_a_text(one) else written(one.ours)
    return one.what, "-" if one.printed is None else written(one.printed), ours, status


def _is_a_text(one: Compared) -> bool:
    """Tell whether what is found is a sentence, which has lines of its own."""
    return len(written(one.ours)) > _WIDE // 2


def written(value: Value) -> str:
    """Write a number with the digits that count."""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def _noted(text: str, indent: str = "  ") -> list[str]:
    return wrap(text, _WIDE, initial_indent=indent, subsequent_indent=indent)
