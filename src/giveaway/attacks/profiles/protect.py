"""Disguise a release of rules so that what is left lets too few people be inferred to matter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, get_args

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles, ProfilesOptions
from giveaway.attacks.profiles.claims.patterns import rule_items
from giveaway.attacks.profiles.judged_people import JudgedPeople
from giveaway.attacks.profiles.measure import limit_of
from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.profiles.protecting.choose import Chooser
from giveaway.attacks.profiles.protecting.refuse import refuse_hopeless, refuse_unfound
from giveaway.attacks.profiles.protecting.ways import FormSearch, Threshold, TriedForm
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.wording import counted
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.risk import Curve, LedgerLine, Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.rule import Scores
from giveaway.model.release.withheld import Withheld

STEPS = 8
"""How many lists between the plan and the release the curve shows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ChosenRules:
    """A safe release, with the chooser of its rules where these were chosen one by one."""

    tried: TriedForm
    chooser: Chooser | None = None


def protect(
    release: Release,
    attacker: KnowsProfiles,
    tolerance: Tolerance,
    need: NeedsRules | None,
    effort: Effort,  # noqa: ARG001 # there is no chance in it
    options: ProfilesOptions,
) -> Protection:
    """Try the ways that are allowed, and take the safe release that keeps most.

    Zhu et al., section VII: disguise the rules so that privacy is kept and the utility is not compromised too much.
    """
    search = FormSearch(
        release=release,
        attacker=attacker,
        limit=limit_of(tolerance),
        allowed=tolerance.share,
    )
    must = _musts(search.planned.question, need)
    rules = search.planned.published.rules
    search.must = [rules[place] for place in must]
    refusals: list[NoSafeRelease] = []
    safe = list(_safe_releases(search, must, options, refusals))
    if not safe:
        _refuse(search, options, refusals)
    best = min(safe, key=lambda one: _cost(one.tried, options))
    solves = search.solves + sum(one.chooser.solves for one in safe if one.chooser is not None)
    return Protection(
        release=release.withholding(best.tried.withheld),
        curves=tuple(_curves(search, best)),
        figures={
            "rules_tried": len(rules),
            "rules_withheld": len(best.tried.withheld.rules),
            "solves": solves,
            "ways": [_line(search, one.tried, chosen=one is best) for one in safe],
        },
        ledger=tuple(_ledger(search, best)),
        detail=_detail(best, safe, options),
    )


def _safe_releases(
    search: FormSearch, must: list[int], options: ProfilesOptions, refusals: list[NoSafeRelease]
) -> Iterator[ChosenRules]:
    """Give the safe release of each way; rules and thresholds are tried with the planned scores, and without any.

    The latter only where withholding the scores alone is not enough: withholding more than that keeps less.
    """
    without_scores = search.scores() if "scores" in options.ways else None
    without_statements = search.statements() if "statements" in options.ways else None
    yield from (
        ChosenRules(tried=tried) for tried in (without_scores, without_statements) if tried is not None
    )
    yield from _fewer_rules(search, must, options, refusals, None)
    scored = search.planned.published.scores != "withheld"
    if "scores" in options.ways and scored and without_scores is None:
        yield from _fewer_rules(search, must, options, refusals, "withheld")


def _fewer_rules(
    search: FormSearch,
    must: list[int],
    options: ProfilesOptions,
    refusals: list[NoSafeRelease],
    scores: Scores | None,
) -> Iterator[ChosenRules]:
    """Give the safe releases at higher thresholds, and the one of which rules were chosen, all with these scores."""
    thresholds: tuple[Threshold, ...] = get_args(Threshold)
    raised = (search.threshold(name, scores) for name in thresholds if name in options.ways)
    yield from (ChosenRules(tried=release) for release in raised if release is not None)
    if "rules" in options.ways:
        try:
            yield _by_choice(search, must, scores)
        except NoSafeRelease as error:
            refusals.append(error)


def _by_choice(search: FormSearch, must: list[int], scores: Scores | None) -> ChosenRules:
    """Choose rules by their support, as many as are within tolerance together, and withhold the others."""
    question = search.planned.question
    planned = search.planned.judged
    if scores is not None:
        question = replace(question, published=question.published.with_scores(scores))
        unscored = search.tried("rules", Withheld(scores=scores))
        planned = planned if unscored is None else unscored.judged
    chooser = _choose(question, search, must, planned)
    withheld = Withheld(rules=[question.published.rules[rule] for rule in _rejected(chooser)], scores=scores)
    tried = search.tried("rules", withheld)
    if tried is None or not search.within(tried):
        raise NoSafeRelease("The chosen rules are over the limit when they are judged again.")
    return ChosenRules(tried=tried, chooser=chooser)


