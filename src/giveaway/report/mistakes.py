"""What is wrong with a question, as text for the terminal."""

from collections.abc import Sequence

from giveaway.errors import Mistake
from giveaway.masking import masked


def render(mistakes: Sequence[Mistake], *, heading: str) -> str:
    """Show mistakes together: the fact, what there is, a hint, and where it stands."""
    if len(mistakes) == 1 and mistakes[0].where is None:
        lines = [f"{heading}: {_clean(mistakes[0].fact)}"]
        return "\n".join(lines + [f"  {line}" for line in _rest(mistakes[0])])
    count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
    lines = [f"{heading}: {count}."]
    margin = max(9, *(len(mistake.where or "") + 2 for mistake in mistakes))
    for mistake in mistakes:
        lines.append(f"  {_clean(mistake.where or ''):{margin}}{_clean(mistake.fact)}")
        lines.extend(f"  {'':{margin}}{line}" for line in _rest(mistake))
    return "\n".join(lines)


def _rest(mistake: Mistake) -> list[str]:
    said = [("it has", mistake.exists), ("hint", mistake.hint)]
    return [f"{name}: {_clean(text)}" for name, text in said if text]


def _clean(text: str) -> str:
    """Keep passwords, and control characters of hostile labels, off the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in masked(text))
