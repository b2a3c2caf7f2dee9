"""The words of a report that differ from attack to attack; those of no attack are neutral."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.plain import plain
from giveaway.model.answer.risk import Curve

Words = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Two figures, a part and its whole, and what they count."""

    figure: str
    of: str
    noun: str
    how: str
    """What is true of the part, after the noun."""
    one: str = ""
    """The same of a part of one, where that is written otherwise."""
    kind: str = ""
    """The kind of chance that is counted, where not all are."""


@dataclass(frozen=True, kw_only=True)
class Lost:
    """How a loss is told: with its counted number in the place of {count}, and as the head of a column."""

    says: str
    names: str


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The copy of one attack. {target}, {value} and {chance} stand for what is known only when it is measured."""

    chances: str = "Chance per target"
    """The title of the curve `chances`."""
    stronger: str = "If the attacker knows more"
    """The title of the curve `strength`."""
    weaker: str = "If the attacker knows less"
    """The same where the attacker that was stated is the strongest that the curve shows."""
    could: str = "could learn more about a person than the owner meant"
    could_too: str = ""
    """What follows it where `exposed_too` is limited."""
    targets: str = "targets"
    label: str = ""
    """What a target is whose label is a bare number, in the singular."""
    exposed: Counted | None = None
    """The figures that count who is exposed; those that are None are not limited."""
    exposed_too: Counted | None = None
    """The figures that count who else is exposed, to another kind of chance."""
    listed: Counted | None = None
    """The figures that count which of the targets over the limit are listed, where not all are."""
    happens: Words = field(default_factory=dict)
    """What happens to a person or a thing when nothing is in doubt, for each kind of chance: it begins with "Somebody who"."""
    may_happen: Words = field(default_factory=dict)
    """The same where there is a {chance}."""
    little_left: str = ""
    """What to try when hardly anything is left to publish."""
    does: Words = field(default_factory=dict)
    """What succeeding means, for each kind of chance."""
    dot: Words = field(default_factory=dict)
    """A name of at most three words, for each kind of chance."""
    guesses: Words = field(default_factory=dict)
    """Whose chance the baseline is, for each kind of chance, where it is not that of somebody without the release."""
    succeeds: str = "succeeds with"
    """What the attacker does with a part of the targets, on average."""
    everything: str = ""
    """What somebody knows who cannot know more, where that is more than a number of things."""
    being: str = ""
    """Where strength is a part of the targets: what the attacker is on that part, as in "right about"."""
    stated_by: str = ""
    """The field of the attacker that says where it stands on the curve `strength`, where no mark does."""
    worked: str = "A worked example"
    opening: str = "Somebody looks for {target}."
    """How the worked example begins."""
    openings: Words = field(default_factory=dict)
    """The same for each kind of chance, where it begins otherwise."""
    learnt: Words = field(default_factory=dict)
    """What is learnt of a target that has no value, for each kind of chance."""
    certain: Words = field(default_factory=dict)
    """How the worked example ends when nothing is in doubt, for each kind of chance."""
    guessed: Words = field(default_factory=dict)
    """How it ends when there is a {chance}, for each kind of chance."""
    at_zero: Words = field(default_factory=dict)
    """What to say when a figure is 0."""
    kept: Words = field(default_factory=dict)
    """The nouns of what is kept, where they are not its names."""
    lost: Mapping[str, Lost] = field(default_factory=dict)
    """How a loss is told, for each unit that is not simply lost with what is withheld."""
    in_paper: Words = field(default_factory=dict)
    """The words of the paper with what they are here; figures stand in braces, and where one is missing the word is left out."""
    why: Words = field(default_factory=dict)
    """Why something was withheld, for the words of the ledger."""
    titles: Words = field(default_factory=dict)
    """The titles of curves that only this attack has."""
    lines: Words = field(default_factory=dict)
    """The names of curves that stand in one picture with others."""
    points: tuple[str, ...] = ()
    """The curves that are drawn as points."""
    bars: tuple[str, ...] = ()
    """The curves that count targets by chance, as `chances` does."""


_WHY = {"greedy": "ends most at least cost", "exact": "proved best"}
"""Why something was withheld, in the words of all attacks that have none of their own."""

_NAMES = ("figure", "of", "kind", "stated_by")
"""What names something for programs."""

_OF_CURVES = ("titles", "lines", "points", "bars")


def words_of(phrases: Phrases) -> dict[str, Any]:
    """Return what a Summary says of an attack's words; those of its curves stand with the curves."""
    return {
        name: _with_nouns(words) if name not in _NAMES else words
        for name, words in plain(phrases).items()
        if words and name not in _OF_CURVES
    }


def _with_nouns(words: Any) -> Any:
    """Put the nouns of a release into the words of an attack, which hold no value of the data; names of figures stay."""
    if isinstance(words, Mapping):
        return {name: part if name in _NAMES else _with_nouns(part) for name, part in words.items()}
    return nouns().told(words) if isinstance(words, str) else words


def why_in_words(phrases: Phrases, why: str) -> str:
    """Say why something was withheld."""
    return nouns().told(phrases.why.get(why) or _WHY.get(why, why))


def curves_of(curves: Iterable[Curve], phrases: Phrases) -> list[dict[str, Any]]:
    """Return the curves of a Summary, each with what stands in its picture."""
    return [
        {
            **plain(curve),
            "title": _with_nouns(phrases.titles.get(curve.name)),
            "line": _with_nouns(phrases.lines.get(curve.name)),
            "points": curve.name in phrases.points,
            "bars": curve.name in phrases.bars,
        }
        for curve in curves
    ]
