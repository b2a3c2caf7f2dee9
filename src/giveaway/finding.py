"""One attacker judged, and what the attackers of an answer learn together."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from giveaway.attacks.attack import Attack
from giveaway.attacks.together import View
from giveaway.attacks.wording import named, percent
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.phrases import curves_of, why_in_words, words_of
from giveaway.model.answer.plain import exactly, plain
from giveaway.model.answer.risk import (
    Chance,
    Exposure,
    Kind,
    Listed,
    Listing,
    Protection,
    Risk,
    Some,
    Step,
    learnt,
    listed,
)
from giveaway.model.answer.risk import named as named_as
from giveaway.model.answer.rows import cut
from giveaway.model.answer.verdict import in_words
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.limits import kind_of, over_all
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_SHOWN = 10
"""How many exposures a view shows."""

UNINFORMED = "does not know how giveaway chooses"
"""What the attackers of the papers do not know."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """One view of a release together with earlier ones, judged; `risk` is None when it could not be measured."""

    view: View
    attack: Attack
    safe: bool | None
    reasons: tuple[str, ...]
    alone: Risk
    """What the release now gives away by itself."""
    risk: Risk | None
    before: Risk | None = None
    """What the earlier releases give away by themselves, where they can."""
    given_away: bool = False
    """Whether they are over a limit by themselves, which nothing that is withheld now can change."""

    @property
    def _at_limit(self) -> frozenset[Kind]:
        return self.attack.limits.breach_at(self.view.attacker)

    @cached_property
    def over(self) -> Some:
        """What is above its limit here, worst first."""
        return Some((), ()) if self.risk is None else over_limit(self.risk, self._at_limit)

    @cached_property
    def _before(self) -> dict[Any, Chance]:
        """What the earlier releases put above its limit by themselves, with its chance."""
        return {} if self.before is None else dict(_chances(over_limit(self.before, self._at_limit)))

    @cached_property
    def only_together(self) -> Some:
        """What is above its limit here, and neither in the release now nor in the earlier ones; worst first."""
        known = {name for name, _ in _chances(over_limit(self.alone, self._at_limit))} | self._before.keys()
        places = [place for place, (name, _) in enumerate(_chances(self.over)) if name not in known]
        return Some(self.over, places)

    @property
    def adds(self) -> bool:
        """Whether something above its limit is worse than the earlier releases made it, or more is shown of it.

        So it is taken to be where a limit is not one of single exposures, or where not all that are above it are listed.
        """
        risk = self.risk
        if risk is None or self.view.adds or len(self.over) < risk.over:
            return True
        if any(level.limit is not None and not kind_of(level.kind).of_targets for level in risk.levels):
            return True
        return any(chance > self._before.get(name, 0) for name, chance in _chances(self.over))

    def to_dict(self, exposures: int | None) -> dict[str, Any]:
        """Return this view's part of the Summary."""
        risk = self.risk
        summary = {
            "releases": list(self.view.releases),
            "linked": self.view.linked,
            "says": self.view.says,
            "safe": self.safe,
            "reasons": list(self.reasons),
            "already": self.before and self.before.over,
            "figures": exactly(self.view.figures),
        }
        if risk is None:
            empty = ("how", "worst", *over_all(), "share", "exposures_total", "only_together", "newcomers")
            return summary | dict.fromkeys(empty) | {"kinds": [], "worked": [], "exposures": []}
        how = replace(risk.how, method="bound") if self.view.bound else risk.how
        return (
            summary
            | exactly({"worst": risk.worst and risk.worst.worst, **risk.over_all, "share": risk.share})
            | {
                "kinds": plain(risk.levels),
                "how": plain(how),
                "worked": plain(self._worked(risk)),
                "exposures_total": risk.over,
                "only_together": len(self.only_together),
                "newcomers": self._newcomers(risk),
                "exposures": [self._exposure(one) for one in self.only_together[:exposures]],
            }
        )

    def _worked(self, risk: Risk) -> tuple[Step, ...]:
        """Return how the worst exposure comes about, where only the releases together make it."""
        only = self.only_together
        return risk.worked if len(only) and only.learnt(0) == learnt(risk.exposures, 0) else ()

    def _newcomers(self, risk: Risk) -> dict[str, int] | None:
        """Count those who are seen by difference, and those of them who are alone."""
        if self.view.linked not in ("joined", "left"):
            return None
        alone = len(listed(risk.exposures).where(lambda kind, chance: kind == "identity" and chance == 1))
        return {"people": len(self.view.release.original), "exposures_total": risk.over, "alone": alone}

    def _exposure(self, exposure: Exposure) -> dict[str, Any]:
        """Tell an exposure with the releases that make it, next to what the release now makes of it alone."""
        learnt = exposure.kind, exposure.target, exposure.value, exposure.chance
        place = listed(self.alone.exposures).place_of(learnt)
        alone = None if place is None else self.alone.exposures[place]
        text = f"{self.view.says}: {_lower(exposure.because)}"
        return exactly(
            {
                **plain(exposure),
                "because": text if alone is None else f"{text} This release alone: {_lower(alone.because)}",
                "chance": exposure.chance,
                "baseline": exposure.baseline,
                "releases": list(self.view.releases),
                "alone": alone and alone.chance,
            }
        )


