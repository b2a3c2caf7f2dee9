"""From a scenario file to values, with all its mistakes shown together."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from giveaway.attacks import ATTACKS
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.attacker import Attacker
from giveaway.model.effort import Effort
from giveaway.model.need import Need
from giveaway.model.release import Release
from giveaway.model.tolerance import Tolerance
from giveaway.scenario.attackers import KNOWS, loaded
from giveaway.scenario.building import Builder
from giveaway.scenario.fields import NeedsFields, ReleaseFields
from giveaway.scenario.limits import check_limits
from giveaway.scenario.lines import Lines
from giveaway.scenario.loading import load, load_needs
from giveaway.scenario.roles import check_before

T = TypeVar("T")

_SECTIONS = ("release", "tolerates", "knows", "needs", "protect", "effort")


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario:
    """A question put completely; the files are read when the release or the needs are first asked for."""

    name: str
    base: Path
    fields: ReleaseFields
    asked: tuple[Attacker, ...]
    """The attackers as they are written, before files that they name are read."""
    tolerances: tuple[Tolerance, ...]
    needed: NeedsFields
    effort: Effort
    options: Mapping[str, Mapping[str, Any]]
    lines: Lines

    @cached_property
    def attackers(self) -> tuple[Attacker, ...]:
        """The attackers, with what they know read from the files."""
        return tuple(self._loaded(place, attacker) for place, attacker in enumerate(self.asked))

    def _loaded(self, place: int, attacker: Attacker) -> Attacker:
        with self.lines.told(f"knows.{place}"):
            return loaded(attacker, self.base, self.fields)

    @cached_property
    def release(self) -> Release:
        """The release, its data read from the files."""
        return load(self.fields, self.base, self.attackers, self.lines)

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """The needs; rules that must be published are read from their file."""
        return load_needs(self.needed, self.base, lambda: self.release)


def read_scenario(path: Path) -> tuple[dict[str, Any], str]:
    """Read a scenario file into nested values; return them with the text of the file."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text, parse_float=Decimal), text
    except OSError as error:
        raise ScenarioError(
            f"{path} cannot be read: {error.strerror}.", hint="giveaway init DATA writes one."
        ) from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path} is not UTF-8 text, as a scenario file must be.") from None
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path.name} is no TOML: {error}.") from None


def understand(values: Mapping[str, Any], *, base: Path, name: str, text: str = "") -> Scenario:
    """Turn nested values into a scenario, or raise one error with every mistake."""
    lines = Lines(text)
    reader = _Reader(lines)
    reader.only(values, _SECTIONS, "")
    fields = reader.section(values, "release", ReleaseFields)
    common = reader.section(values, "tolerates", Tolerance) if "tolerates" in values else None
    pairs = reader.attackers(values.get("knows"), common)
    needed = reader.section(values, "needs", NeedsFields) if "needs" in values else NeedsFields()
    effort = reader.section(values, "effort", Effort) if "effort" in values else Effort()
    options = reader.options(values.get("protect", {}), {a.attack for a, _ in pairs})
    attackers, tolerances = (tuple(part) for part in zip(*pairs, strict=True)) if pairs else ((), ())
    if fields is not None and not reader.mistakes:
        check_limits(reader, fields, attackers, tolerances, common)
        check_before(reader, fields, attackers)
    if reader.mistakes or fields is None or needed is None or effort is None:
        raise ScenarioError(sorted(reader.mistakes, key=_line))
    return Scenario(
        name=name,
        base=base,
        fields=fields,
        asked=attackers,
        tolerances=tolerances,
        needed=needed,
        effort=effort,
        options=options,
        lines=lines,
    )


def _line(mistake: Mistake) -> int:
    return int(mistake.where.removeprefix("line ")) if mistake.where else 0


class _Reader(Builder):
    """Builds the sections of a scenario."""

    def section(self, values: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
        given = values.get(name)
        if given is None:
            self.wrong(name, Mistake(f"The section [{name}] is missing."))
            return None
        return self.build(given, kind, name)

    def attackers(self, given: Any, common: Tolerance | None) -> list[tuple[Attacker, Tolerance]]:
        """Read every [[knows]], each with its own tolerance or the common one."""
        if not isinstance(given, list) or not given:
            self.wrong(
                "knows",
                Mistake(
                    "No attacker is named.",
                    hint='add [[knows]] with attack = "directory" for a table, "items" for transactions; giveaway '
                    "explain tells them all.",
                ),
            )
            return []
        pairs = [self._attacker(entry, place, common) for place, entry in enumerate(given)]
        return [pair for pair in pairs if pair is not None]

    def _attacker(
        self, entry: Any, place: int, common: Tolerance | None
    ) -> tuple[Attacker, Tolerance] | None:
        where = f"knows.{place}"
        if not isinstance(entry, Mapping) or "attack" not in entry:
            self.wrong(where, Mistake("An entry of [[knows]] names no attack.", ", ".join(ATTACKS)))
            return None
        attack = entry["attack"]
        if attack not in ATTACKS:
            self.wrong(f"{where}.attack", Mistake(f"There is no attack {attack}.", ", ".join(ATTACKS)))
            return None
        own = entry.get("tolerates")
        tolerance = common if own is None else self.build(own, Tolerance, f"{where}.tolerates")
        rest = {key: value for key, value in entry.items() if key not in ("attack", "tolerates")}
        attacker = self.build(rest, KNOWS.get(attack, ATTACKS[attack].attacker), where)
        if tolerance is None and not self.mistakes:
            self.wrong(
                "tolerates", Mistake("Nothing says what you tolerate.", hint='[tolerates] identity = "1/5".')
            )
        return None if attacker is None or tolerance is None else (attacker, tolerance)

    def options(self, given: Any, used: set[str]) -> dict[str, Mapping[str, Any]]:
        """Read [protect.<attack>]."""
        if not isinstance(given, Mapping):
            self.wrong("protect", Mistake("protect must be a section of attacks."))
            return {}
        self.only(given, ATTACKS, "protect")
        found = {name: values for name, values in given.items() if name in ATTACKS}
        for name, values in found.items():
            self.build(values, ATTACKS[name].options, f"protect.{name}")
        return {name: values for name, values in found.items() if name in used}
