"""The section [needs], which has a field for each need that an attack serves."""

from collections.abc import Callable
from dataclasses import make_dataclass
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.model.question.fields import described
from giveaway.model.question.need import Need
from giveaway.model.question.reading import Reading
from giveaway.model.release.release import Release


def needs_fields() -> type[Any]:
    """Return the dataclass that the section is read into."""
    served = {attack.need.word: attack for attack in ATTACKS.values() if attack.need.word}
    fields: list[tuple[str, Any, Any]] = [
        (word, fields_of(attack) | None, described(attack.need.meaning, default=None))
        for word, attack in served.items()
    ]
    return make_dataclass("NeedsFields", fields, frozen=True, kw_only=True)


def fields_of(attack: Attack) -> Any:
    """Return what the field of an attack's need is read into."""
    return attack.need_fields or attack.need


def load_needs(needed: Any, reading: Reading, release: Callable[[], Release]) -> tuple[Need, ...]:
    """Make the needs that are stated, with what their files hold."""
    stated = (getattr(needed, attack.need.word, None) for attack in ATTACKS.values())
    return tuple(said.loaded(reading, release) for said in stated if said is not None)