def over_limit(risk: Risk, at_limit: frozenset[Kind]) -> Some:
    """Return the exposures that are above their limits, or at them where that is a breach already."""
    limits = {level.kind: level.limit for level in risk.levels}

    def is_over(kind: Kind, chance: Chance) -> bool:
        limit = limits.get(kind)
        return limit is not None and (chance > limit or (kind in at_limit and chance == limit))

    every = listed(risk.exposures)
    return Some(every, every.where(is_over))


def _chances(exposures: Some) -> list[tuple[Any, Chance]]:
    """Name exposures, each with its chance."""
    learnt = map(exposures.learnt, range(len(exposures)))
    return [(named_as(one), one[3]) for one in learnt]


def _lower(sentence: str) -> str:
    return sentence if sentence[1:2].isupper() else f"{sentence[:1].lower()}{sentence[1:]}"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Finding:
    """One attacker judged; `risk` is None when it could not be measured."""

    attack: Attack
    attacker: Attacker
    tolerance: Tolerance
    safe: bool | None
    reasons: tuple[str, ...]
    risk: Risk | None
    protection: Protection | None = None
    together: tuple[Together, ...] = ()
    """The same attacker with the earlier releases at hand; `safe` and `reasons` are of the worst."""

    @property
    def is_measured(self) -> bool:
        """Whether the attacker was measured, with the earlier releases at hand too."""
        return self.risk is not None and all(one.risk is not None for one in self.together)

    @property
    def against(self) -> str | None:
        """Whom the verdict is about, where it is not the strongest of the kind: it begins the line of the verdict."""
        if self.risk is None:
            return None
        weaker = [None if self.attacker.knows_method else UNINFORMED, self.risk.against]
        texts = [text for text in weaker if text]
        return f"somebody who {' and '.join(texts)}" if texts else None

    def __repr__(self) -> str:
        worst = (
            ""
            if self.risk is None or self.risk.worst is None
            else f", worst {_chance(self.risk.worst.worst)}"
        )
        return f"<Finding: {self.attack.name} knows {self.attacker.knows()}: {in_words(self.safe)}{worst}>"

    def _repr_html_(self) -> str:
        from giveaway.report.html import notebook

        return notebook.finding(self.to_dict(exposures=_SHOWN, lists=False))

    def limits(self) -> dict[str, Any]:
        """Return the limits that were judged, and no others, with the preset that they come from."""
        origin = self.tolerance.origin
        judged = exactly(dict(sorted(self.tolerance.stated.items())))
        return judged if origin is None else judged | {"preset": origin.to_dict()}

    def to_dict(
        self, *, exposures: int | None, lists: bool = True, after: Release | None = None
    ) -> dict[str, Any]:
        """Return this finding's part of the Summary; `after` is the release that its exposures are followed to."""
        return self.headline() | self.details(exposures=exposures, lists=lists, after=after)

    def details(
        self,
        *,
        exposures: int | None,
        lists: bool = True,
        after: Release | None = None,
        only: Collection[str] | None = None,
    ) -> dict[str, Any]:
        """Return what a report shows beyond the lines of the verdict, or of its parts `only` some.

        What the time allowed does not suffice for is left out and named under `not_computed`: the verdict does not need it.
        """
        late: list[str] = []
        parts = {} if self.risk is None else self._parts(self.risk, exposures, after, lists=lists)
        shown = {
            name: _in_time(late, name, work, instead)
            for name, (work, instead) in parts.items()
            if only is None or name in only
        }
        return (shown if parts else _unmeasured()) | {"not_computed": late} | self._method()

    def _method(self) -> dict[str, Any]:
        """Say what the method is about, and in which words."""
        says = self.attack.says
        return {
            "limits": list(map(nouns().told, says.uncovered(self.attacker, self.tolerance))),
            "missing": nouns().told(says.missing),
            "assumes": list(map(nouns().told, says.assumed(self.attacker, self.tolerance))),
            "paper": says.paper,
            "words": words_of(says.of(self.attacker)),
        }

    def headline(self) -> dict[str, Any]:
        """Return what the lines of the verdict need of the Summary; nothing that only a report shows is worked out."""
        risk, extra = self.risk, self.protection
        about = {
            "attack": self.attack.name,
            "attacker": plain(self.attacker),
            "knows": self.attacker.knows(),
            "knows_briefly": self.attacker.knows_briefly(),
            "knows_publicly": self.attacker.knows_publicly(),
            "tolerance": self.limits(),
            "remarks": list(self.tolerance.remarks),
            "safe": self.safe,
            "reasons": list(self.reasons),
            "against": self.against,
            "warning": self.risk and self.risk.warning,
            "breach_at_limit": sorted(self.attack.limits.breach_at(self.attacker)),
        }
        if risk is None:
            return about | dict.fromkeys(("worst", *over_all(), "share", "baseline", "how")) | {"kinds": []}
        worst = risk.worst
        numbers = exactly(
            {
                "worst": worst and worst.worst,
                **risk.over_all,
                "share": risk.share,
                "baseline": worst and worst.baseline,
            }
        )
        detail = f"{risk.how.detail} {extra.detail if extra else ''}".strip()
        return about | numbers | {"kinds": plain(risk.levels), "how": plain(replace(risk.how, detail=detail))}

    def _decision(self, risk: Risk) -> Any:
        """Return the question to ask next: it is of this release alone, and stands only where it is judged alone."""
        return plain(risk.decision) if self.safe is False and not self.together else None

    def _recipe(self, risk: Risk) -> list[str]:
        """Return the steps of the paper, without the question to ask where it does not stand."""
        asks = risk.decision.says if risk.decision is not None and self.together else None
        return [step for step in risk.recipe if step != asks]

    def _parts(
        self, risk: Risk, listed: int | None, after: Release | None, *, lists: bool
    ) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
        """Return how each part is worked out, and what takes its place where there is no time for it."""
        extra = self.protection
        phrases = self.attack.says.of(self.attacker)
        figures, curves, ledger, named = (
            (extra.figures, extra.curves, extra.ledger, extra.lists) if extra else ({}, (), (), {})
        )
        worded: list[dict[str, Any]] = []

        def exposures() -> list[dict[str, Any]]:
            for exposure in risk.exposures if listed is None else risk.exposures[:listed]:
                worded.append(self._exposure(exposure, after))  # noqa: PERF401 # those made in time are kept
            return worded

        return {
            "figures": (
                lambda: exactly(cut(risk.figures, listed)) | exactly(figures),
                lambda: exactly(figures),
            ),
            "holds_up_to": (lambda: plain(risk.holds_up_to), _nothing),
            "curves": (
                lambda: curves_of((*risk.curves, *curves), phrases),
                lambda: curves_of(curves, phrases),
            ),
            "worked": (lambda: plain(risk.worked), list),
            "recipe": (lambda: self._recipe(risk), list),
            "decision": (lambda: self._decision(risk), _nothing),
            "exposures_total": (lambda: risk.over, _nothing),
            "exposures": (exposures, lambda: worded),
            "kept": (lambda: dict(risk.kept), dict),
            "ledger": (
                lambda: [plain(line) | {"why_says": why_in_words(phrases, line.why)} for line in ledger],
                list,
            ),
            "together": (lambda: [one.to_dict(listed) for one in self.together], list),
            "lists": (
                lambda: _cut({**risk.lists, **named}, listed) if lists else {},
                lambda: _cut(named, listed) if lists else {},
            ),
        }

    def _exposure(self, exposure: Exposure, after: Release | None) -> dict[str, Any]:
        later = {} if after is None else {"after": self.attack.does().after(exposure, after)}
        return exactly({**plain(exposure), "chance": exposure.chance, "baseline": exposure.baseline, **later})


