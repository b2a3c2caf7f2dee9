"""The section [needs], which has a field for each need that an attack serves."""

from collections.abc import Callable
from dataclasses import make_dataclass
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.model.question.fields import described
from giveaway.model.question.need import Need
from giveaway.model.question.reading import Reading
from giveaway.model.release.release import Release


def needs_fields() -> type[Any]:
    """Return the dataclass that the section is read into."""
    fields: list[tuple[str, Any, Any]] = [
        (need.word, _read_into(need) | None, described(need.meaning, default=None)) for need in _stated()
    ]
    return make_dataclass("NeedsFields", fields, frozen=True, kw_only=True)


def _stated() -> list[type[Need]]:
    """Return the needs that a scenario can state, each once."""
    served = (need for attack in ATTACKS.values() for need in attack.needs)
    return list({need.word: need for need in served if need.word}.values())


def _read_into(need: type[Need]) -> Any:
    """Return what the field of a need is read into."""
    return next(
        (
            attack.asks.need_fields
            for attack in ATTACKS.values()
            if attack.need is need and attack.asks.need_fields
        ),
        need,
    )


def load_needs(needed: Any, reading: Reading, release: Callable[[], Release]) -> tuple[Need, ...]:
    """Make the needs that are stated, with what their files hold."""
    stated = (getattr(needed, need.word) for need in _stated())
    return tuple(one.loaded(reading, release) for one in stated if one is not None)
