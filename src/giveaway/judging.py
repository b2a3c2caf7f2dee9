"""One attacker judged: on a release, and on what it shows together with earlier ones."""

from typing import Any

from giveaway.attacks.asked import Question, by_itself
from giveaway.attacks.together import View
from giveaway.attacks.wording import listed
from giveaway.errors import BudgetExceeded, NothingToJudge
from giveaway.finding import Finding, Together, named_as
from giveaway.model.answer.risk import Chance, Kind, Protection, Risk, Some, learnt
from giveaway.model.answer.verdict import judge, overall
from giveaway.model.progress import step, tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def find(
    release: Release, question: Question, effort: Effort, protection: Protection | None = None
) -> Finding:
    """Measure and judge one attacker; failure to measure is a finding too, and never a safe one."""
    risk: Risk | None = None
    safe: bool | None = None
    reasons: tuple[str, ...]
    together: tuple[Together, ...] = ()
    try:
        with step(question.called):
            tell("measuring", 0)
            risk = measured(release, question, effort)
            safe, reasons = judge(risk, question.tolerance)
            if release.earlier:
                together = tuple(
                    _judged_together(view, risk, question, effort)
                    for view in question.attack.views(release, question.attacker, question.tolerance)
                )
    except (BudgetExceeded, NothingToJudge) as error:
        safe, reasons = None, (error.fact, f"Hint: {error.hint}")
    worse = [one for one in together if not one.safe]
    return Finding(
        attack=question.attack,
        attacker=question.attacker,
        tolerance=question.tolerance,
        safe=overall([safe, *(one.safe for one in together)]),
        reasons=(*reasons, *(f"{one.view.says}: {said}" for one in worse for said in one.reasons)),
        risk=risk,
        protection=protection,
        together=together,
    )


def measured(release: Release, question: Question, effort: Effort) -> Risk:
    """Measure one attacker on a release, or say why that would be about nothing."""
    if release.withheld and release.is_empty:
        raise NothingToJudge(
            "Everything is withheld, and an empty release is not a release.", hint="withhold less."
        )
    if not question.attack.breakable(question.tolerance, release):
        raise NothingToJudge(
            f"{_limits(question.tolerance)} allows everything: nothing could be above it.",
            hint="set a limit below, as in 1/2.",
        )
    if question.attacker.knows_method and release.shows_order:
        raise NothingToJudge(
            "The rows keep their order, and a list in the same order needs no attack.",
            hint='set order = "shuffled", or knows_method = false to judge the release without it.',
        )
    attacker = by_itself(question.attacker, release)
    question.attack.vacuous(release, attacker, question.tolerance, effort)
    return question.attack.measure(release, attacker, question.tolerance, question.need, effort)


def _limits(tolerance: Tolerance) -> str:
    return listed([f"{name} = {getattr(tolerance, name)}" for name in sorted(tolerance.given - {"share"})])


def _judged_together(view: View, alone: Risk, question: Question, effort: Effort) -> Together:
    """Measure and judge one view of the release with earlier ones, next to what each gives away by itself."""
    try:
        before = None if view.before is None else _seen(view, view.before, question, effort)
        risk = _seen(view, view.release, question, effort)
    except (BudgetExceeded, NothingToJudge) as error:
        why = (error.fact, f"Hint: {error.hint}")
        return Together(view=view, safe=None, reasons=why, alone=alone, risk=None)
    safe, reasons = judge(risk, question.tolerance)
    given_away = before is not None and judge(before, question.tolerance)[0] is False
    over = over_limit(risk, question)
    named = _chances(over)
    in_now = dict(_chances(over_limit(alone, question)))
    in_earlier = dict(_chances(over_limit(before, question))) if before else {}
    adds = view.adds or any(chance > in_earlier.get(name, 0) for name, chance in named)
    if given_away and view.accepts and not adds:
        # What is out is told and no longer judged, as long as the release now adds nothing to it.
        safe = True
    only = [place for place, (name, _) in enumerate(named) if name not in in_now and name not in in_earlier]
    return Together(
        view=view,
        safe=safe,
        reasons=reasons,
        alone=alone,
        risk=risk,
        before=before,
        given_away=given_away,
        over=over,
        only_together=Some(over, only),
    )


def _seen(view: View, release: Release, question: Question, effort: Effort) -> Risk:
    if view.measured is not None:
        return view.measured(release, question.tolerance, effort)
    return question.attack.measure(release, view.attacker, question.tolerance, None, effort)


def over_limit(risk: Risk, question: Question) -> Some:
    """Return the exposures that are above their limits."""
    limits = {level.kind: level.limit for level in risk.levels}
    at_limit = question.attack.breach_at_limit

    def is_over(kind: Kind, chance: Chance) -> bool:
        limit = limits.get(kind)
        if limit is None:
            return False
        return chance > limit or (kind in at_limit and chance == limit)

    every = risk.exposures
    told = (learnt(every, place) for place in range(len(every)))
    return Some(every, [place for place, one in enumerate(told) if is_over(one[0], one[3])])


def _chances(exposures: Some) -> list[tuple[Any, Chance]]:
    """Name exposures, each with its chance."""
    told = [exposures.learnt(place) for place in range(len(exposures))]
    return [(named_as(one), one[3]) for one in told]
