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
        "identity": "Which transaction is theirs is certain.",
        "attribute": "That {value} is there too is certain.",
    },
    guessed={
        "identity": "Which transaction is theirs can be guessed: {chance}.",
        "attribute": "That {value} is there too has a chance of {chance}.",
    },
    at_zero={"private_items": "No item is called private, so only singling out is measured."},
    kept={"nuggets": "combinations"},
    why={"infrequent": "rarer than you need"},
)
