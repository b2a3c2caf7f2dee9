"""The words of reports about renamed items."""

from dataclasses import replace

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.model.answer.phrases import Phrases

PHRASES = Phrases(
    in_paper={
        "crack": "an item is recognised from its code; {expected_cracks:.4g} are expected",
        "belief function": "the range of frequencies that somebody believes of each item",
        "alpha-compliant": "right about a part of the items, here {compliance:.3g}",
        "alpha_max": "the largest part that holds the limit: {breaking_point:.3g} by the O-estimate, {breaking_point_exact_risk:.3g} by the chances found",
        "O-estimate": "{o_estimate:.4g} items; {o_estimate_plain:.4g} before Propagate",
    },
    chances="Chance that a code is recognised",
    stronger="If the attacker is right more often",
    weaker="If the attacker is right less often",
    could="could work out which items the codes stand for",
    targets="items",
    label="item",
    happens={
        "identity": "Somebody who knows how often things are bought recognises the code of {target}: from then on every "
        "transaction with that code shows {target}.",
    },
    may_happen={
        "identity": "Somebody who knows how often things are bought is right with a chance of {chance} about the code of "
        "{target}; every transaction with that code would then show {target}.",
    },
    little_left="Codes alone hide items badly when they are bought at very different rates. Put items together into "
    "groups that are bought about equally often, publish without codes if the names are harmless, or tolerate more.",
    does={"identity": "recognise an item by its code", "average": "recognise an item by its code"},
    dot={"identity": "recognised", "average": "average"},
    succeeds="recognises",
    worked="A worked item",
    opening="Somebody knows about how often {target} is bought, and looks for a code that is as frequent.",
    certain={"identity": "Only one code fits: it stands for that item."},
    guessed={"identity": "The best guess at the code is right with a chance of {chance}."},
    being="right about",
    titles={
        "known_pairs": "If more pairs are known",
        "mean_chance": "Mean chance, if the attacker is right more often",
        "similar_data": "What somebody with similar data gets right",
    },
    lines={
        "mean_chance": "mean chance",
        "os": "OS estimate",
        "known_pairs": "with known pairs",
        "no_pairs": "without pairs",
    },
)

OF_SETS = replace(PHRASES, targets="sets", chances="Chance that the codes of a set are recognised")
OF_PAIRS = replace(OF_SETS, targets="pairs")

OF_PEOPLE = replace(
    PHRASES,
    in_paper={},
    chances="Chance that a person is recognised",
    could="could work out whose the records are",
    targets="people",
    label="person",
    happens={
        "identity": "Somebody who knows a little of everybody matches all people with all records, and finds that of {target}: "
        "everything else in it is known."
    },
    may_happen={
        "identity": "Somebody who knows a little of everybody matches all people with all records, and is right with a chance of "
        "{chance} about that of {target}."
    },
    little_left="Too few records look the same in what is known. Put values into classes, leave out a column that is known, "
    "or tolerate more.",
    does={"identity": "recognise a person by their record", "average": "recognise a person by their record"},
    worked="A worked person",
    opening="Something is known of {target}, and a record is looked for that agrees.",
    certain={"identity": "Only one record can be theirs."},
    guessed={"identity": "The best guess at their record is right with a chance of {chance}."},
)


def phrases_of(attacker: KnowsFrequencies) -> Phrases:
    """Return the words of reports on an attacker, by what is recognised."""
    if attacker.of_people:
        return OF_PEOPLE
    return OF_PAIRS if attacker.targets == "pairs" else OF_SETS if attacker.wants_sets else PHRASES
