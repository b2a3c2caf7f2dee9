"""The words of reports about profiles and published rules."""

from giveaway.model.answer.phrases import Counted, Lost, Phrases

PHRASES = Phrases(
    in_paper={
        "P(SA | QI)": "the chance of a sensitive value for a profile",
        "AR-, NAR-constraints": "what the listed rules say, and what it says that the others are not listed",
        "D_overall": "the mean divergence, {overall_divergence:.4g}",
    },
    chances="Chance per person",
    could="could infer somebody's private value from what is published",
    targets="profiles",
    weaker="If only some of the rules are read",
    stronger="If more of the rules are read",
    happens={
        "attribute": "Somebody who knows a person with {target} concludes from what is published: {value}, for "
        "certain.",
    },
    may_happen={
        "attribute": "Somebody who knows a person with {target} concludes from what is published: {value}, with a "
        "chance of {chance}.",
    },
    little_left="Publish scores with fewer digits instead of fewer rules, raise the thresholds, or tolerate more.",
    exposed=Counted(
        figure="people_above",
        of="records",
        noun="people",
        how="have a value that is inferred with a chance over the limit",
        one="has a value that is inferred with a chance over the limit",
    ),
    does={"attribute": "infer a private value"},
    worked="A worked person",
    opening="Somebody reads what is published and thinks of a person with {target}.",
    certain={"attribute": "What is published leaves one answer: {value}."},
    guessed={"attribute": "What is published makes {value} the likely answer, with a chance of {chance}."},
    kept={"rules_support": "rule support"},
    lost={
        "people": Lost(says="{count} support it", names="people who support it"),
        "scores": Lost(says="{count} of them", names="scores"),
        "statements": Lost(says="", names="statements"),
    },
    why={
        "scores": "fewer digits of the scores are enough",
        "thresholds": "higher thresholds are enough",
        "statements": "most people over the limit are among these",
    },
    titles={
        "divergence_by_confidence": "If only surer rules are published",
        "divergence_by_support": "If only more frequent rules are published",
        "divergence_with_silence": "What the silence about other rules tells",
        "divergence_by_rules": "If only the surest rules are published",
        "hurt_most_by_silence": "Whom the silence hurts most",
        "hurt_most_by_scores": "Whom the scores hurt most",
    },
    lines={
        "divergence_by_confidence": "scores published",
        "divergence_withheld": "scores withheld",
        "divergence_with_silence": "with the silence",
        "divergence_without_silence": "rules alone",
    },
)
