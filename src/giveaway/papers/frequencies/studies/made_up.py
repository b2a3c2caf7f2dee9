"""The figures that need data sets, drawn for a small made-up shop when these are not at hand."""

from fractions import Fraction
from random import Random

from giveaway.model.data.transactions import Transactions
from giveaway.papers.frequencies.studies import items, sets
from giveaway.papers.frequencies.studies.data import Shop
from giveaway.papers.study import Lab, Outcome, Picture, Study

_ITEMS = 25
_TRANSACTIONS = 300


def shop() -> Shop:
    """Make transactions up: item number i is bought with a chance that falls with i, by nobody in particular."""
    random = Random(0)  # noqa: S311 - nobody is protected by it
    rows = [
        [f"i{item:02d}" for item in range(_ITEMS) if random.random() < 0.9 / (1 + item / 4)]
        for _ in range(_TRANSACTIONS)
    ]
    return Shop("made-up shop", Transactions.from_lists(rows))


def _run(lab: Lab) -> Outcome:
    small = shop()
    simulated, of_pairs = items.against_simulated(lab, small), sets.mean_chances(lab, small)
    recipe, _ = sets.recipe(lab, small, Fraction(0))
    samples = Picture(
        title="What somebody with a sample gets right, made-up shop",
        x_label="part of the transactions in the sample",
        y_label="compliance",
        lines=[items.similar(lab, small)],
    )
    pictures = (*simulated.pictures, samples, *of_pairs.pictures, recipe, items.by_pairs(lab, small))
    return Outcome(pictures=pictures)


STUDIES = (
    Study(
        where="Made-up shop",
        title=f"Figures 11, 14, 17, 19 and 26 for {_TRANSACTIONS} made-up transactions, not the paper's data",
        run=_run,
    ),
)
