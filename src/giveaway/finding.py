"""One attacker judged, and what the attackers of an answer learn together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from giveaway.attacks.attack import Attack
from giveaway.attacks.wording import named, percent
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.phrases import curves_of, words_of
from giveaway.model.answer.plain import exactly, plain
from giveaway.model.answer.risk import Curve, Exposure, Listed, Listing, Protection, Risk
from giveaway.model.answer.rows import cut
from giveaway.model.answer.verdict import in_words
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

T = TypeVar("T")
U = TypeVar("U")

_SHOWN = 10
"""How many exposures a view shows."""

UNINFORMED = "does not know how giveaway chooses"
"""What the attackers of the papers do not know."""


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

    @property
    def against(self) -> str | None:
        """Whom the verdict is about, where it is not the strongest of the kind: it begins the line of the verdict."""
        if self.risk is None:
            return None
        weaker = [None if self.attacker.knows_method else UNINFORMED, self.risk.against]
        said = [text for text in weaker if text]
        return f"somebody who {' and '.join(said)}" if said else None

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
        judged = exactly({name: getattr(self.tolerance, name) for name in sorted(self.tolerance.given)})
        return judged if origin is None else judged | {"preset": origin.to_dict()}

    def to_dict(
        self, *, exposures: int | None, lists: bool = True, after: Release | None = None
    ) -> dict[str, Any]:
        """Return this finding's part of the Summary; `after` is the release that its exposures are followed to."""
        return self.headline() | self.details(exposures=exposures, lists=lists, after=after)

    def details(
        self, *, exposures: int | None, lists: bool = True, after: Release | None = None
    ) -> dict[str, Any]:
        """Return what a report shows beyond the lines of the verdict.

        What the time allowed does not suffice for is left out and named under `not_computed`: the verdict does not need it.
        """
        method = {
            "limits": list(self.attack.uncovered(self.attacker, self.tolerance)),
            "missing": self.attack.missing,
            "assumes": list(self.attack.assumed(self.attacker, self.tolerance)),
            "paper": self.attack.paper,
            "words": words_of(self.attack.says(self.attacker)),
        }
        late: list[str] = []
        found = self._details(exposures, after, late)
        listed = {"lists": self._lists(exposures, late) if lists else {}}
        return found | listed | {"not_computed": late} | method

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
            "breach_at_limit": sorted(self.attack.breach_at_limit),
        }
        if risk is None:
            return about | dict.fromkeys(("worst", "average", "share", "baseline", "how")) | {"kinds": []}
        worst = risk.worst
        numbers = exactly(
            {
                "worst": worst and worst.worst,
                "average": risk.average,
                "share": risk.share,
                "baseline": worst and worst.baseline,
            }
        )
        detail = f"{risk.how.detail} {extra.detail if extra else ''}".strip()
        return about | numbers | {"kinds": plain(risk.levels), "how": plain(replace(risk.how, detail=detail))}

    def _details(self, listed: int | None, after: Release | None, late: list[str]) -> dict[str, Any]:
        risk, extra = self.risk, self.protection
        if risk is None:
            empty: dict[str, Any] = {
                "curves": [],
                "worked": [],
                "recipe": [],
                "exposures_total": None,
                "exposures": [],
            }
            return empty | {"holds_up_to": None, "figures": {}, "kept": {}, "ledger": []}
        figures: Mapping[str, Any] = _in_time(late, "figures", lambda: risk.figures, {})
        curves: tuple[Curve, ...] = _in_time(late, "curves", lambda: risk.curves, ())
        return {
            "figures": exactly(cut(figures, listed)) | exactly(extra.figures if extra else {}),
            "holds_up_to": plain(_in_time(late, "holds_up_to", lambda: risk.holds_up_to, None)),
            "curves": curves_of((*curves, *(extra.curves if extra else ())), self.attack.says(self.attacker)),
            "worked": plain(_in_time(late, "worked", lambda: risk.worked, ())),
            "recipe": list(_in_time(late, "recipe", lambda: risk.recipe, ())),
            "exposures_total": _in_time(late, "exposures_total", lambda: risk.over, None),
            "exposures": self._exposures(risk, listed, after, late),
            "kept": dict(_in_time(late, "kept", lambda: risk.kept, {})),
            "ledger": plain(extra.ledger if extra else ()),
        }

    def _exposures(
        self, risk: Risk, listed: int | None, after: Release | None, late: list[str]
    ) -> list[dict[str, Any]]:
        """Return the worst exposures, as many as the time suffices for."""
        made: list[dict[str, Any]] = []

        def make() -> None:
            for exposure in risk.exposures if listed is None else risk.exposures[:listed]:
                made.append(self._exposure(exposure, after))  # noqa: PERF401 - those made in time are kept

        _in_time(late, "exposures", make, None)
        return made

    def _lists(self, listed: int | None, late: list[str]) -> dict[str, Any]:
        """Return what figures count, one by one, at most so many of each."""
        risk, extra = self.risk, self.protection
        of_risk: Mapping[str, Listing] = _in_time(late, "lists", lambda: risk.lists if risk else {}, {})
        found = {**of_risk, **(extra.lists if extra else {})}
        return {name: plain(replace(one, rows=one.rows[:listed])) for name, one in found.items()}

    def _exposure(self, exposure: Exposure, after: Release | None) -> dict[str, Any]:
        later = {} if after is None else {"after": self.attack.after(exposure, after)}
        return exactly({**plain(exposure), "chance": exposure.chance, "baseline": exposure.baseline, **later})


def _in_time(late: list[str], name: str, work: Callable[[], T], instead: U) -> T | U:
    """Return what some work comes to; where it would cost more than allowed, note its name and return something else."""
    try:
        return work()
    except BudgetExceeded:
        late.append(name)
        return instead


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
