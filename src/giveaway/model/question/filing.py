"""What the owner adds to the document that is filed: nothing of it is measured."""

from dataclasses import dataclass, fields

from giveaway.errors import ScenarioError
from giveaway.model.question.fields import described, documented


@documented
@dataclass(frozen=True, kw_only=True)
class Filing:
    """The owner's part of the document for a review; what is left out is a line to fill in.

    >>> Filing(purpose="research").purpose
    'research'
    """

    title: str = described("of the document", default="")
    organisation: str = described("who releases the data", default="")
    version: str = described("of the document", default="")
    people: tuple[str, ...] = described("who prepared and who reviews it, each with a role", default=())
    review_date: str = described("when it was, or will be, reviewed", default="")
    purpose: str = described("what the data are released for", default="")
    publishes: str = described("what is released, in your words", default="")
    recipients: str = described("who gets it", default="")
    controls: str = described("contract, access, logging", default="")
    sharing: str = described("how it is shared: open, under a contract, in a room of yours", default="")
    removed: str = described("identifiers that were taken out before giveaway read the data", default="")
    why: str = described("why these attackers", default="")
    dismissed: str = described("who else was thought of, and why they are left out", default="")
    why_limit: str = described("why these limits", default="")
    attempt: str = described("how likely it is that somebody tries; never multiplied in", default="")
    use: str = described("what readers do with the data", default="")
    decision: str = described("approved, refused, or approved with conditions", default="")
    conditions: str = described("of the approval", default="")
    decided_by: str = described("name and role", default="")
    decided_on: str = described("date", default="")
    next_review: str = described("date", default="")
    reopen: str = described("what would reopen the decision", default="")

    def __post_init__(self) -> None:
        for one in fields(self):
            stated = getattr(self, one.name)
            texts = stated if isinstance(stated, tuple) else (stated,)
            if not all(isinstance(text, str) for text in texts):
                raise ScenarioError(f"{one.name} = {stated!r} must be text.", field=one.name)
