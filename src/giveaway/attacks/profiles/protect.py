"""Withhold rules until somebody who knows every profile is within tolerance, keeping those of large support."""

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles, ProfilesOptions
from giveaway.attacks.profiles.claims.patterns import rule_items
from giveaway.attacks.profiles.judged_people import Judged, judge
from giveaway.attacks.profiles.measure import limit_of
from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.profiles.posterior import believed
from giveaway.attacks.profiles.protecting.choose import Chooser
from giveaway.attacks.profiles.protecting.refuse import refuse_hopeless, refuse_unfound
from giveaway.attacks.profiles.question import Question, ask
from giveaway.attacks.profiles.reporting.sentences import counted
from giveaway.errors import ScenarioError
from giveaway.model.answer.risk import Curve, LedgerLine, Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

STEPS = 8
"""How many lists between the plan and the release the curve shows."""


def protect(
    release: Release,
    attacker: KnowsProfiles,
    tolerance: Tolerance,
    need: NeedsRules | None,
    effort: Effort,  # noqa: ARG001 # there is no chance in it
    options: ProfilesOptions,  # noqa: ARG001 # there is one way
) -> Protection:
    """Choose rules by their support, as many as are within tolerance together, and withhold the others."""
    question = ask(release, attacker)
    planned = judge(question, believed(question))
    chooser = Chooser(
        question=question,
        claims=question.claimed(question.published, silence=False),
        limit=limit_of(tolerance),
        allowed=tolerance.share,
    )
    must = _musts(question, need)
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
    if not chooser.is_found(planned):
        chooser.search(must, planned)
        refuse_unfound(chooser, start, planned, must)
    rules, supports = question.published.rules, chooser.claims.supports
    withheld = [rule for rule in chooser.claims.by_support if rule in chooser.rejected]
    return Protection(
        release=release.withholding(Withheld(rules=[rules[rule] for rule in withheld])),
        curves=(_kept_curve(chooser, withheld, planned),),
        figures={
            "rules_tried": len(rules),
            "rules_withheld": len(withheld),
            "solves": chooser.solves,
        },
        ledger=tuple(
            LedgerLine(
                withheld=str(rules[rule]),
                why="greedy",
                removed=chooser.rejected[rule],
                lost=int(supports[rule]),
                unit="people",
            )
            for rule in withheld
        ),
        detail=_detail(chooser),
    )


def _detail(chooser: Chooser) -> str:
    """Say how the rules were chosen."""
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


def _musts(question: Question, need: NeedsRules | None) -> list[int]:
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


def _kept_curve(chooser: Chooser, withheld: list[int], planned: Judged) -> Curve:
    """Show the way from the plan to the release: the rules of smallest support go first."""
    kept, total = len(chooser.chosen), len(chooser.chosen) + len(withheld)
    back = np.unique(np.linspace(0, len(withheld), STEPS).round().astype(np.int64))[::-1].tolist()
    lists = ([*chooser.chosen, *withheld[:more]] for more in back[1:])
    shares = [planned.share(chooser.limit), *(chooser.judged(rules).share(chooser.limit) for rules in lists)]
    before, after = (int(share * chooser.question.judged_people) for share in (shares[0], shares[-1]))
    return Curve(
        name="kept",
        x_label="rules kept",
        y_label="share of people above the limit",
        x=tuple(float(kept + more) for more in back),
        y=tuple(map(float, shares)),
        says=f"Withholding {counted(len(withheld), 'rule')} keeps {kept:,} of {total:,}; people above the limit: "
        f"{before:,} before, {after:,} after.",
        limit=float(chooser.allowed),
    )
