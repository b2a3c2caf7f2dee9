"""The words of reports about records and the people who fit them."""

from giveaway.model.answer.phrases import Counted, Phrases

PHRASES = Phrases(
    in_paper={
        "dictionary": "the directory in which somebody looks people up",
        "disclosure rule": "what each record shows: the release",
        "consistency set (rho)": "the people of the directory who agree with a record; the smallest has {min_candidates:,}",
        "risk": "the mean loss, {risk:.4g}",
    },
    chances="Chance per record",
    could="could find whose record it is",
    could_too=", or guess somebody's sensitive value",
    targets="records",
    label="record",
    happens={
        "identity": "Somebody who looks up record {target} finds one person who fits, and so knows whose record it is.",
        "attribute": "Somebody who knows {target} finds only records that show {value}, and so knows it of this person.",
    },
    may_happen={
        "identity": "Somebody who looks up record {target} names the right person with a chance of {chance}.",
        "attribute": "Somebody who knows {target} is right with a chance of {chance} to say {value} of this person.",
    },
    little_left="Put values into classes or give hierarchies, so that entries become coarser instead of empty; compare "
    "fewer columns, or tolerate more.",
    exposed=Counted(
        figure="exposed_records",
        of="records",
        noun="records",
        how="are too easy to recognise",
        one="is too easy to recognise",
        kind="identity",
    ),
    exposed_too=Counted(
        figure="exposed_people",
        of="people",
        noun="people",
        how="have a sensitive value that is too easy to guess",
        one="has a sensitive value that is too easy to guess",
        kind="attribute",
    ),
    does={
        "identity": "find whose record it is",
        "attribute": "guess somebody's sensitive value",
        "average": "find whose record it is",
    },
    dot={"attribute": "sensitive value"},
    guesses={"attribute": "for somebody who knows nothing of the person"},
    stated_by="at_most",
    worked="A worked person",
    opening="Somebody looks up record {target}.",
    openings={"attribute": "Somebody wants to know a sensitive value of {target}."},
    certain={"identity": "One person fits.", "attribute": "Guessing {value} is certain to be right."},
    guessed={"attribute": "Guessing {value} is right with a chance of {chance}."},
    why={
        "crowds": "so that enough people look alike",
        "levels": "one level for the whole column",
        "least risk": "least risk for the values that are left",
        "minrisk": "chosen by MinRisk",
    },
    titles={
        "told": "Chance per person",
        "disclosed": "If records disclose more or fewer values",
        "size": "If the directory were smaller",
        "estimated": "Estimated against true loss",
    },
    lines={
        "disclosed": "MinRisk, as weighed",
        "disclosed_additive": "weights added",
        "disclosed_multiplicative": "weights multiplied",
        "disclosed_best": "best choice, as weighed",
        "size": "as weighed",
        "size_additive": "weights added",
        "size_multiplicative": "weights multiplied",
    },
    points=("estimated",),
    bars=("told",),
)
