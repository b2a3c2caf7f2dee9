"""Choose the few exposures that are shown, and group those that say nearly the same."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.report.wording.phrases import is_over, learnt_text, phrases, rules_in_words, target_text
from giveaway.report.wording.tidy import Finding
from giveaway.report.wording.words import DASH, GAP, Number, counted, number, percent, unbroken

Exposure = Mapping[str, Any]

_LISTED = 100
"""How many exposures a Summary lists, unless it is asked for more."""


@dataclass(frozen=True, kw_only=True)
class ExposureLine:
    """One line of the list of exposures; `after` is None when nothing was withheld."""

    target: str
    learnt: str | None
    more: int = 0
    targets: str = ""
    because: str
    planned: str
    planned_over: bool = False
    after: str | None = None
    after_over: bool = False
    withheld: bool = False
    cut: bool = False
    """Whether there may be more of them than are listed."""

    @property
    def who(self) -> str:
        """The target, and how many more there are with the same kind of reason."""
        more = counted(self.more, f"similar {self.targets}")
        return f"{self.target} and {'at least ' if self.cut else ''}{more}" if self.more else self.target


def chosen(finding: Finding, remaining: Finding | None, *, most: int = 5) -> list[ExposureLine]:
    """Return the worst exposures, at most `most` lines, every kind of chance and of reason among them.

    `finding` is the plan; `remaining` is the finding after withholding, whose worst exposure ends the list.
    """
    limits = {kind["kind"]: number(kind, "limit") for kind in finding.get("kinds") or []}
    last = list((remaining or {}).get("exposures") or [])[:1]
    every = finding.get("exposures") or []
    groups = _various(_worst(_groups(every), finding, limits), most - len(last))
    full = len(every) >= _LISTED or len(every) < (finding.get("exposures_total") or 0)
    lines = [
        _line(
            group,
            finding,
            limits,
            protected=remaining is not None,
            cut=full and _about(group[0]) <= _about(every[-1]),
        )
        for group in groups
    ]
    shown = {(line.target, line.learnt) for line in lines}
    left = [one for one in last if (target_text(one, finding), learnt_text(one, finding)) not in shown]
    return lines + [_remaining(one, finding, limits) for one in left]


def _worst(
    groups: list[list[Exposure]], finding: Finding, limits: Mapping[str, Number | None]
) -> list[list[Exposure]]:
    """Return the groups that are over a limit, and all where none is."""

    def over(one: Exposure) -> bool:
        return is_over(finding, one["kind"], number(one, "chance"), limits.get(one["kind"]))

    return [group for group in groups if any(map(over, group))] or groups


def _reason(exposure: Exposure) -> tuple[str, ...]:
    """Return what exposures of the same kind of reason have in common: all but numbers, and the labels of the target."""
    target, value = exposure.get("target"), exposure.get("value")
    parts = (
        target.values() if isinstance(target, Mapping) else target if isinstance(target, list) else [target]
    )
    reason = str(exposure["because"])
    for text in sorted({str(part) for part in parts}, key=len, reverse=True):
        reason = reason.replace(text, "\u2026") if text else reason
    return str(exposure["kind"]), str(value), re.sub(r"[\d.,]+", "#", reason)


def _groups(exposures: Sequence[Exposure]) -> list[list[Exposure]]:
    """Put exposures together that have the same kind of reason and about the same chance."""
    groups: dict[tuple[Any, ...], list[Exposure]] = {}
    for exposure in exposures:
        groups.setdefault((*_reason(exposure), _about(exposure)), []).append(exposure)
    return list(groups.values())


def _about(exposure: Exposure) -> int:
    """Return about which chance an exposure has, in tenths."""
    return round(10 * float(number(exposure, "chance") or 0))


def _various(groups: Sequence[list[Exposure]], most: int) -> list[list[Exposure]]:
    """Choose groups of as many kinds of chance, then of reasons, as there is room for; the first of each comes first."""
    by_kind: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        by_kind.setdefault(group[0]["kind"], []).append(place)
    each = max(1, most // max(1, len(by_kind)))
    first: list[int] = []
    for places in by_kind.values():
        reasons: dict[tuple[str, ...], int] = {}
        for place in places:
            reasons.setdefault(_reason(groups[place][0]), place)
        fresh = [*reasons.values()]
        first += [*fresh, *(place for place in places if place not in fresh)][:each]
    others = [place for place in range(len(groups)) if place not in set(first)]
    shown = first[:most] + others[: max(most - len(first), 0)]
    return [groups[place] for place in sorted(shown)]


def _line(
    group: Sequence[Exposure],
    finding: Finding,
    limits: Mapping[str, Number | None],
    *,
    protected: bool,
    cut: bool,
) -> ExposureLine:
    first = group[0]
    kind, limit = str(first["kind"]), limits.get(first["kind"])
    chances = [chance for chance in (number(one, "chance") for one in group) if chance is not None]
    left = [number(one, "after") for one in group if one.get("after") != "withheld"]
    there = [chance for chance in left if chance is not None]
    return ExposureLine(
        target=target_text(first, finding),
        learnt=learnt_text(first, finding),
        more=len(group) - 1,
        cut=cut,
        targets=_noun(finding, kind),
        because=_because(first)
        if min(chances, default=0) == max(chances, default=0)
        else f"{target_text(first, finding)}: {_because(first)}",
        planned=_from_to(chances, limit),
        planned_over=any(is_over(finding, kind, chance, limit) for chance in chances),
        after=_left(there, limit, gone=len(group) - len(left)) if protected else None,
        after_over=any(is_over(finding, kind, chance, limit) for chance in there),
        withheld=not left,
    )


def _because(exposure: Exposure) -> str:
    return unbroken(rules_in_words(str(exposure["because"])))


def _from_to(chances: Sequence[Number], limit: Number | None) -> str:
    """Write the chances of a group."""
    low, high = (percent(end(chances, default=None), limit=limit, short=True) for end in (min, max))
    return low if low == high else f"{low.removesuffix(f'{GAP}%')} to {high}"


def _left(chances: Sequence[Number], limit: Number | None, *, gone: int) -> str:
    """Write what is left of a group: the worst chance, unless all of it is withheld."""
    if not chances:
        return "withheld" if gone else DASH
    worst = percent(max(chances), limit=limit, short=True)
    return worst if min(chances) == max(chances) and not gone else f"at most {worst}"


def _noun(finding: Finding, kind: str) -> str:
    """Name the targets of a kind of chance."""
    copy = phrases(finding)
    counts = (one for one in (copy.exposed, copy.exposed_too) if one is not None)
    return next((one.noun for one in counts if one.kind == kind), copy.targets)


def _remaining(exposure: Exposure, finding: Finding, limits: Mapping[str, Number | None]) -> ExposureLine:
    limit = limits.get(exposure["kind"])
    chance = number(exposure, "chance")
    whom = exposure["kind"], exposure.get("target"), exposure.get("value")
    planned = (
        one
        for one in finding.get("exposures") or []
        if (one["kind"], one.get("target"), one.get("value")) == whom
    )
    was = number(next(planned, {}), "chance")
    return ExposureLine(
        target=target_text(exposure, finding),
        learnt=learnt_text(exposure, finding),
        because=f"The worst that remains. {_because(exposure)}",
        planned=percent(was, limit=limit, short=True) if was is not None else "",
        planned_over=is_over(finding, exposure["kind"], was, limit),
        after=percent(chance, limit=limit, short=True),
        after_over=is_over(finding, exposure["kind"], chance, limit),
    )