def _choose(
    question: ProfilesQuestion, search: FormSearch, must: list[int], planned: JudgedPeople
) -> Chooser:
    """Let a chooser find a list that is within tolerance, or raise why there is none."""
    chooser = Chooser(
        question=question,
        claims=question.claimed(question.published, silence=False),
        limit=search.limit,
        allowed=search.allowed,
    )
    start = chooser.judged(must)
    if chooser.within(planned):
        chooser.chosen.extend(range(len(question.published.rules)))
    elif chooser.within(start):
        chooser.chosen.extend(must)
        chooser.choose([rule for rule in chooser.claims.by_support if rule not in must])
        if not chooser.rejected:
            chooser.leave_one_out(must, planned)
    else:
        refuse_hopeless(chooser, start, must)
    if not chooser.has_list(planned):
        chooser.search(must, planned)
        refuse_unfound(chooser, start, planned, must)
    return chooser


def _rejected(chooser: Chooser) -> list[int]:
    """Return the rules that are withheld, the largest support first."""
    return [rule for rule in chooser.claims.by_support if rule in chooser.rejected]


def _refuse(search: FormSearch, options: ProfilesOptions, refusals: Sequence[NoSafeRelease]) -> None:
    """Raise why no way led to a safe release; it is proved only where rules are the only way."""
    if refusals:
        first, more = refusals[0], list[str]()
        if search.release.published_statements and "statements" not in options.ways:
            more = ['Allow statements to be withheld too: ways = ["statements", "rules"].']
        proved = first.proved and options.ways == ("rules",)
        raise NoSafeRelease(first.reason, helps=(*first.helps, *more), proved=proved)
    shares = [share for steps in search.steps.values() for _, share in steps]
    nearest = min(shares, default=search.planned.judged.share(search.limit))
    people = int(nearest * search.planned.judged.people)
    raise NoSafeRelease(
        f"{counted(len(shares), 'releases')} tried ({', '.join(options.ways)}), and none is within the limits: at least "
        f"{counted(people, 'people')} stay over the limit.",
        helps=('Allow rules to be withheld by choice: ways = ["rules", ...].',),
    )


def _cost(tried: TriedForm, options: ProfilesOptions) -> tuple[float, ...]:
    """Order safe releases: the one that keeps most, by what the owner prefers, comes first."""
    scores = tried.published.scores
    digits = float("inf") if scores == "exact" else -1.0 if scores == "withheld" else float(scores)
    kept = (-float(tried.support), -float(len(tried.question.statements)), -digits)
    return (tried.divergence, *kept) if options.prefers == "divergence" else (*kept, tried.divergence)


def _line(search: FormSearch, tried: TriedForm, *, chosen: bool) -> dict[str, Any]:
    """Tell of a safe release what it keeps."""
    published = tried.published
    return {
        "way": tried.way,
        "chosen": chosen,
        "scores": published.scores,
        "min_support": published.min_support,
        "min_confidence": published.min_confidence,
        "rules": len(published.rules),
        "rules_support": tried.support,
        "statements_withheld": len(tried.withheld.statements),
        "divergence": tried.divergence,
        "people_above": tried.judged.above(search.limit),
    }


def _ledger(search: FormSearch, best: ChosenRules) -> Iterator[LedgerLine]:
    """Tell what withholding each thing cost and what it removed."""
    tried, withheld = best.tried, best.tried.withheld
    ended = search.planned.judged.above(search.limit) - tried.judged.above(search.limit)
    if withheld.scores is not None:
        digits = (
            "the scores"
            if withheld.scores == "withheld"
            else f"all but {withheld.scores} of the digits of scores"
        )
        yield LedgerLine(
            withheld=digits, why="scores", removed=ended, lost=2 * len(tried.published.rules), unit="scores"
        )
    if best.chooser is not None:
        rules, supports = best.chooser.question.published.rules, best.chooser.claims.supports
        for rule in _rejected(best.chooser):
            yield LedgerLine(
                withheld=str(rules[rule]),
                why="greedy",
                removed=best.chooser.rejected[rule],
                lost=int(supports[rule]),
                unit="people",
            )
    elif withheld.rules:
        lost = int(search.planned.belief.claims.supports.sum()) - tried.support
        yield LedgerLine(
            withheld=f"{counted(len(withheld.rules), 'rules')} below higher thresholds",
            why="thresholds",
            removed=ended,
            lost=lost,
            unit="people",
        )
    for statement in withheld.statements:
        yield LedgerLine(withheld=str(statement), why="statements", removed=ended, lost=1, unit="statements")


