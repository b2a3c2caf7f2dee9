"""The words of reports about entries that were left blank."""

from giveaway.model.answer.phrases import Counted, Phrases

PHRASES = Phrases(
    in_paper={
        "safe partial table": "a release in which no rule over the limit tells a secret",
        "minconf, minsupp": "the limit attribute, and the support above which a rule is believed",
        "unsafe rule": "a rule over the limit: {unsafe_rules:,} here",
        "leaked entry": "a secret that such a rule tells: an exposure",
    },
    chances="Chance per secret entry",
    could="could infer an entry that was left blank",
    targets="entries",
    label="record",
    happens={
        "attribute": "Somebody who reads the rest of the table fills in what record {target} left blank: {value}, for certain.",
    },
    may_happen={
        "attribute": "Somebody who reads the rest of the table fills in what record {target} left blank: {value}, right "
        "with a chance of {chance}.",
    },
    little_left="Let other entries be hidden too ([needs] cells), put values into classes, or tolerate more.",
    exposed=Counted(
        figure="exposed_records",
        of="sensitive_records",
        noun="secret entries",
        how="can be inferred with too high a chance",
    ),
    does={"attribute": "infer a blank entry"},
    dot={"attribute": "blank entry"},
    worked="A worked person",
    opening="Somebody fills in what record {target} left blank.",
    why={
        "r-graph": "chosen by the R-graph",
        "cr": "chosen rule by rule",
        "by lot": "drawn by lot, so that a blank says nothing",
        "same columns": "hidden in all secrets equally",
    },
    titles={"limits": "Exposed at other limits", "hidden": "Hidden at other limits"},
    lines={"hidden": "entries hidden", "lower_bounds": "at least needed"},
)
