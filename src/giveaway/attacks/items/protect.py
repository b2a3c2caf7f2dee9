"""Withhold items until somebody who knows a few of them is within tolerance, keeping what the reader needs."""

from functools import partial

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protecting.categories import Judge, with_categories
from giveaway.attacks.items.protecting.ledger import kept_curve, replay
from giveaway.attacks.items.protecting.plan import ItemsPlan, plan
from giveaway.attacks.items.protecting.refuse import refuse_empty, refuse_hopeless, refuse_kept
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.categories import ITEM
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld


def protect(
    release: Release,
    attacker: KnowsItems,
    tolerance: Tolerance,
    need: NeedsItemsets | None,
    effort: Effort,
    options: ItemsOptions,
) -> Protection:
    """Withhold items from what is published until no more transactions are exposed than tolerated.

    Xu et al., Figure 2, followed by putting back what turned out not to be needed. With a hierarchy of items, what
    is withheld may be given as its category.
    """
    judge = Judge(attacker=attacker, tolerance=tolerance, effort=effort)
    withhold = partial(_withhold, judge=judge, need=need, options=options)
    if ITEM not in release.hierarchies:
        return withhold(release)
    question, moles = judge.look(release)
    refuse_hopeless(question, moles)
    refuse_kept(question, moles, effort)
    return with_categories(release, withhold, judge, need, options)


def _withhold(
    release: Release, judge: Judge, need: NeedsItemsets | None, options: ItemsOptions
) -> Protection:
    """Withhold what is published under a label, wherever it is."""
    question, moles = judge.look(release)
    refuse_hopeless(question, moles)
    refuse_kept(question, moles, judge.effort)
    planned = plan(question, moles, need, judge.effort, options)
    if planned.withholds(question.ranked.codes):
        refuse_empty(question, moles, as_printed=options.score == "paper" and not options.reinstate)
    done = replay(question, moles, planned, options.score)
    figures = {"infrequent_withheld": sum(why == "infrequent" for _, why in planned.order)}
    labels = [question.label(code) for code, _ in planned.order]
    # Where categories are published already, itemsets of them are among those that the plan counts.
    names_alone = not release.categories
    return Protection(
        release=release.withholding(
            Withheld(items=[item for label in labels for item in release.items_shown_as(label)])
        ),
        figures=figures | planned.figures(done.kept[-1]) if need is not None and names_alone else figures,
        curves=(kept_curve(release, question, moles, need, planned.order, done),) if names_alone else (),
        ledger=done.ledger,
        lists=planned.on_borders or {},
        detail=_detail(planned, need, options, counts_all=done.counts_all),
    )


def _detail(
    planned: ItemsPlan, need: NeedsItemsets | None, options: ItemsOptions, *, counts_all: bool
) -> str:
    """Say how items were chosen; results depend on the score, the tie rule and the treatment of rare items."""
    score = (
        "smallest combinations over the limit"
        if options.score == "minimal"
        else "combinations over the limit"
    )
    cost = f"{nouns().item} occurrence" if need is None else "needed combination"
    rare = (
        "too rare to hide in"
        if need is None or options.keep_infrequent
        else "too rare to hide in or for the need"
    )
    if any(why == "exact" for _, why in planned.order):
        how = "the rest were chosen by integer programming, starting from the greedy choice"
    else:
        how = f"then, step by step, the {nouns().item} that ends the most {score} for each {cost} lost"
    nothing = (
        f" That withheld every public {nouns().item}, which leaves no release."
        if planned.from_nothing
        else ""
    )
    many = planned.put_back
    back = (
        f"{many:,} {f'{nouns().item} was' if many == 1 else f'{nouns().items} were'} put back."
        if many
        else "None was put back."
    )
    only = " Those that each ended are counted as far as they are smallest: all were too many to count."
    counted = only if options.score == "paper" and not counts_all else ""
    if planned.on_borders is not None:
        how += ", counted on borders"
    return (
        f"{nouns().told('Items')} {rare} were withheld first, {how}.{nothing} {back}{counted}{planned.note}"
    )
