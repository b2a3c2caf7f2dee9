"""The one path: measure what attackers learn from a release, judge it, withhold until it is within tolerance.

    assess          measure every attacker, judge each against its tolerance
    protect         assess; withhold for one attacker after the other; measure again, until all are within tolerance
    breaking_point  the greatest strength of an attacker that is still within tolerance

A protector is never believed: what `protect` returns was measured again on the release as it ended up.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from giveaway import publish
from giveaway.assessment import Assessment
from giveaway.attacks.asked import (
    Question,
    as_published,
    as_tuple,
    by_itself,
    check_release,
    deciding,
    in_turn,
    questions,
)
from giveaway.attacks.wording import counted, listed
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.finding import Finding
from giveaway.judging import find, measured
from giveaway.model.answer.nouns import Nouns, speaking_of
from giveaway.model.answer.risk import HoldsUpTo, Protection
from giveaway.model.data.table import Table
from giveaway.model.progress import is_watched, limited, step, steps, watched
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.fields import check_word
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.as_before import Prefer, as_before
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.lot import Lot, digest
from giveaway.model.release.release import Release


def assess(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    *,
    need: Need | Sequence[Need] | None = None,
    effort: Effort | None = None,
    earlier: Earlier | Sequence[Earlier] | None = None,
) -> Assessment:
    """Measure what each attacker learns from a release and judge it.

    `tolerance` is one for all attackers or one for each. With `earlier`, releases that were given away before, each
    attacker is judged with them at hand too, and the worse verdict stands. An attacker that cannot be measured does not stop
    the others, but rules out the verdict safe.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]]))
    >>> ga.assess(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2")).verdict
    'at risk'
    """
    effort, needs = effort or Effort(), as_tuple(need)
    with watching(effort), limited(seconds=effort.seconds), speaking_of(_words(release)):
        release, asked = _asked(_after(release, earlier), attackers, tolerance, needs, {})
        return _assessed(release, asked, needs, effort)


def protect(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    *,
    need: Need | Sequence[Need] | None = None,
    effort: Effort | None = None,
    key: str | Path | Sequence[Path] | None = None,
    earlier: Earlier | Sequence[Earlier] | None = None,
    prefer: Prefer = "least",
    **options: Mapping[str, Any],
) -> Assessment:
    """Withhold as little as can be found until every attacker is within tolerance.

    Options of a protector are given under the name of its attack, as in `items={"score": "paper"}`. Raises
    `NoSafeRelease` when there is none or none was found. What `earlier` releases gave away cannot be withheld any more: so
    much is withheld now that nobody learns too much from all of them together; with `prefer="as before"` what they withheld
    is withheld again first. Whose entries are withheld may be drawn by lot. The first draw is the answer, also where it is a
    refusal: the same release is drawn once, and `key`, the owner's file, keeps the lot for the same data. When an attacker cannot be measured, nothing is withheld
    and the assessment says so.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]]))
    >>> safer = ga.protect(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    >>> safer.verdict, safer.withheld.items
    ('safe', ('c',))
    """
    effort, needs = effort or Effort(), as_tuple(need)
    started = time.monotonic()
    with watching(effort), limited(seconds=effort.seconds), speaking_of(_words(release)), steps(2) as work:
        release, asked = _asked(_after(release, earlier), attackers, tolerance, needs, options)
        lot, effort, drawing = drawn_once([release], key, effort, asked, prefer)
        release = replace(release, lot=lot)
        with work.step():
            planned = _assessed(release, asked, needs, effort)
        if not all(finding.is_measured for finding in planned.findings):
            return planned
        try:
            _require_not_given_away(planned.findings)
            with work.step(), steps(2 * len(asked)), drawing:
                start, findings = _started(release, asked, planned.findings, effort, prefer)
                release, findings = _rounds(start, asked, findings, effort)
        except NoSafeRelease as error:
            error.assessment = _explained(planned, error, asked)
            raise
    return replace(
        planned,
        release=release,
        findings=findings,
        before=planned.findings,
        seconds=time.monotonic() - started,
    )


def breaking_point(
    release: Release, attacker: Attacker, tolerance: Tolerance, *, effort: Effort | None = None
) -> HoldsUpTo:
    """Find the greatest strength of an attacker that is still within tolerance.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"], ["b"]]))
    >>> ga.breaking_point(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")).value
    1
    """
    effort = effort or Effort()
    with limited(seconds=effort.seconds), speaking_of(_words(release)):
        release, (question,) = _asked(release, attacker, tolerance, (), {})
        return measured(release, question, effort).holds_up_to


@contextmanager
def watching(effort: Effort) -> Iterator[None]:
    """Show progress where the effort says so, unless somebody watches already."""
    if callable(effort.progress):
        with watched(effort.progress):
            yield
        return
    if effort.progress is False or is_watched():
        yield
        return
    from giveaway.report.terminal.progress import shown

    with shown(effort.progress):
        yield


def _words(release: object) -> Nouns | None:
    return release.words if isinstance(release, Release) else None


def _after(release: Release, earlier: Earlier | Sequence[Earlier] | None) -> Release:
    """Return the release that comes after some others."""
    check_release(release)
    more = as_tuple(earlier)
    other = next((one for one in more if not isinstance(one, Earlier)), None)
    if other is not None:
        raise ScenarioError(
            f"A {type(other).__name__} is not an earlier release.",
            hint='for example ga.Earlier(release, name="2025").',
            field="earlier",
        )
    return replace(release, earlier=(*release.earlier, *more)) if more else release


def _asked(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
) -> tuple[Release, tuple[Question, ...]]:
    """Check what is asked, once, and return it with the release in the form that it is asked about."""
    asked = questions(release, attackers, tolerance, needs, options)
    release = as_published(release, asked, needs)
    now = tuple((question.attacker, question.tolerance) for question in asked)
    before = (one for one in release.beside if release.withheld and one not in now)
    release = replace(release, beside=(*before, *now))
    names = [one.name for one in release.earlier]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ScenarioError(
            f"Two earlier releases are called {twice!r}.", hint="give each a name of its own.", field="name"
        )
    for one in release.earlier:
        one.check(release)
    return release, asked


def _assessed(
    release: Release, asked: Sequence[Question], needs: tuple[Need, ...], effort: Effort
) -> Assessment:
    """Measure and judge the attackers one after the other."""
    started = time.monotonic()
    with steps(len(asked)):
        findings = tuple(find(release, question, effort) for question in asked)
    return Assessment(
        release=release, findings=findings, effort=effort, needs=needs, seconds=time.monotonic() - started
    )


def _started(
    release: Release,
    asked: Sequence[Question],
    findings: tuple[Finding, ...],
    effort: Effort,
    prefer: Prefer,
) -> tuple[Release, tuple[Finding, ...]]:
    """Return the release from which more is withheld: as planned, or with what earlier releases withheld withheld again."""
    check_word("prefer", prefer, get_args(Prefer))
    start = release if prefer == "least" else as_before(release)
    if start.withheld == release.withheld:
        return release, findings
    return start, tuple(find(start, question, effort) for question in asked)


def _rounds(
    release: Release, asked: Sequence[Question], findings: tuple[Finding, ...], effort: Effort
) -> tuple[Release, tuple[Finding, ...]]:
    """Withhold for each attacker in turn until all are within tolerance.

    Protecting against one attacker can make another stronger, so all are measured again after each round; every
    round withholds more than the one before, so there is a last one. Where some limits must not decide what is withheld,
    the release that the others lead to is judged by them at the end.
    """
    planned, protections, alone = release, dict[int, Protection](), dict[int, bool]()
    protected: dict[int, Protection] = {}
    by_limits = deciding(asked)
    all_decide = by_limits == dict(enumerate(asked))
    current = dict(enumerate(findings)) if all_decide else _findings(release, by_limits, protected, effort)
    always = {place for place in by_limits if asked[place].always_protects(release)}
    while always or not all(finding.safe for finding in current.values()):
        measured = release
        for place, question in in_turn(by_limits):
            finding = current[place] if release is measured else find(release, question, effort)
            if finding.safe and place not in always:
                continue
            alone[place] = release.withheld == planned.withheld
            protection = _protected(release, question, finding, effort, alone=alone[place])
            _require_untold(release, protection.release, question, asked)
            release = protection.release
            protections[place] = _joined(protections.get(place), protection)
        if not always:
            _require_progress(measured, release)
        always = set()
        protected = {
            place: protection
            if alone[place] and protection.release.withheld == release.withheld
            else _with_others(protection)
            for place, protection in protections.items()
        }
        current = _findings(release, by_limits, protected, effort)
        _require_judged(current.values())
    if not all_decide:
        current = _findings(release, dict(enumerate(asked)), protected, effort)
        _require_judged(current.values())
        _require_safe(current.values())
    return release, tuple(current.values())


def _findings(
    release: Release, asked: Mapping[int, Question], plans: Mapping[int, Protection], effort: Effort
) -> dict[int, Finding]:
    """Measure and judge attackers, each by its place, after what was withheld for them."""
    return {place: find(release, question, effort, plans.get(place)) for place, question in asked.items()}


def drawn_once(
    releases: Sequence[Release],
    key: str | Path | Sequence[Path] | None,
    effort: Effort,
    asked: Iterable[Question],
    *besides: object,
) -> tuple[Lot, Effort, AbstractContextManager[None]]:
    """Return the lot that is kept for releases, the effort of the first time that this was asked, and in what to draw."""
    lot = releases[0].lot
    if key is not None:
        places = (Path(key),) if isinstance(key, str | Path) else key
        publish.refuse_changed_data(places, releases)
        lot = publish.KeptLot(places, releases)
    data = cache(lambda: digest(*map(publish.hash_of_data, releases)))
    questions = [(one.attacker, one.tolerance, one.need, one.options) for one in asked]
    question = cache(lambda: digest(data(), releases, questions, besides))
    first = lot.answer(question)
    effort = effort if first is None else first.effort(effort)
    return lot, effort, lot.drawing(data, question, effort)


def _protected(
    release: Release, question: Question, finding: Finding, effort: Effort, *, alone: bool
) -> Protection:
    """Withhold for one attacker; what is proved of a release is not proved once others had things withheld from it.

    Where the release is not safe together with earlier ones, it is withheld from the widest view that is not: what is out
    already must be published there, and what is withheld of the rest is withheld now.
    """
    unsafe = [one.view for one in finding.together if not one.safe]
    if finding.safe and question.always_protects(release):
        # The release is made by the protector, and what it sees must not depend on what is safe.
        unsafe = [one.view for one in finding.together if one.view.back is not None]
    views = [view for view in unsafe if view.back is not None]
    if unsafe and not views:
        raise NoSafeRelease(
            f"{unsafe[0].says} it is not safe, and nothing that could be withheld now would change that."
        )
    view = max(views, key=lambda one: len(one.releases), default=None)
    view = view and (view.rest or view)
    seen, attacker, need = release, by_itself(question.attacker, release), question.need
    tolerance = question.tolerance
    if view is not None:
        seen, attacker, need = view.release, view.attacker, view.need(question.need)
        tolerance = view.tolerance(tolerance, effort)
    try:
        with step(f"{question.called}, withholding"):
            plan = question.attack.does().protect(seen, attacker, tolerance, need, effort, question.options)
    except NoSafeRelease as error:
        error.proved &= alone
        out = [name for one in finding.together if one.given_away for name in one.view.releases]
        if view is None or not out:
            raise
        raise NoSafeRelease(
            f"{listed(list(dict.fromkeys(out)))} already gave away what is over the limit. That is accepted, and it is still "
            f"known to whoever reads this release: {error.reason}",
            helps=error.helps,
            proved=error.proved,
        ) from error
    if view is None or view.back is None:
        return plan
    # Curves count entries of all files, and what is kept is told of this release.
    return replace(plan, release=replace(view.back(plan.release), beside=release.beside), curves=())


def _require_untold(before: Release, after: Release, question: Question, asked: Sequence[Question]) -> None:
    """Refuse what is withheld by sensitive values where others look who know the method: what it tells them is not known."""
    table, blind = before.original, question.attack.limits.blind is not None
    if blind or not isinstance(table, Table):
        return
    changed = {name for name in table.columns if _changed(before, after, name)}
    for other in asked:
        if other is question or not other.attacker.knows_method:
            continue
        seen = {*other.attacker.looks_at(table)}
        if not question.attacker.knows_method and other.attack.limits.blind is None:
            seen = {*table.columns}
        columns = sorted(changed & seen)
        if columns:
            raise NoSafeRelease(
                f"Entries of {listed(columns)} would be withheld from {question.called} by sensitive values, and what that tells "
                f"{other.called} is not known.",
                helps=("Hide entries of sensitive columns only, or leave one of the attackers out.",),
            )


def _changed(before: Release, after: Release, column: str) -> bool:
    """Tell whether more of a column is withheld."""
    return before.hidden.positions(column).tolist() != after.hidden.positions(column).tolist() or any(
        first.tolist() != then.tolist()
        for first, then in zip(before.coarser.of(column), after.coarser.of(column), strict=True)
    )


def _require_not_given_away(findings: Iterable[Finding]) -> None:
    """Refuse to protect what earlier releases gave away by themselves, unless that is accepted."""
    for finding in findings:
        for one in finding.together:
            if one.given_away and one.before is not None and not one.view.accepts:
                many = counted(one.before.over, "exposures")
                raise NoSafeRelease(
                    f"{listed(list(one.view.releases))} already gave away what nobody should learn: {many} over the limit.",
                    helps=('Say already = "accept" to judge only what this release adds.',),
                    proved=True,
                )


def _with_others(protection: Protection) -> Protection:
    """Leave out the figures of a choice where more was withheld for other attackers: they are of another release."""
    return replace(
        protection,
        figures={},
        lists={},
        curves=tuple(
            replace(curve, says=f"For this attacker alone: {curve.says[:1].lower()}{curve.says[1:]}")
            for curve in protection.curves
        ),
        detail=f"{protection.detail} More was withheld for other attackers: what is said of this choice is not said of "
        "the release as it ended up.",
    )


def _require_judged(findings: Iterable[Finding]) -> None:
    """Refuse a release of which it cannot be told what it tells an attacker, once others had things withheld from it."""
    for finding in findings:
        if finding.safe is None:
            raise NoSafeRelease(
                f"After what is withheld for others it cannot be told what {finding.attacker.knows()} gives away: "
                f"{finding.reasons[0]}",
                helps=("Ask about fewer attackers.",),
            )


def _require_progress(before: Release, release: Release) -> None:
    if release.is_empty:
        raise NoSafeRelease("Everything would have to be withheld, and an empty release is not a release.")
    if release.withheld == before.withheld:
        raise NoSafeRelease("No safe release was found: nothing more could be withheld.")


def _require_safe(findings: Iterable[Finding]) -> None:
    """Refuse a release that is over a limit by which nothing more may be withheld."""
    for finding in findings:
        if not finding.safe:
            raise NoSafeRelease(
                "What is withheld for several attackers is chosen without the limits that depend on sensitive values, because "
                f"the choice would tell of these; and by such a limit the release is not safe: {finding.reasons[0]}",
                helps=(
                    "Ask for larger crowds with identity, leave out a column, or ask about fewer attackers.",
                ),
            )


def _joined(earlier: Protection | None, later: Protection) -> Protection:
    """Add what an earlier round withheld for the same attacker to the ledger."""
    return later if earlier is None else replace(later, ledger=(*earlier.ledger, *later.ledger))


def _explained(planned: Assessment, error: NoSafeRelease, asked: Sequence[Question]) -> Assessment:
    """Return the release as planned, with the reason why no safe one came of it.

    A release that must be made by its protector is not called safe because it would be one without.
    """
    proof = "No safe release exists (proved)." if error.proved else "No safe release was found (not proved)."
    pairs = zip(planned.findings, asked, strict=True)
    findings = tuple(
        finding
        if finding.safe and not one.always_protects(planned.release)
        else replace(
            finding,
            safe=None if finding.safe is None else False,
            reasons=(*finding.reasons, proof, error.reason, *error.helps),
        )
        for finding, one in pairs
    )
    return replace(planned, findings=findings, refusal=error)
