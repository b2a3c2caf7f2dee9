"""The words of reports about records and the people who fit them."""

from giveaway.model.answer.phrases import Counted, Phrases

PHRASES = Phrases(
    chances="Chance per record",
    could="could find whose record it is",
    targets="records",
    exposed=Counted(
        figure="exposed_records",
        of="records",
        noun="records",
        how="agree with too few people of the directory",
    ),
    does={"identity": "find whose record it is", "average": "find whose record it is"},
    worked="A worked person",
    opening="Somebody looks up record {target}.",
    certain={"identity": "One person fits."},
    titles={
        "disclosed": "If records disclose more or fewer values",
        "size": "If the directory were smaller",
        "estimated": "Estimated against true loss",
    },
    lines={
        "disclosed": "as weighed",
        "disclosed_additive": "weights added",
        "disclosed_multiplicative": "weights multiplied",
        "size": "as weighed",
        "size_additive": "weights added",
        "size_multiplicative": "weights multiplied",
    },
    points=("estimated",),
)
