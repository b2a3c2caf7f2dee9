"""Ways to choose what is withheld that a guest brings: those of the papers, beside the ones that protect by default."""

from typing import Any

from giveaway.errors import NotInstalled
from giveaway.guests import brought


def way(attack: str, name: str) -> Any:
    """Return the function that chooses in this way."""
    choose = brought("ways", f"{attack}.{name}")
    if choose is None:
        raise NotInstalled(
            f"Nothing that is installed chooses by {name}, a way of the paper behind {attack}.",
            hint="install giveaway whole, or leave the method out.",
        )
    return choose
