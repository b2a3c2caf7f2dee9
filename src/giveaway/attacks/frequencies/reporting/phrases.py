"""The words of reports about renamed items."""

from giveaway.model.answer.phrases import Phrases

PHRASES = Phrases(
    chances="Chance per item or set",
    stronger="If the attacker is right more often",
    could="could undo the item codes",
    does={"identity": "recognise an item or set", "average": "recognise an item"},
    dot={"identity": "recognised", "average": "average"},
    succeeds="recognises",
    being="right about",
    titles={"similar_data": "What somebody with similar data gets right"},
)
