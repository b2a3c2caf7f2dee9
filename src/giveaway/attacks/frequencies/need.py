"""What readers of renamed items need."""

from dataclasses import dataclass

from giveaway.model.question.need import Need


@dataclass(frozen=True, kw_only=True)
class NeedsNothing(Need):
    """Nothing but as many items as possible, whatever they are."""
