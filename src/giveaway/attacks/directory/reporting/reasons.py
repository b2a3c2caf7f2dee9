"""Why a release is judged as it is: sentences with the numbers."""

import math

from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import amount, counted, percent, records
from giveaway.attacks.wording import listed
from giveaway.model.answer.nouns import nouns


def reasons(question: DirectoryQuestion, tally: GroupsTally) -> tuple[str, ...]:
    """Say who agrees with too few people, what the risk is, and what weighs nothing."""
    parts = (
        _over(question, tally),
        _risk(tally),
        _without(question, tally),
        _harmless(question),
        _unnamed(question),
    )
    return tuple(sentence for sentence in parts if sentence)


def doubt(tally: GroupsTally) -> str | None:
    """Say why a release cannot be judged, though its numbers are within tolerance or next to it; None where it can."""
    if tally.near_the_limit:
        risk = tally.risk if tally.undecided else tally.risk_if_listed
        listed = "" if tally.undecided else " with everybody listed"
        return f"The risk of {amount(risk)}{listed} is computed in floats and is too close to your limit to be distinguished from it."
    if not tally.within_if_listed:
        return f"{_nobody(tally.missing_somewhere)}. If their people were listed, {_if_listed(tally)}."
    if tally.mostly_without:
        return (
            f"{tally.without:,} of {records(tally.records)} agree with nobody in the directory: more than half, so that it "
            "says little about the release."
        )
    if tally.tolerance.average is None and math.isinf(tally.risk_if_listed):
        return (
            "The risk is infinite: values that weigh infinitely are disclosed where somebody may be recognised, and no limit "
            "on the average says whether that is tolerated."
        )
    return None


def _if_listed(tally: GroupsTally) -> str:
    changes = []
    if tally.over_if_listed > tally.over:
        changes.append(f"{tally.over_if_listed:,} instead of {records(tally.over)} are over the limit")
    if tally.tolerance.average is not None and tally.risk_if_listed > tally.tolerance.average:
        changes.append(
            f"the risk is {amount(tally.risk_if_listed)} instead of {amount(tally.risk)}, and you tolerate "
            f"{amount(tally.tolerance.average)}"
        )
    return ", and ".join(changes) or "more is given away than you tolerate"


def _over(question: DirectoryQuestion, tally: GroupsTally) -> str | None:
    limit = tally.tolerance.identity
    if limit is None or not tally.over:
        return None
    allowed = "" if not tally.tolerance.share else f"; you tolerate {percent(tally.tolerance.share)} of them"
    crowd = tally.tolerance.smallest_crowd
    fewer = (
        f"fewer than {crowd:,} people"
        if not tally.prior
        else f"so few people that the chance is above {percent(limit)}"
    )
    if question.attacker.knows_method:
        whose = (
            f"{nouns().records} look the same"
            if question.lookup.is_own
            else "people in the directory would look the same"
        )
        few = f"fewer than {crowd:,}" if not tally.prior else "too few"
        return f"For {tally.over:,} of {records(tally.records)}, {few} {whose}{allowed}."
    return f"For {tally.over:,} of {records(tally.records)}, {fewer} fit{allowed}."


def _risk(tally: GroupsTally) -> str | None:
    limit = tally.tolerance.average
    if limit is None or tally.undecided:
        return None
    if tally.risk <= limit:
        return f"The risk is {amount(tally.risk)}, within the {amount(limit)} that you tolerate."
    size = "infinite" if math.isinf(tally.risk) else amount(tally.risk)
    return f"The risk is {size}, above the {amount(limit)} that you tolerate."


def _without(question: DirectoryQuestion, tally: GroupsTally) -> str | None:
    if not tally.without:
        return None
    risk = f"the mean loss would be {amount(tally.risk_if_listed)}"
    if question.weighing.form == "constant":
        risk = f"the mean chance would be {percent(tally.risk_if_listed)}"
    return f"{_nobody(tally.without)}; if their people were listed, {risk}."


def _nobody(count: int) -> str:
    return f"{counted(count, 'records fit', 'record fits')} nobody in a directory, and cannot be found there"


def _harmless(question: DirectoryQuestion) -> str | None:
    """Name the columns compared without a weight, where there are weights."""
    if question.weighing.form == "constant":
        return None
    bare = [
        name
        for place, name in enumerate(question.attributes)
        if not any(each[place] for each, _ in question.weighing.lines)
        and not any(place in pair for _, pairs in question.weighing.lines for pair, _ in pairs)
    ]
    if not bare:
        return None
    return f"Without a weight, and so taken as harmless in itself: {listed(bare)}."


def _unnamed(question: DirectoryQuestion) -> str | None:
    if not question.weighing.unnamed:
        return None
    return f"{records(question.weighing.unnamed).capitalize()} without a weight of their own are taken as harmless."
