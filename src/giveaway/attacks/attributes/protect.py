"""Hide entries until no secret can be inferred with more confidence than tolerated."""

from giveaway.attacks.attributes.attacker import AttributesOptions, KnowsAttributes, Method
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.protecting.decoys import by_lot
from giveaway.attacks.attributes.protecting.ledger import replay
from giveaway.attacks.attributes.protecting.plan import PlannedEntries, other_limits, plan
from giveaway.attacks.attributes.protecting.same_columns import in_all_secrets
from giveaway.attacks.attributes.question import AttributesQuestion, ask, beside_others
from giveaway.attacks.attributes.reporting import curves
from giveaway.attacks.attributes.reporting.sentences import ASSUMPTION
from giveaway.attacks.wording import counted
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def protect(
    release: Release,
    attacker: KnowsAttributes,
    tolerance: Tolerance,
    need: NeedsCells | None,
    effort: Effort,
    options: AttributesOptions,
) -> Protection:
    """Hide entries where it is allowed until no more secrets are exposed than tolerated.

    Against somebody who knows how entries are chosen, by lot or in all secrets alike. Against all others as few as can be
    found: Li et al., sections 4 and 5, and rounds for every other choice of regions.
    """
    question = ask(release, beside_others(release, attacker), tolerance, need)
    method = _method(attacker, options)
    if method == "decoys":
        return by_lot(question, options)
    if method == "same columns":
        return in_all_secrets(question)
    planned = plan(question, effort, options)
    ledger, exposed = replay(question, planned.cells, _why(planned, options))
    bound = planned.lower_bound
    before = question.hidden_cost
    return Protection(
        release=planned.release,
        figures={
            "lower_bound": None if bound is None else before + bound,
            "optimal": planned.is_optimal,
            "rounds": planned.rounds,
        },
        curves=(
            curves.kept(question, ledger, exposed),
            *curves.hidden(question, other_limits(question, planned)),
        ),
        ledger=ledger,
        detail=_detail(question, planned, options),
    )


def _method(attacker: KnowsAttributes, options: AttributesOptions) -> Method:
    """Return the method that is used, and refuse one that does not protect against the attacker."""
    if options.method == "auto":
        informed: Method = "same columns" if attacker.asking_known else "decoys"
        return informed if attacker.knows_method else "auto"
    fits: dict[Method, tuple[bool, str]] = {
        "decoys": (attacker.knows_method, "knows how giveaway chooses (knows_method = true)"),
        "same columns": (attacker.asking_known, "knows who asked (asking_known = true)"),
        "cover": (not attacker.knows_method, "does not know how giveaway chooses (knows_method = false)"),
        "r-graph": (not attacker.knows_method, "does not know how giveaway chooses (knows_method = false)"),
        "cr": (not attacker.knows_method, "does not know how giveaway chooses (knows_method = false)"),
    }
    is_fit, whom = fits[options.method]
    if not is_fit:
        raise ScenarioError(
            f'The method "{options.method}" is for somebody who {whom}.',
            hint='leave method out: "auto" takes one that fits.',
        )
    return options.method


def _why(planned: PlannedEntries, options: AttributesOptions) -> str:
    if options.method in ("r-graph", "cr"):
        return options.method
    return "exact" if planned.is_optimal else "greedy"


def _detail(question: AttributesQuestion, planned: PlannedEntries, options: AttributesOptions) -> str:
    """Say how entries were chosen, what is proved of their number, and what hiding them rests on."""
    if not planned.cells:
        return "Nothing needed to be hidden."
    how = {
        "cover": "by greedy covering alone",
        "r-graph": f"along the R-graph of the rules ({options.heuristic})",
        "cr": "rule by rule, as CR does",
    }.get(options.method, "by greedy covering, improved where a search found fewer")
    sentences = [
        f"The entries to hide were chosen {how}; of identical {nouns().records} the first are taken."
    ]
    hidden = counted(len(planned.cells), "entries")
    fewer = "fewer"
    if question.need.weights:
        hidden, fewer = f"{hidden} with a weight of {planned.cost:,}", "a smaller weight"
    if planned.is_optimal:
        sentences.append(f"It is proved that no safe release hides {fewer} than these {hidden}.")
    elif planned.lower_bound is not None:
        sentences.append(f"{hidden} were hidden; no safe release hides {fewer} than {planned.lower_bound:,}.")
    if planned.stopped:
        sentences.append("The search for fewer was stopped by its time limit, so another run may differ.")
    if planned.exposed:
        left = counted(planned.exposed, "secret entries")
        sentences.append(f"{left} of those that cost most to protect stay exposed, which you tolerate.")
    if question.has_conditions_of_secrets(planned.cells):
        sentences.append(ASSUMPTION)
    return " ".join(sentences)