def _in_time(late: list[str], name: str, work: Callable[[], Any], instead: Callable[[], Any]) -> Any:
    """Return what some work comes to; where it would cost more than allowed, note its name and return something else."""
    try:
        return work()
    except BudgetExceeded:
        late.append(name)
        return instead()


def _nothing() -> None:
    """Take the place of what is not computed."""


def _unmeasured() -> dict[str, Any]:
    """Return what a report shows of an attacker who could not be measured."""
    return {
        "curves": [],
        "worked": [],
        "recipe": [],
        "decision": None,
        "exposures_total": None,
        "exposures": [],
        "holds_up_to": None,
        "figures": {},
        "kept": {},
        "ledger": [],
        "together": [],
        "lists": {},
    }


def _cut(lists: Mapping[str, Listing], listed: int | None) -> dict[str, Any]:
    """Return what figures count, one by one, at most so many of each."""
    return {name: plain(replace(one, rows=one.rows[:listed])) for name, one in lists.items()}


def _chance(value: Any) -> str:
    """Write a chance in a short form; losses may be above 1."""
    return percent(value) if 0 <= value <= 1 else f"{float(value):.4g}"


class Exposures(Listed):
    """The exposures of all attackers, those of each worst first; made into a frame on request."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._parts = [finding.risk.exposures for finding in findings if finding.risk is not None]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Exposure]:
        for part in self._parts:
            yield from part

    def at(self, place: int) -> Exposure:
        """Return the exposure at a place."""
        for part in self._parts:
            if place < len(part):
                return part[place]
            place -= len(part)
        raise IndexError(place)

    def __repr__(self) -> str:
        if not len(self):
            return "<Exposures: none>"
        first = self.at(0)
        target: Any = tuple(first.target.values()) if isinstance(first.target, Mapping) else first.target
        who = " + ".join(named(part) for part in (target if isinstance(target, tuple) else (target,)))
        return f"<Exposures: {len(self):,}, the first {_chance(first.chance)} for {who}>"

    def _repr_html_(self) -> str:
        from giveaway.report.html import notebook

        return notebook.exposures([exactly(plain(one)) for one in self[:_SHOWN]], len(self))

    def _records(self) -> list[dict[str, Any]]:
        return [plain(exposure) for exposure in self]

    def to_pandas(self) -> Any:
        """Return the exposures as a pandas frame."""
        from giveaway.sources import frame_of

        return frame_of(self._records(), "pandas")

    def to_polars(self) -> Any:
        """Return the exposures as a polars frame."""
        from giveaway.sources import frame_of

        return frame_of(self._records(), "polars")
