"""Chart data of the attack `frequencies`: chances of items, and more items believed correctly."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from giveaway.attacks.frequencies.chances import LimitLine
from giveaway.attacks.frequencies.question import FrequenciesQuestion, ItemQuestion
from giveaway.attacks.frequencies.reporting.breaking_point import Breaking, expected_at
from giveaway.attacks.frequencies.reporting.sentences import counted, percent
from giveaway.attacks.wording import exact_percent
from giveaway.model.answer.bins import binned
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Curve, Mark

POINTS = 50
PAIR_POINTS = 25

_ROUNDING = 1e-9


def histogram(
    chances: Sequence[Chance], many: Sequence[int], line: LimitLine | None
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Count chances in bins of 5 %, parted at the limit; floats are given the benefit of rounding."""
    at = line is not None and line.at
    rounding = 1 / (1 - _ROUNDING) if at else 1 - _ROUNDING
    near = (chance if isinstance(chance, Fraction) else chance * rounding for chance in chances)
    return binned(zip(near, many, strict=True), None if line is None else line.limit, breach_at_limit=at)


def chances(question: FrequenciesQuestion) -> Curve:
    """Count the items of interest by the chance that they are cracked."""
    solved, limit = question.seen.chances, question.tolerance.identity
    kinds, many = np.unique(solved.kind_of[question.in_question], return_counts=True)
    ends, per_bin = histogram(
        [solved.by_kind[kind] for kind in kinds.tolist()],
        many.tolist(),
        None if limit is None else question.line,
    )
    average = question.tolerance.average
    share = float(question.expected) / max(question.targets, 1)
    over = int(question.vulnerable[question.in_question].sum())
    items = counted(len(question.in_question), question.seen.nouns[1], question.seen.nouns[0])
    says = (
        f"{over:,} of {items} {question.line.verb} the limit of {exact_percent(limit)}."
        if limit is not None
        else f"Of {items}, {percent(share)} are expected to be recognised."
    )
    marks = () if average is None else (Mark(x=share, label=f"average {percent(share)}"),)
    return Curve(
        name="chances",
        x_label=f"chance that the {question.seen.nouns[0]} is recognised",
        y_label=question.seen.nouns[1],
        x=ends,
        y=per_bin,
        says=says,
        limit=None
        if limit is None and average is None
        else float(limit if limit is not None else average or 0),
        marks=marks,
    )


def strength(question: FrequenciesQuestion, breaks: Breaking) -> tuple[Curve, ...]:
    """Show what is lost as more items are believed correctly, with the worst and the best choice of items next to it."""
    seen, along, many = question.seen, expected_at(question), question.seen.nouns[1]
    right = int(seen.taken_as_right.sum())
    most = right / max(seen.number, 1)
    stated = float(seen.stated)
    x = np.unique([*(step / POINTS for step in range(POINTS + 1) if step < POINTS * most), stated, most])
    # As in the verdict, a part of an item is a whole one; the band goes from none of it to all of it.
    steps = np.round(x * seen.number, 6)
    fewer, items = np.floor(steps).astype(np.int64), np.ceil(steps).astype(np.int64)
    worst, best = along("worst"), along("best")
    # Items that are believed wrongly are never cracked: the worst order has them last, the best leaves them out.
    best = best[seen.number - right :] - best[seen.number - right]
    lines = {
        "random": x * seen.number / max(right, 1) * worst[-1],
        "worst": worst[items],
        "best": best[items],
        "least": best[fewer],
    }
    by_average = question.tolerance.average is not None
    y_label = "expected share recognised" if by_average else f"share of {many} at the limit"
    limit = question.tolerance.average if by_average else question.tolerance.share
    order = question.order
    if order == "frequency":
        lines[order] = along(order)[items]

    def drawn(name: str, y: np.ndarray, says: str, *, main: bool = False) -> Curve:
        return Curve(
            name=name,
            x_label=f"{many} the attacker is right about",
            y_label=y_label,
            x=tuple(x.tolist()),
            y=tuple(y.tolist()),
            says=says,
            limit=None if limit is None else float(limit),
            marks=_marks(question, breaks) if main else (),
            band=(tuple(lines["least"].tolist()), tuple(lines["worst"].tolist())) if main else None,
            beside=None if main else "strength",
        )

    words = {
        "random": "drawn at random",
        "worst": "the most exposed first",
        "best": "the least exposed first",
        "frequency": "the least frequent first",
    }[order]
    at_worst = (
        ""
        if breaks.worst == breaks.stated
        else f"; with the worst choice it holds up to {percent(breaks.worst)}"
    )
    says = (
        f"The limit holds while the attacker is right about up to {percent(breaks.stated)} of the {many}, {words}. The band runs "
        f"from the best to the worst choice of {many}{at_worst}."
    )
    return (
        drawn("strength", lines[order], says, main=True),
        drawn("worst", lines["worst"], f"The most exposed {many} are believed correctly first."),
        drawn("best", lines["best"], f"The least exposed {many} are believed correctly first."),
    )


def adjusted(question: ItemQuestion) -> tuple[Curve, ...]:
    """Show the O-estimate as more of the most frequent pairs are known, next to that without pairs (Figure 26)."""
    seen, stated = question.seen, question.seen.attacker.known_pairs
    plain = seen.estimated(seen.interesting, propagate=True)
    if stated is None or stated.top is None or plain is None:
        return ()
    numbers = sorted({max(1, round(stated.top * step / PAIR_POINTS)) for step in range(1, PAIR_POINTS + 1)})
    values = [(number, seen.adjusted_by(seen.interesting, number)) for number in numbers]
    points = [(number, float(value)) for number, value in values if value is not None]
    if not points:
        return ()
    among = (
        "the same number of most frequent pairs of codes"
        if stated.candidates is None and stated.candidates_at_least is None
        else "the candidates stated"
    )

    def curve(name: str, y: Sequence[float], says: str, beside: str | None = None) -> Curve:
        return Curve(
            name=name,
            x_label="pairs known, the most frequent ones",
            y_label=f"{nouns().items} by the O-estimate",
            x=tuple(float(number) for number, _ in points),
            y=tuple(y),
            says=says,
            beside=beside,
        )

    return (
        curve("known_pairs", [value for _, value in points], f"Each known pair is among {among}."),
        curve("no_pairs", [float(plain)] * len(points), "", "known_pairs"),
    )


def _marks(question: FrequenciesQuestion, breaks: Breaking) -> tuple[Mark, ...]:
    marks = [Mark(x=float(breaks.stated), label=f"holds up to {percent(breaks.stated)}")]
    if question.seen.stated < 1:
        marks.append(Mark(x=float(question.seen.stated), label="stated"))
    return tuple(marks)
