"""The words of reports about combinations of items."""

from giveaway.model.answer.phrases import Counted, Phrases

PHRASES = Phrases(
    chances="Chance per combination",
    could="could single out a transaction or learn a private item",
    targets="combinations",
    exposed=Counted(
        figure="exposed_transactions",
        of="transactions",
        noun="transactions",
        how="hold a combination that singles them out or gives a private item away",
        one="holds a combination that singles it out or gives a private item away",
    ),
    listed=Counted(
        figure="minimal_moles",
        of="moles",
        noun="combinations",
        how="hold no smaller one that is over it, and are listed",
    ),
    does={"identity": "single out a transaction", "attribute": "infer a private item"},
    dot={"identity": "singled out", "attribute": "private item"},
    everything="all items of a transaction",
    stated_by="at_most",
    worked="A worked person",
    opening="Somebody is known to have {target}.",
    learnt={"identity": "the transaction"},
    certain={
        "identity": "Only one transaction fits: it is theirs.",
        "attribute": "It is certain that {value} is there too.",
    },
    guessed={
        "identity": "A guess which transaction is theirs is right with a chance of {chance}.",
        "attribute": "With a chance of {chance}, {value} is there too.",
    },
    at_zero={"private_items": "No item is called private, so only singling out is measured."},
    kept={"nuggets": "combinations"},
    why={"infrequent": "rarer than you need", "category": "given as its category"},
)
