"""The way of the paper to choose items, which weighs moles against nuggets on their borders, for `method = "borders"`."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.attacks.items.attacker import ItemsOptions
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protecting.greedy import GreedyItems
from giveaway.attacks.items.question import ItemsQuestion
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Listing
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.papers.items.on_borders import Border, MoleLimits, SuppressedItems, border_greedy, members


def by_borders(
    question: ItemsQuestion, need: NeedsItemsets | None, options: ItemsOptions
) -> tuple[GreedyItems, dict[str, Listing]]:
    """Choose by the paper's own method, which weighs moles against nuggets; the borders and steps are listed."""
    if need is None:
        raise ScenarioError(
            'method = "borders" weighs moles against nuggets, and no itemsets are needed.',
            hint="say in [needs] which itemsets count, as in itemsets = { min_support = 10 }.",
        )
    choice = border_greedy(
        question.published,
        MoleLimits.of(question),
        need.min_support,
        need.max_size,
        score=options.score,
        keep_infrequent=options.keep_infrequent,
        keep=question.keep,
    )
    chosen = GreedyItems(infrequent=choice.infrequent, greedy=choice.greedy)
    return chosen, border_listings(question.published, choice)


def border_listings(transactions: Transactions, choice: SuppressedItems) -> dict[str, Listing]:
    """Name the edges of the borders of moles and nuggets, and |M(v)| and |N(v)| step by step."""
    labels = transactions.labels
    scores = [
        {
            "step": number,
            "item": labels[item],
            "moles": moles,
            "nuggets": nuggets,
            "score": Fraction(moles, nuggets) if nuggets else None,
            "withheld": item == step.suppressed,
        }
        for number, step in enumerate(choice.steps, 1)
        for item, (moles, nuggets) in step.counts.items()
    ]
    return {
        "mole_border": _edges(
            "The border of the combinations over a limit, edge by edge", labels, choice.moles
        ),
        "nugget_border": _edges(
            "The border of the needed combinations, edge by edge", labels, choice.nuggets
        ),
        "scores": Listing(
            title=f"Combinations over a limit and needed ones with each {nouns().item}, step by step",
            rows=scores,
            total=len(scores),
        ),
    }


def _edges(title: str, labels: Sequence[Label], border: Border) -> Listing:
    rows = [
        {"least": [labels[i] for i in members(edge.least)], "most": [labels[i] for i in members(edge.most)]}
        for edge in border.edges()
    ]
    return Listing(title=title, rows=rows, total=len(rows))