def _detail(best: ChosenRules, safe: Sequence[ChosenRules], options: ProfilesOptions) -> str:
    """Say how the release was chosen."""
    how = _SAYS[best.tried.way] if best.chooser is None else _says(best.chooser)
    if len(options.ways) == 1:
        return how
    by = {"support": "keeps most support of rules", "divergence": "leaves readers nearest to the truth"}
    return f"Of {counted(len(safe), 'safe releases')} found in {counted(len(options.ways), 'ways')}, this one {by[options.prefers]}. {how}"


_SAYS = {
    "scores": "The scores were rounded to fewer and fewer digits until few enough people were over the limit.",
    "min_support": "The minimum support was raised, in steps of at least a tenth, until few enough people were over the "
    "limit; the list is complete at the new one.",
    "min_confidence": "The minimum confidence was raised by whole percentages until few enough people were over the "
    "limit; the list is complete at the new one.",
    "statements": "Statements were withheld where most people were over the limit, and published after all where that is safe.",
}


def _says(chooser: Chooser) -> str:
    if chooser.tried_all:
        return "Adding rules one after the other led nowhere, so every shorter list was tried, the largest support first."
    text = (
        "Rules were tried by falling support, in blocks that were halved where they were too much, and kept while "
        "few enough people were over the limit; rejected ones were tried once more. The list was found greedily and "
        "is not proved largest."
    )
    if chooser.searched:
        first = (
            "Nothing is within the limits to begin with, so rules were taken from the whole list one by one, or added one "
            "by one, each time the one that leaves fewest people over the limit."
        )
        return f"{first} {text}"
    return text


def _musts(question: ProfilesQuestion, need: NeedsRules | None) -> list[int]:
    """Find the rules that must be published in the list."""
    if need is None or not need.must_publish:
        return []
    keys = [rule_items(question.people, rule) for rule in question.published.rules]
    place_of = {key: place for place, key in enumerate(keys)}
    places = []
    for rule in need.must_publish:
        place = place_of.get(rule_items(question.people, rule))
        if place is None:
            raise ScenarioError(
                f"The rule {rule} must be published, but it is not in the list.",
                hint="add it to the rules, or leave it out of must_publish.",
            )
        places.append(place)
    return places


def _curves(search: FormSearch, best: ChosenRules) -> Iterator[Curve]:
    """Show the way from the plan to the release, where rules are withheld: the share over the limit by rules kept."""
    planned, limit = search.planned.judged, search.limit
    kept, total = len(best.tried.published.rules), len(search.planned.published.rules)
    if best.chooser is not None:
        points = list(_towards(best.chooser, planned))
    elif best.tried.withheld.rules:
        points = [(total, planned.share(limit)), *search.steps[best.tried.way, best.tried.withheld.scores]]
    else:
        return
    yield Curve(
        name="kept",
        x_label="rules kept",
        y_label="share of people above the limit",
        x=tuple(float(rules) for rules, _ in points),
        y=tuple(float(share) for _, share in points),
        says=f"Withholding {counted(total - kept, 'rules')} keeps {kept:,} of {total:,}; people above the limit: "
        f"{planned.above(limit):,} before, {best.tried.judged.above(limit):,} after.",
        limit=float(search.allowed),
    )


def _towards(chooser: Chooser, planned: JudgedPeople) -> Iterator[tuple[int, Fraction]]:
    """Give lists between the plan and the release: the rules of smallest support go first."""
    withheld, kept = _rejected(chooser), len(chooser.chosen)
    back = np.unique(np.linspace(0, len(withheld), STEPS).round().astype(np.int64))[::-1].tolist()
    yield kept + back[0], planned.share(chooser.limit)
    for more in back[1:]:
        judged = chooser.judged([*chooser.chosen, *withheld[:more]])
        yield kept + more, judged.share(chooser.limit)
