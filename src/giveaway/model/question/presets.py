"""Limits that others have used, each with the sentence that it was read in: never a claim to satisfy a rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import near_labels

READ = "2026-11-16"
"""When the sources were read."""

_MOST_CROWD = 50
_NEAR = Fraction(98, 100)
"""From a crowd of 50 on every limit is within 2 % of some 1/k: there the remark would say nothing."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Limits under a name, and where they come from; the numbers of a name never change.

    >>> PRESETS["cell-11"].limits["identity"], PRESETS["cell-11"].crowd
    (Fraction(1, 11), 11)
    """

    name: str
    limits: Mapping[str, Fraction]
    sentence: str
    """What the source says, in its words."""
    source: str
    seen: str
    """What of the source was read: its own text, a copy or an abstract."""
    certainty: str
    note: str = ""
    version: int = 1
    read: str = READ

    @property
    def crowd(self) -> int:
        """The smallest crowd that is within `identity`."""
        return crowd(self.limits["identity"])


@dataclass(frozen=True, kw_only=True)
class FromPreset:
    """That a tolerance comes from a preset, and which of its limits were given otherwise."""

    preset: Preset
    overridden: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what the Summary says of it."""
        one = self.preset
        return {
            "name": one.name,
            "version": one.version,
            "source": one.source,
            "sentence": one.sentence,
            "certainty": one.certainty,
            "note": one.note or None,
            "read": one.read,
            "overridden": list(self.overridden),
        }


def crowd(limit: Fraction) -> int:
    """Return the least k with 1/k within a limit.

    >>> crowd(Fraction("0.09")), crowd(Fraction(1, 11))
    (12, 11)
    """
    return -(-limit.denominator // limit.numerator)


def near_miss(limit: Fraction) -> int | None:
    """Return the k of a 1/k that a limit is just below, by at most 2 %, so that a larger crowd is asked for than was meant.

    >>> near_miss(Fraction("0.09")), near_miss(Fraction(1, 11)), near_miss(Fraction("0.075"))
    (11, None, None)
    """
    size = crowd(limit) - 1
    if limit.numerator == 1 or not 1 < size <= _MOST_CROWD:
        return None
    return size if limit * size >= _NEAR else None


def preset(name: object) -> Preset:
    """Find a preset by its name."""
    if isinstance(name, str) and name in PRESETS:
        return PRESETS[name]
    near = near_labels(str(name), PRESETS, most=1)
    hint = f'did you mean "{near[0]}"?' if near else "giveaway explain presets tells where each comes from."
    raise ScenarioError(f"There is no preset {name}.", exists=", ".join(PRESETS), hint=hint)


def _limits(**texts: str) -> Mapping[str, Fraction]:
    return MappingProxyType({name: Fraction(text) for name, text in texts.items()})


def _precedent(name: str, limit: str, sentence: str, certainty: str = "high", note: str = "") -> Preset:
    return Preset(
        name=name,
        limits=_limits(identity=limit),
        sentence=sentence,
        source="K. El Emam, Cell Size Precedents, 2013, taylorfrancis.com/chapters/mono/10.1201/b14764-29",
        seen="abstract",
        certainty=certainty,
        note=note,
    )


def _industry(name: str, limit: str) -> Preset:
    return Preset(
        name=name,
        limits=_limits(identity=limit),
        sentence="Generally the industry threshold for k-anonymity value is at 3 or 5.",
        source="PDPC Guide to Basic Anonymisation, 31 March 2022, p. 24, issuu.com/9349442/docs/mervinskiy_494/24",
        seen="copy",
        certainty="high for the words",
        note="It describes what industry does and sets no rule.",
    )


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        one.name: one
        for one in (
            _precedent("cell-3", "1/3", "Some custodians use a cell size of 3"),
            _precedent(
                "cell-5", "1/5", "Historically, data custodians have used the “cell size of five” rule"
            ),
            _precedent(
                "cell-11",
                "1/11",
                "For the public release of data, a cell size of 11 has been used in the United States",
            ),
            _precedent(
                "cell-20",
                "1/20",
                "a cell size of 20 for public Canadian and U.S. patent data",
                "high that it was used",
                "“patent” is printed so.",
            ),
            _industry("pdpc-3", "1/3"),
            _industry("pdpc-5", "1/5"),
            Preset(
                name="arx-default",
                limits=_limits(identity="1/5", share="1/20", average="1/20"),
                sentence="highest risk 0.2, records at risk 0.05, success rate 0.05",
                source="github.com/arx-deidentifier/arx, ModelRisk.java, lines 140, 151 and 162",
                seen="original",
                certainty="certain",
                note="A tool's default, not a norm.",
            ),
        )
    }
)
