"""The path of several releases: judge them together as planned, withhold at once, and measure again what came of it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from giveaway import flow, publish
from giveaway.assessment import Assessment
from giveaway.attacks.asked import (
    Question,
    as_published,
    as_tuple,
    by_itself,
    check_release,
    deciding,
    questions,
)
from giveaway.attacks.wording import listed
from giveaway.errors import NoSafeRelease, NothingToJudge, ScenarioError
from giveaway.finding import Finding
from giveaway.judging import find
from giveaway.model.answer.nouns import speaking_of
from giveaway.model.answer.risk import Protection
from giveaway.model.data.table import Table
from giveaway.model.progress import limited, step, steps
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.limits import LIMITS, of_targets
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Facts
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import ONE_BY_ONE, SamePeople
from giveaway.recipients.answer import Recipients
from giveaway.recipients.matrix import Colluding, matrix

MOST = 8
"""The most recipients, of whom all sets are judged."""

Findings = Mapping[str, tuple[Finding, ...]]


def protect_together(
    releases: Mapping[str, Release],
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    *,
    need: Need | Sequence[Need] | None = None,
    effort: Effort | None = None,
    key: str | Path | Sequence[Path] | None = None,
    facts: Facts | None = None,
    **options: Mapping[str, Any],
) -> Recipients:
    """Withhold little from releases of the same people, so that each is safe also for recipients who collude.

    Each release is named by its recipient; attackers may know columns that only some of them show. Rows are joined by the
    identifiers where all tables have some, else row i of each is the same person's. Transactions are taken for the same ones
    where they come from the same data, else for those of different periods; `facts` says otherwise. The rest is as in
    `protect`; raises `NoSafeRelease` when there are no such releases or none were found.

    >>> import giveaway as ga
    >>> ages = ga.Table.from_rows([{"age": age} for age in (30, 30, 30, 40, 40, 40)])
    >>> jobs = ga.Table.from_rows([{"job": job} for job in ("cook", "cook", "smith", "cook", "smith", "smith")])
    >>> both = {"insurer": ga.Release(ages), "ministry": ga.Release(jobs)}
    >>> knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    >>> found = ga.protect_together(both, knows, ga.Tolerance(identity="1/2"))
    >>> found.matrix[0].before["insurer", "ministry"].alone, found.matrix[0].after["insurer", "ministry"].alone
    (2, 0)
    """
    effort, needs, started = effort or Effort(), as_tuple(need), time.monotonic()
    _check(releases)
    words = next(iter(releases.values())).words
    with flow.watching(effort), limited(seconds=effort.seconds), speaking_of(words), steps(4) as work:
        people, asked = _asked(releases, attackers, tolerance, needs, options, facts)
        every = people.releases
        each = [one for some in asked.values() for one in some]
        lot, effort, drawing = flow.drawn_once([*every.values()], key, effort, each, [*every])
        people = people.planned({name: replace(one, lot=lot) for name, one in every.items()})
        with work.step():
            before = _judged(people, asked, effort)
        answer = Recipients(
            people=people,
            assessments=_assessments(people, before, None, effort, needs, started),
            matrix=(),
            before="as planned",
            withheld_alone={},
            details=(),
        )
        if not all(finding.is_measured for some in before.values() for finding in some):
            return answer
        try:
            with drawing:
                with work.step():
                    alone = _by_themselves(people, asked, needs, effort, options)
                with work.step():
                    planned, findings, details = _rounds(people, asked, before, effort)
        except NoSafeRelease as error:
            error.assessment = replace(answer, refusal=error)
            raise
        with work.step():
            counted = matrix(alone, planned, _strictest(asked), effort)
            _require_all_sets(counted, _strictest(asked))
            return Recipients(
                people=planned,
                assessments=_assessments(planned, findings, before, effort, needs, started),
                matrix=counted,
                before="by itself",
                withheld_alone={name: one.withheld for name, one in alone.releases.items()},
                details=details,
            )


def _check(releases: Mapping[str, Release]) -> None:
    """Refuse what is not several releases with names that folders can have."""
    if not isinstance(releases, Mapping):
        raise ScenarioError(
            f"A {type(releases).__name__} does not say whose release is whose.",
            hint='for example {"insurer": ga.Release(one), "ministry": ga.Release(other)}.',
        )
    if not 2 <= len(releases) <= MOST:  # noqa: PLR2004 # one needs nobody else
        raise ScenarioError(
            f"{len(releases)} recipients are named, and releases are planned at once for 2 to {MOST}."
        )
    known: dict[str, str] = {}
    for name, release in releases.items():
        check_release(release)
        if (
            not isinstance(name, str)
            or not name.strip()
            or name.startswith(".")
            or set(name) & set('/\\:@\0"')
        ):
            raise ScenarioError(
                f"{name!r} is not a name of a recipient.", hint='a name becomes a folder, as in "insurer".'
            )
        other = known.setdefault(name.casefold(), name)
        if other != name or name == publish.MANIFEST:
            raise ScenarioError(
                f"{other} and {name} would be written to the same place.", hint="give them other names."
            )


def _asked(
    releases: Mapping[str, Release],
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
    facts: Facts | None,
) -> tuple[SamePeople, dict[str, tuple[Question, ...]]]:
    """Check what is asked of each release, next to the others, and return them in the form that it is asked about."""
    people = SamePeople.of(releases, facts=facts)
    asked, published = dict[str, tuple[Question, ...]](), dict[str, Release]()
    for name in releases:
        together = people.together(name)
        asked[name] = questions(together, attackers, tolerance, needs, options)
        published[name] = replace(as_published(together, asked[name], needs), earlier=())
        informed = any(question.attacker.knows_method for question in asked[name])
        if len(asked[name]) > 1 and informed and isinstance(together.original, Table):
            raise ScenarioError(
                "What is withheld from several releases at once for one attacker may tell another, and how much is not "
                "worked out.",
                hint="ask about one attacker, who knows the columns of all of them.",
            )
    more = any(
        one.attack.limits.unjoined_tell_more & one.tolerance.given for some in asked.values() for one in some
    )
    # Of the same transactions it is not worked out what rows tell that nobody can join; joined they are judged.
    more &= people.facts == "other" or isinstance(next(iter(releases.values())).original, Table)
    people = SamePeople.of(published, facts=facts, linked="unknown" if more else "rows")
    for question in _strictest(asked):
        question.attack.does().at_once(people, question.attacker, question.tolerance, question.need)
    return people, asked


def _strictest(asked: Mapping[str, Sequence[Question]]) -> tuple[Question, ...]:
    """Return each question with every limit that some release is judged by, the smallest of each."""
    return tuple(map(_joined, zip(*asked.values(), strict=True)))


def _joined(same: Sequence[Question]) -> Question:
    """Return the question that is as strict as some are together; who names no share tolerates none."""
    limits: dict[str, Fraction] = {}
    for name in LIMITS:
        stated = [one.tolerance.stated[name] for one in same if name in one.tolerance.given]
        limits |= {name: min(stated)} if stated else {}
    shared = [one.tolerance.share for one in same if one.tolerance.given.intersection(of_targets())]
    limits |= {"share": min(shared)} if any(shared) and min(shared) else {}
    most = max(same, key=lambda one: len(one.tolerance.given))
    return most if limits == most.tolerance.stated else replace(most, tolerance=Tolerance(**limits))


def _judged(
    people: SamePeople,
    asked: Mapping[str, Sequence[Question]],
    effort: Effort,
    protections_of: Mapping[str, Sequence[Protection | None]] | None = None,
) -> dict[str, tuple[Finding, ...]]:
    """Judge every release next to all others."""
    findings = {}
    with steps(sum(map(len, asked.values()))):
        for name, some in asked.items():
            release = people.together(name)
            protections = [None] * len(some) if protections_of is None else protections_of[name]
            pairs = zip(some, protections, strict=True)
            findings[name] = tuple(find(release, question, effort, one) for question, one in pairs)
    return findings


def _assessments(
    people: SamePeople,
    findings: Findings,
    before: Findings | None,
    effort: Effort,
    needs: tuple[Need, ...],
    started: float,
) -> dict[str, Assessment]:
    seconds = time.monotonic() - started
    return {
        name: Assessment(
            release=people.together(name),
            findings=some,
            before=None if before is None else before[name],
            effort=effort,
            needs=needs,
            seconds=seconds,
        )
        for name, some in findings.items()
    }


def _by_themselves(
    people: SamePeople,
    asked: Mapping[str, Sequence[Question]],
    needs: tuple[Need, ...],
    effort: Effort,
    options: Mapping[str, Mapping[str, Any]],
) -> SamePeople:
    """Protect each release as if there were no others."""
    releases = {}
    for name, release in people.releases.items():
        attackers = [by_itself(question.attacker, people.together(name)) for question in asked[name]]
        limits = [question.tolerance for question in asked[name]]
        try:
            with step(f"{name} by itself"):
                safer = flow.protect(
                    release,
                    attackers,
                    limits,
                    need=needs,
                    effort=effort,
                    key=None,
                    earlier=None,
                    prefer="least",
                    **options,
                )
        except NoSafeRelease as error:
            raise NoSafeRelease(
                f"{name} by itself: {error.reason}", helps=error.helps, proved=error.proved
            ) from None
        if not safer.safe:
            reasons = [reason for finding in safer.findings if not finding.safe for reason in finding.reasons]
            raise NothingToJudge(f"{name} by itself: {reasons[0]}", hint="assess it by itself first.")
        releases[name] = safer.release
    return people.planned(releases)


def _rounds(
    people: SamePeople, asked: Mapping[str, Sequence[Question]], findings: Findings, effort: Effort
) -> tuple[SamePeople, Findings, tuple[str, ...]]:
    """Withhold for each attacker in turn, from all releases at once, until all are within tolerance.

    As for one release, every round withholds more than the one before, and where some limits must not decide what is
    withheld, the releases that the others lead to are judged by them at the end.
    """
    every = _strictest(asked)
    by_limits = deciding(every)
    protections: dict[int, Protection] = {}
    always = {
        place
        for place in by_limits
        if any(asked[name][place].always_protects(people.together(name)) for name in people.releases)
    }
    limited_to = {
        name: tuple(
            replace(question, tolerance=by_limits[place].tolerance) if place in by_limits else question
            for place, question in enumerate(some)
        )
        for name, some in asked.items()
    }
    all_decide = by_limits == dict(enumerate(every))
    current = findings if all_decide else _judged(people, limited_to, effort)
    while always or not _are_safe(current, by_limits):
        measured = people
        with steps(2 * len(by_limits)):
            for place, question in by_limits.items():
                if place not in always and people is measured and _are_safe(current, [place]):
                    continue
                joint = question.attack.does().at_once(
                    people, question.attacker, question.tolerance, question.need
                )
                with step(f"{question.called}, withholding at once"):
                    protection = question.attack.does().protect(
                        joint.release,
                        joint.attacker,
                        question.tolerance,
                        joint.need,
                        effort,
                        question.options,
                    )
                protections[place] = protection
                people = people.planned(joint.back(protection.release))
                _require_something(people)
        if not always:
            _require_progress(measured, people)
        always = set()
        current = _judged(people, limited_to, effort)
        _require_measured(current)
    by_name = {
        name: [_of_recipient(protections.get(place), release, people) for place in range(len(every))]
        for name, release in people.releases.items()
    }
    final = _judged(people, asked, effort, by_name)
    _require_measured(final)
    unsafe = [finding for some in final.values() for finding in some if not finding.safe]
    if unsafe:
        raise NoSafeRelease(f"No safe releases were found: {unsafe[0].reasons[0]}")
    return people, final, tuple(protection.detail for protection in protections.values() if protection.detail)


def _are_safe(findings: Findings, places: "Sequence[int] | Mapping[int, Any]") -> bool:
    return all(bool(some[place].safe) for some in findings.values() for place in places)


def _of_recipient(protection: Protection | None, release: Release, people: SamePeople) -> Protection | None:
    """Tell of one release what was withheld at once from several; figures of all of them are not its own."""
    if protection is None:
        return None
    return Protection(
        release=release,
        drawn=protection.drawn,
        detail=f"Planned at once with the releases for {len(people.releases) - 1} other "
        f"recipient{'s' if len(people.releases) > 2 else ''}.",  # noqa: PLR2004 # a plural
    )


def _require_something(people: SamePeople) -> None:
    for name, release in people.releases.items():
        if release.is_empty:
            raise NoSafeRelease(
                f"Planned at once, everything would be withheld from {name}, and an empty release is not a release.",
                helps=(
                    "Name this recipient first: of choices that cost the same the first may keep more.",
                    "Give it other columns or items, or tolerate more.",
                ),
            )


def _require_progress(before: SamePeople, after: SamePeople) -> None:
    if all(after.releases[name].withheld == one.withheld for name, one in before.releases.items()):
        raise NoSafeRelease("No safe releases were found: nothing more could be withheld at once.")


def _require_measured(findings: Findings) -> None:
    """Refuse releases of which it cannot be told whether they are safe."""
    for name, some in findings.items():
        for finding in some:
            if finding.safe is None:
                unknown = [one.reasons for one in finding.together if one.safe is None]
                fact, *hints = unknown[0] if unknown else finding.reasons
                hint = next((text for text in hints if text.startswith("Hint: ")), f"Hint: {ONE_BY_ONE}")
                raise NothingToJudge(f"{name}: {fact}", hint=hint.removeprefix("Hint: "))


def _require_all_sets(counted: Sequence[Colluding], asked: Sequence[Question]) -> None:
    """Refuse releases that some set of recipients was not judged with, or learns too much from.

    With one more file crowds only get smaller, so that each release alone and with all others says enough; here it is
    counted again.
    """
    for one, question in zip(counted, asked, strict=True):
        for some, count in one.after.items():
            if count.over is None or count.over > question.tolerance.share * one.of:
                raise NothingToJudge(
                    f"It cannot be told that {listed(list(some))} learn no more than is tolerated.",
                    hint=ONE_BY_ONE,
                )
