"""Choose the few exposures that are shown, and group those that say the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.report.wording.phrases import is_over, learnt_text, phrases, target_text
from giveaway.report.wording.words import DASH, Number, counted, number, percent

Finding = Mapping[str, Any]
Exposure = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the list of exposures; `after` is None when nothing was withheld."""

    target: str
    learnt: str | None
    more: int
    targets: str
    because: str
    planned: str
    planned_over: bool
    after: str | None
    after_over: bool
    withheld: bool

    @property
    def who(self) -> str:
        """The target, and how many more there are with the same reason."""
        more = counted(self.more, f"more {self.targets}")
        return f"{self.target} and {more}" if self.more else self.target


def chosen(finding: Finding, remaining: Finding | None, *, most: int = 5) -> list[Line]:
    """Return the worst exposures, at most `most` lines, every kind of chance among them.

    `finding` is the plan; `remaining` is the finding after withholding, whose worst exposure ends the list.
    """
    limits = {kind["kind"]: number(kind, "limit") for kind in finding.get("kinds") or []}
    last = list((remaining or {}).get("exposures") or [])[:1]
    groups = _of_every_kind(_groups(finding.get("exposures") or []), most - len(last))
    lines = [_line(group, finding, limits, protected=remaining is not None) for group in groups]
    shown = {(line.target, line.learnt) for line in lines}
    left = [one for one in last if (target_text(one), learnt_text(one, finding)) not in shown]
    return lines + [_remaining(one, finding, limits) for one in left]


def _groups(exposures: Sequence[Exposure]) -> list[list[Exposure]]:
    found: dict[tuple[Any, ...], list[Exposure]] = {}
    for exposure in exposures:
        value = exposure.get("value")
        key = (
            exposure["kind"],
            exposure["because"],
            exposure.get("chance"),
            str(value),
            str(exposure.get("after")),
        )
        found.setdefault(key, []).append(exposure)
    return list(found.values())


def _of_every_kind(groups: Sequence[list[Exposure]], most: int) -> list[list[Exposure]]:
    by_kind: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        by_kind.setdefault(group[0]["kind"], []).append(place)
    each = max(1, most // max(1, len(by_kind)))
    first = [place for places in by_kind.values() for place in places[:each]][:most]
    others = [place for place in range(len(groups)) if place not in set(first)]
    return [groups[place] for place in sorted(first + others[: most - len(first)])]


def _line(
    group: Sequence[Exposure], finding: Finding, limits: Mapping[str, Number | None], *, protected: bool
) -> Line:
    first = group[0]
    limit = limits.get(first["kind"])
    chance = number(first, "chance")
    after = first.get("after")
    left = None if after == "withheld" else number(first, "after")
    gone = after == "withheld"
    return Line(
        target=target_text(first),
        learnt=learnt_text(first, finding),
        more=len(group) - 1,
        targets=_noun(finding, first["kind"]),
        because=str(first["because"]),
        planned=percent(chance, limit=limit, short=True),
        planned_over=is_over(finding, first["kind"], chance, limit),
        after=("withheld" if gone else percent(left, limit=limit, short=True)) if protected else None,
        after_over=is_over(finding, first["kind"], left, limit),
        withheld=gone,
    )


def _noun(finding: Finding, kind: str) -> str:
    """Name the targets of a kind of chance."""
    copy = phrases(finding)
    counts = (one for one in (copy.exposed, copy.exposed_too) if one is not None)
    return next((one.noun for one in counts if one.kind == kind), copy.targets)


def _remaining(exposure: Exposure, finding: Finding, limits: Mapping[str, Number | None]) -> Line:
    limit = limits.get(exposure["kind"])
    chance = number(exposure, "chance")
    return Line(
        target=target_text(exposure),
        learnt=learnt_text(exposure, finding),
        more=0,
        targets="",
        because=f"The worst that remains: {exposure['because']}",
        planned=DASH,
        planned_over=False,
        after=percent(chance, limit=limit, short=True),
        after_over=is_over(finding, exposure["kind"], chance, limit),
        withheld=False,
    )
