"""The words of reports about combinations of items."""

from giveaway.model.answer.phrases import Counted, Phrases

PHRASES = Phrases(
    in_paper={
        "mole": "a combination of items over a limit: {moles:,} here, {minimal_moles:,} of them minimal; the list of combinations over a limit has the breach probability (BPr) of each",
        "nugget": "a needed combination: {nuggets:,} in the original, {nuggets_kept:,} kept",
        "(h, k, p)-coherent": "without moles; h is the limit attribute, k one in the limit identity, p the number of items known",
        "cohesion": "a coherent version of the data, made by withholding items",
    },
    chances="Chance per combination",
    could="could single out a transaction or learn a private item",
    targets="combinations",
    label="item",
    happens={
        "identity": "Somebody who saw {target} finds the transaction, and with it everything else that it holds.",
        "attribute": "Somebody who saw {target} knows for certain that {value} is in the same transaction.",
    },
    may_happen={
        "identity": "Somebody who saw {target} picks the right transaction with a chance of {chance}.",
        "attribute": "Somebody who saw {target} is right with a chance of {chance} to say that {value} is in the same "
        "transaction.",
    },
    little_left="Ask whether somebody really knows that many items (at_most), give similar rare items one common name, "
    "or tolerate more.",
    exposed=Counted(
        figure="exposed_transactions",
        of="transactions",
        noun="transactions",
        how="hold a combination that gives too much away",
        one="holds a combination that gives too much away",
    ),
    listed=Counted(
        figure="minimal_moles",
        of="moles",
        noun="combinations",
        how="contain no smaller one that is over a limit. These are listed, and the worst case of each limit",
    ),
    does={"identity": "single out a transaction", "attribute": "infer a private item"},
    dot={"identity": "singled out", "attribute": "private item"},
    everything="all items of a transaction",
    stated_by="at_most",
    worked="A worked person",
    opening="Somebody was seen with {target}.",
    learnt={"identity": "the transaction"},
    certain={
        "identity": "Only one transaction fits: it is theirs, with everything in it.",
        "attribute": "Every transaction that fits also holds {value}.",
    },
    guessed={
        "identity": "Whoever picks one of the transactions that fit is right with a chance of {chance}.",
        "attribute": "The transaction also holds {value} with a chance of {chance}.",
    },
    at_zero={"private_items": "No item is called private, so only singling out is measured."},
    kept={"nuggets": "combinations"},
    why={"infrequent": "rarer than you need", "category": "given as its category"},
)
