"""The words of reports about renamed items."""

from giveaway.model.answer.phrases import Phrases

PHRASES = Phrases(
    chances="Chance per target",
    stronger="If the attacker is right more often",
    could="could undo the codes",
    does={"identity": "recognise a target", "average": "recognise a target"},
    dot={"identity": "recognised", "average": "average"},
    succeeds="recognises",
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
