"""Measure how many sets of renamed items somebody recognises (Definition 2.1 and Figure 9 of the paper)."""

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.itemsets.details import SetDetails
from giveaway.attacks.frequencies.itemsets.question import SetQuestion
from giveaway.attacks.frequencies.itemsets.targets import targets
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.figures import contradictions, doubt
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Risk
from giveaway.model.question.tolerance import Tolerance


def measure_sets(seen: ItemsSeen, tolerance: Tolerance) -> Risk:
    """Find the share of sets whose chance is at least the limit."""
    question = set_question(seen, tolerance)
    return Risk(
        share=question.vulnerable_share,
        margin=None if question.exact else question.margin,
        reasons=(*contradictions(seen), *_reasons(question)),
        doubt=doubt(seen),
        details=SetDetails(question),
    )


def set_question(seen: ItemsSeen, tolerance: Tolerance) -> SetQuestion:
    """Put the question together, and refuse what is not defined for sets."""
    if tolerance.identity is None:
        raise ScenarioError(
            "Itemsets are judged by identity and share, and identity is not given.",
            hint='identity = "1/2", share = "1/10": at most a tenth of the sets may be recognised with a chance of 1/2.',
        )
    attacker = seen.attacker
    if attacker.compliance != 1 and attacker.order != "random":
        raise ScenarioError(
            f'order = "{attacker.order}" is for {nouns().items}, and itemsets are the targets.',
            hint=f"leave order out, which draws the {nouns().items} at random.",
        )
    return SetQuestion(seen=seen, tolerance=tolerance, identity=tolerance.identity, targets=targets(seen))


def _reasons(question: SetQuestion) -> tuple[str, ...]:
    if question.vulnerable_share <= question.tolerance.share:
        return ()
    sets = sentences.counted(question.targets.number, "sets")
    limit = sentences.percent(question.identity)
    vulnerable = f"{question.number_vulnerable:,} of {sets} can be recognised with a chance of {question.line.from_(limit)}"
    return (f"{vulnerable}; you tolerate {sentences.percent(question.tolerance.share)} of them.",)
