"""What no attacker of an assessment was judged on, in one list."""

from collections.abc import Iterable
from typing import Any

from giveaway.attacks.attack import Attack
from giveaway.attacks.wording import listed
from giveaway.model.answer.verdict import METHOD
from giveaway.model.layout import Others
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def not_judged(
    release: Release, judged: Iterable[tuple[Attack, Attacker, Tolerance]], *, shared: bool = False
) -> list[dict[str, Any]]:
    """List what a reader of the verdict must not take to be covered by it.

    Nothing of it depends on what is withheld, because it is shared with readers of the release; what columns look like
    is for the owner alone.
    """
    others = unjudged(release)
    columns = {
        "what": "columns",
        "says": f"{len(others):,} column{'s' if len(others) > 1 else ''}",
        "names": list(others),
        "looks_like": {name: shape for name, shape in others.items() if shape and not shared},
    }
    pairs = list(judged)
    texts = dict.fromkeys(
        text
        for attack, attacker, limits in pairs
        for text in attack.says.not_judged(release, attacker, limits)
    )
    uninformed = any(not attacker.knows_method for _, attacker, _ in pairs)
    return [
        *([columns] if others else []),
        *({"what": "attack", "says": text} for text in texts),
        *([{"what": "order", "says": "the order of the rows"}] if release.shows_order else []),
        *([{"what": "method", "says": METHOD}] if uninformed else []),
        {"what": "other releases", "says": _other_releases(release)},
    ]


def _other_releases(release: Release) -> str:
    judged = [one.name for one in release.earlier if one.ways]
    return f"releases other than {listed(judged)}" if judged else "other releases"


def unjudged(release: Release) -> Others:
    """Return the columns that are published without being judged; with rules instead of rows there are none."""
    origin = release.original.origin
    return {} if origin is None or release.rules is not None else origin.layout.others
