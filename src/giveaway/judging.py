"""One attacker judged: on a release, and on what it shows together with earlier ones."""

from dataclasses import replace

from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import Question, by_itself
from giveaway.attacks.together import View, not_judged, with_files_of
from giveaway.attacks.wording import listed
from giveaway.errors import BudgetExceeded, NothingToJudge
from giveaway.finding import Finding, Together
from giveaway.model.answer.risk import Protection, Risk
from giveaway.model.answer.verdict import judge, overall
from giveaway.model.data.table import Table
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
            together = tuple(
                _judged_together(view, risk, question, effort) for view in _views(release, question)
            )
    except (BudgetExceeded, NothingToJudge) as error:
        safe, reasons = None, (error.fact, f"Hint: {error.hint}")
    worse = [one for one in together if not one.safe]
    return Finding(
        attack=question.attack,
        attacker=question.attacker,
        tolerance=question.tolerance,
        safe=overall([safe, *(one.safe for one in together)]),
        reasons=(*reasons, *(f"{one.view.says}: {reason}" for one in worse for reason in one.reasons)),
        risk=risk,
        protection=protection,
        together=together,
    )


def _views(release: Release, question: Question) -> tuple[View, ...]:
    """Return how the release is looked at together with earlier ones; where that is not judged, a view that says so."""
    if not release.earlier:
        return ()
    try:
        return question.attack.does().views(release, question.attacker, question.tolerance)
    except NothingToJudge as why:
        names = [one.name for one in release.earlier]
        return (not_judged(release, question.attacker, names, "rows", with_files_of(names), why),)


def measured(release: Release, question: Question, effort: Effort) -> Risk:
    """Measure one attacker on a release, or say why that would be about nothing."""
    if release.withheld and release.is_empty:
        raise NothingToJudge(
            "Everything is withheld, and an empty release is not a release.", hint="withhold less."
        )
    if not question.attack.limits.breakable(question.tolerance, release, question.attacker):
        raise NothingToJudge(
            f"{_limits(question.tolerance)} allows everything: nothing could be above it.",
            hint="set a limit below, as in 1/2.",
        )
    if question.attacker.knows_method and release.shows_order:
        raise NothingToJudge(
            "The rows keep their order, and a list in the same order needs no attack.",
            hint='set order = "shuffled", or knows_method = false to judge the release without it.',
        )
    columns = _compared_and_inferred(release)
    if question.attacker.knows_method and columns:
        raise NothingToJudge(
            f"Entries of {listed(columns)} are hidden, which one attacker compares and another infers, and what hiding them for "
            "one tells the other is not known.",
            hint="ask about one of them, or leave the column out of what is compared.",
        )
    attacker = by_itself(question.attacker, release)
    question.attack.does().vacuous(release, attacker, question.tolerance, effort)
    risk = question.attack.does().measure(release, attacker, question.tolerance, question.need, effort)
    return _speaking(risk, release)


def _compared_and_inferred(release: Release) -> list[str]:
    """Return the sensitive columns with hidden entries that decide for one attacker, and are decided about for another."""
    table, asked = release.original, [(ATTACKS[one.attack], one, limits) for one, limits in release.beside]
    if not isinstance(table, Table):
        return []
    compared = {
        name for attack, one, _ in asked if attack.limits.blind is not None for name in one.looks_at(table)
    }
    inferred = {
        name
        for attack, one, limits in asked
        for name in table.sensitive
        if attack.limits.blind is None
        or (
            one.knows_method
            and limits.given - attack.limits.blind - {"share"}
            and name not in one.looks_at(table)
        )
    }
    hidden = {*release.hidden.columns, *release.coarser.columns}
    return [name for name in table.sensitive if name in compared & inferred & hidden]


def _speaking(risk: Risk, release: Release) -> Risk:
    """Let what is worked out of a risk later be told in the words of its release."""
    return replace(risk, nouns=release.words) if release.words.to_dict() else risk


def _limits(tolerance: Tolerance) -> str:
    return listed(
        [f"{name} = {limit}" for name, limit in sorted(tolerance.stated.items()) if name != "share"]
    )


def _judged_together(view: View, alone: Risk, question: Question, effort: Effort) -> Together:
    """Measure and judge one view of the release with earlier ones, next to what each gives away by itself."""
    try:
        before = (
            None if view.before is None else seen(view, view.before, question, question.tolerance, effort)
        )
        risk = seen(view, view.release, question, question.tolerance, effort)
    except (BudgetExceeded, NothingToJudge) as error:
        why = (error.fact, f"Hint: {error.hint}")
        return Together(view=view, attack=question.attack, safe=None, reasons=why, alone=alone, risk=None)
    safe, reasons = judge(risk, question.tolerance)
    both = Together(
        view=view,
        attack=question.attack,
        safe=safe,
        reasons=reasons,
        alone=alone,
        risk=risk,
        before=before,
        given_away=before is not None and judge(before, question.tolerance)[0] is False,
    )
    # What is out is told and no longer judged where that is accepted, as long as the release now adds nothing to it.
    return replace(both, safe=True) if both.given_away and view.accepts and not both.adds else both


def seen(view: View, release: Release, question: Question, tolerance: Tolerance, effort: Effort) -> Risk:
    """Measure one view of releases together, or what it was before the last of them, within some limits."""
    if view.measured is not None:
        return _speaking(view.measured(release, tolerance, effort), release)
    return _speaking(question.attack.does().measure(release, view.attacker, tolerance, None, effort), release)
