"""Nearby limits, each tried: which would hold, and what each costs."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from giveaway import flow
from giveaway.assessment import Assessment
from giveaway.attacks.asked import as_tuple
from giveaway.errors import BudgetExceeded, NoSafeRelease, WrongQuestion
from giveaway.model.answer.plain import exactly
from giveaway.model.answer.verdict import in_words
from giveaway.model.progress import limited, steps, tell
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.limits import LIMITS
from giveaway.model.question.need import Need
from giveaway.model.question.presets import crowd
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_EACH_WAY = 2


@dataclass(frozen=True, kw_only=True)
class Rung:
    """One limit of one kind, the others as stated: what protecting the release for it came to."""

    kind: str
    limit: Fraction
    stated: bool
    """Whether it is the limit that the owner stated."""
    planned: str
    """The verdict on the release as planned."""
    verdict: str
    """The verdict after protecting; at risk where no safe release was found, cannot judge where that stayed open."""
    withheld: str | None
    """What is withheld then, in words; None where nothing came of it."""
    kept: Mapping[str, tuple[int, int]]
    """How much is kept then of each thing that is counted, and of how much."""
    reason: str | None
    """Why nothing came of it."""
    seconds: float

    @property
    def crowd(self) -> int | None:
        """The smallest crowd that is within it, where it is a chance of finding somebody."""
        return crowd(self.limit) if LIMITS[self.kind].in_crowds else None

    def to_dict(self) -> dict[str, Any]:
        """Return this rung's part of the Summary."""
        kept = [{"name": name, "kept": some, "total": total} for name, (some, total) in self.kept.items()]
        about = exactly({"kind": self.kind, "limit": self.limit, "crowd": self.crowd, "stated": self.stated})
        return about | {
            "planned": self.planned,
            "verdict": self.verdict,
            "withheld": self.withheld,
            "kept": kept,
            "reason": self.reason,
            "how": "measured by protecting the release for it",
            "seconds": round(self.seconds, 3),
        }


def ladder(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    *,
    need: Need | Sequence[Need] | None = None,
    effort: Effort | None = None,
    **options: Mapping[str, Any],
) -> tuple[Rung, ...]:
    """Try limits near each stated one, the strictest first: protect the release for each and tell what that costs.

    Nothing is estimated and nothing is written. What the seconds of the effort do not suffice for is left open.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"], ["a"]]))
    >>> for rung in ga.ladder(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")):
    ...     print(rung.limit, rung.verdict, rung.withheld)
    1/4 safe 2 items
    1/3 safe 2 items
    1/2 safe 1 item
    """
    effort = effort or Effort()
    limits = as_tuple(tolerance)
    asked = list(dict.fromkeys(_asked(limits)))
    rungs = []
    with limited(seconds=effort.seconds), steps(len(asked)) as work:
        for place, (kind, stated, limit) in enumerate(asked, 1):
            changed = tuple(_with(one, kind, stated, limit) for one in limits)
            rung = Rung(
                kind=kind,
                limit=limit,
                stated=limit == stated,
                planned=in_words(None),
                verdict=in_words(None),
                withheld=None,
                kept={},
                reason=None,
                seconds=0,
            )
            with work.step(f"limit {place} of {len(asked)}, {kind} {limit}"):
                rungs.append(
                    _tried(
                        rung, flow.protect, release, attackers, changed, need=need, effort=effort, **options
                    )
                )
    return tuple(rungs)


def _asked(limits: Sequence[Tolerance]) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Give every limit to be tried, with its kind and the stated one that it stands for."""
    for tolerance in limits:
        for kind, row in LIMITS.items():
            stated = getattr(tolerance, kind)
            if stated is not None:
                yield from ((kind, stated, limit) for limit in row.near(stated, _EACH_WAY))


def _with(tolerance: Tolerance, kind: str, stated: Fraction, limit: Fraction) -> Tolerance:
    if getattr(tolerance, kind) != stated:
        return tolerance
    return Tolerance(**{**tolerance.stated, kind: limit})


def _tried(rung: Rung, protect: Callable[..., Assessment], *asked: Any, **how: Any) -> Rung:
    """Protect the release for one limit, and tell what came of it."""
    started = time.monotonic()
    try:
        tell("trying a limit", 0)
        safer = protect(*asked, **how)
    except NoSafeRelease as error:
        planned = error.assessment.verdict if isinstance(error.assessment, Assessment) else rung.planned
        tried = replace(rung, planned=planned, verdict=in_words(False), reason=error.reason)
    except BudgetExceeded as error:
        tried = replace(rung, reason=error.fact)
    except WrongQuestion as error:
        tried = replace(rung, reason=str(error.mistakes[0].fact))
    else:
        tried = _measured(rung, safer)
    return replace(tried, seconds=time.monotonic() - started)


def _measured(rung: Rung, safer: Assessment) -> Rung:
    before = safer.findings if safer.before is None else safer.before
    planned = replace(safer, findings=before).verdict
    if safer.safe is None:
        reasons = [reason for finding in safer.findings if finding.safe is None for reason in finding.reasons]
        return replace(rung, planned=planned, reason=" ".join(reasons))
    held = safer.withheld
    own = replace(held, cells=held.cells - safer.release.secrets)
    kept = {
        name: (value, counts[f"{name}_total"])
        for counts in safer.kept.values()
        for name, value in counts.items()
        if value is not None and counts.get(f"{name}_total") is not None
    }
    return replace(rung, planned=planned, verdict=safer.verdict, withheld=str(own), kept=kept)
