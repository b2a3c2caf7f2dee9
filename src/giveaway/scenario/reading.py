"""From a scenario file to values, with all its mistakes shown together."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, get_args

from giveaway import flow
from giveaway.assessment import Assessment
from giveaway.attacks import ATTACKS
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.answer.plain import is_deep
from giveaway.model.exact import ratio
from giveaway.model.paths import shown, special, unusable
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.filing import Filing
from giveaway.model.question.need import Need
from giveaway.model.question.presets import preset
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.as_before import Prefer
from giveaway.model.release.earlier import Earlier, refuse_chance
from giveaway.model.release.release import Release
from giveaway.scenario.building import Builder
from giveaway.scenario.earlier.fields import EarlierFields
from giveaway.scenario.fields import OF_TABLES, ReleaseFields
from giveaway.scenario.files import MayRead, inputs
from giveaway.scenario.limits import AttackerAsked, check_limits, tolerance_fields, tolerance_of
from giveaway.scenario.lines import Lines
from giveaway.scenario.loading import load
from giveaway.scenario.needs import load_needs, needs_fields
from giveaway.scenario.proposal.offers import first_attack
from giveaway.scenario.roles import check_before
from giveaway.scenario.words import read_toml

_BITS = 64
_DEEPEST = 20
_DECIDING = {"release", *(f"release.{name}" for name in ("kind", "private", "private_from", *OF_TABLES))}
"""Where a mistake leaves open what is published, and so which limits and roles there are."""
_SECTIONS = ("release", "earlier", "tolerates", "knows", "needs", "protect", "effort", "filing")


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario:
    r"""A question put completely; the files are read when the release or the needs are first asked for.

    >>> import giveaway as ga, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "baskets.dat").write_text("bread milk\nbread milk\nbread jam\n")
    >>> text = '''
    ... release = { data = "baskets.dat" }
    ... tolerates = { identity = "1/2" }
    ... knows = [{ attack = "items", at_most = 1 }]
    ... '''
    >>> scenario = ga.Scenario.from_text(text, folder)
    >>> scenario.assess().verdict, scenario.protect().withheld.items
    ('at risk', ('jam',))
    """

    name: str
    base: Path
    fields: ReleaseFields
    asked: tuple[Attacker, ...]
    """The attackers as they are written, before files that they name are read."""
    tolerances: tuple[Tolerance, ...]
    needed: Any
    """The section [needs], before files that it names are read."""
    effort: Effort
    options: Mapping[str, Mapping[str, Any]]
    lines: Lines
    given_before: tuple[EarlierFields, ...] = ()
    """The entries of [[earlier]], before the files that they name are read."""
    prefer: Prefer = "least"
    """Whether as little as can be is withheld, or what was withheld before and as little more."""
    filing: Filing | None = None
    files: tuple[Path, ...] = ()
    """The files that it names and that are there."""
    text: str = ""
    """What it was read from."""
    may_read: MayRead | None = None
    """Whether a file may be read; all may where nothing says."""

    @classmethod
    def read(cls, path: str | PathLike[str], *, may_read: MayRead | None = None) -> "Scenario":
        """Read a scenario file; all its mistakes are told at once.

        `may_read` is asked about each file that it names before it is touched, and the scenario is refused where it says no.
        """
        file = Path(path)
        values, text = read_scenario(file)
        return understand(values, base=file.parent, name=file.name, text=text, may_read=may_read)

    @classmethod
    def from_text(
        cls, text: str, folder: str | PathLike[str] = ".", *, may_read: MayRead | None = None
    ) -> "Scenario":
        """Read the text of a scenario; files that it names are looked for in a folder.

        `may_read` is asked about each of them before it is touched, and the scenario is refused where it says no.
        """
        values = parsed(text, "The scenario")
        return understand(values, base=Path(folder), name="", text=text, may_read=may_read)

    def again(self, text: str) -> "Scenario":
        """Read another text in the place of this one; what both ask of the same files is not read again."""
        other = Scenario.from_text(text, self.base, may_read=self.may_read)
        read, kept = vars(self), vars(other)
        if "attackers" in read and other.fields.reading(other.base) == self.fields.reading(self.base):
            pairs = dict(zip(map(repr, self.asked), self.attackers, strict=True))
            loaded = [pairs.get(repr(one)) for one in other.asked]
            if None not in loaded:
                kept["attackers"] = tuple(loaded)
        if "release" in read and self._loads_like(other):
            kept["release"] = self.release
        return other

    def _loads_like(self, other: "Scenario") -> bool:
        """Tell whether the data of another scenario would be read as those of this one."""
        roles = [{(one.attack, *one.looks_at()) for one in scenario.asked} for scenario in (self, other)]
        fields = [repr((one.fields, one.given_before)) for one in (self, other)]
        return roles[0] == roles[1] and fields[0] == fields[1]

    def assess(self, *, effort: Effort | None = None) -> Assessment:
        """Measure what each attacker learns from the release and judge it, as `assess` does."""
        effort = effort or self.effort
        with flow.watching(effort):
            judged = flow.assess(
                self.release, self.attackers, self.tolerances, need=self.needs, effort=effort
            )
        return replace(judged, filing=self.filing)

    def protect(
        self, *, effort: Effort | None = None, key: str | PathLike[str] | Sequence[Path] | None = None
    ) -> Assessment:
        """Withhold as little as can be found until every attacker is within tolerance, as `protect` does."""
        effort = effort or self.effort
        with flow.watching(effort):
            assessment = flow.protect(
                self.release,
                self.attackers,
                self.tolerances,
                need=self.needs,
                effort=effort,
                key=Path(key) if isinstance(key, str | PathLike) else key,
                earlier=None,
                prefer=self.prefer,
                **self.options,
            )
        return replace(assessment, filing=self.filing)

    @cached_property
    def attackers(self) -> tuple[Attacker, ...]:
        """The attackers, with what they know read from the files."""
        return tuple(self._loaded(place, attacker) for place, attacker in enumerate(self.asked))

    def _loaded(self, place: int, attacker: Attacker) -> Attacker:
        with self.lines.with_line(f"knows.{place}"):
            return attacker.loaded(self.fields.reading(self.base))

    @cached_property
    def release(self) -> Release:
        """The release, its data and the releases before it read from the files."""
        return load(self.fields, self.base, self.attackers, self.lines, self.given_before)

    @property
    def earlier(self) -> tuple[Earlier, ...]:
        """The releases that were given away before, read from their files."""
        return self.release.earlier

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """The needs; rules that must be published are read from their file."""
        return load_needs(self.needed, self.fields.reading(self.base), lambda: self.release)


def read_scenario(path: Path) -> tuple[dict[str, Any], str]:
    """Read a scenario file into nested values; return them with the text of the file."""
    why, kind = unusable(path), special(path)
    if why is not None:
        raise ScenarioError(f"{shown(path)} cannot be read: {why}.", hint="name another file.")
    if kind is not None:
        raise ScenarioError(f"{path} is {kind}, not a file.", hint="giveaway init DATA writes one.")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScenarioError(
            f"{path} cannot be read: {error.strerror}.", hint="giveaway init DATA writes one."
        ) from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path} is not UTF-8 text, as a scenario file must be.") from None
    return parsed(text, path.name), text


def parsed(text: str, name: str) -> dict[str, Any]:
    """Read the text of a scenario into nested values; `name` is what it is called when something is wrong."""
    values: dict[str, Any] | None
    try:
        values = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{name} is not TOML: {error}.") from None
    except RecursionError:
        values = None
    except (ValueError, ArithmeticError):  # what Python refuses to make of the digits that stand there
        raise ScenarioError(f"{name} holds a number that is too long to be read.") from None
    if values is None or is_deep(values, _DEEPEST):
        raise ScenarioError(f"{name} holds lists or sections too deep inside each other.")
    return values


def understand(
    values: Mapping[str, Any],
    *,
    base: Path,
    name: str,
    text: str = "",
    look: bool = True,
    may_read: MayRead | None = None,
) -> Scenario:
    """Turn nested values into a scenario, or raise one error with every mistake.

    That every file exists is a part of it, unless `look` is false.
    """
    lines = Lines(text)
    reader = _Reader(lines, base if look else None, may_read)
    values = _bounded(values)
    reader.only(values, _SECTIONS, "")
    fields = reader.sketch(values["release"], ReleaseFields, "release") if "release" in values else None
    if "release" not in values:
        reader.wrong("release", Mistake("The section [release] is missing."))
    common = reader.tolerance(values["tolerates"], "tolerates") if "tolerates" in values else None
    entries = reader.attackers(values.get("knows"))
    asked = reader.judged(entries, common, limited="tolerates" in values)
    needed = reader.build(values.get("needs", {}), needs_fields(), "needs")
    effort = reader.build(values.get("effort", {}), Effort, "effort")
    filing = reader.build(values["filing"], Filing, "filing") if "filing" in values else None
    options, prefer = reader.options(values.get("protect", {}), {one.attacker.attack for one in asked})
    before = reader.earlier(values.get("earlier", []))
    if fields is not None and reader.doubtful.isdisjoint(_DECIDING):
        check_limits(reader, fields, asked, common if len(asked) == len(entries) else None)
        check_before(reader, fields, asked, earlier="earlier" in values)
    mistakes = [*reader.mistakes, *reader.unfound]
    if mistakes or fields is None or needed is None or effort is None:
        raise ScenarioError(sorted(mistakes, key=_line))
    return Scenario(
        name=name,
        base=base,
        fields=fields,
        asked=tuple(one.attacker for one in asked),
        tolerances=tuple(one.tolerance for one in asked),
        needed=needed,
        effort=effort,
        options=options,
        given_before=before,
        prefer=prefer,
        lines=lines,
        files=tuple(dict.fromkeys(inputs(values, base))),
        filing=filing,
        text=text,
        may_read=may_read,
    )


def _bounded(values: Any) -> Any:
    """Take whole numbers that TOML does not have, those of more than 64 bits, for decimals, which no count can be."""
    if isinstance(values, Mapping):
        return {key: _bounded(value) for key, value in values.items()}
    if isinstance(values, list):
        return [_bounded(value) for value in values]
    return Decimal(values) if isinstance(values, int) and values.bit_length() >= _BITS else values


def _line(mistake: Mistake) -> int:
    return int(mistake.where.removeprefix("line ")) if mistake.where else 0


class _Reader(Builder):
    """Builds the sections of a scenario."""

    def attackers(self, entries: Any) -> list[tuple[Mapping[str, Any], Attacker | None]]:
        """Read every [[knows]]: what is written there, and the attacker if nothing is wrong with it."""
        if not isinstance(entries, list) or not entries:
            self.wrong(
                "knows",
                Mistake(
                    "No attacker is named.",
                    hint=f'add [[knows]] with attack = "{first_attack("rows")}" for a table, "{first_attack("transactions")}" for '
                    "transactions; giveaway explain tells them all.",
                ),
            )
            return []
        return [
            (entry if isinstance(entry, Mapping) else {}, self._attacker(entry, f"knows.{place}"))
            for place, entry in enumerate(entries)
        ]

    def _attacker(self, entry: Any, where: str) -> Attacker | None:
        if not isinstance(entry, Mapping) or "attack" not in entry:
            self.wrong(where, Mistake("An entry of [[knows]] names no attack.", ", ".join(ATTACKS)))
            return None
        attack = entry["attack"]
        if not isinstance(attack, str) or attack not in ATTACKS:
            self.wrong(f"{where}.attack", Mistake(f"There is no attack {attack}.", ", ".join(ATTACKS)))
            return None
        rest = {key: value for key, value in entry.items() if key not in ("attack", "tolerates")}
        kind: type[Attacker] = ATTACKS[attack].asks.scenario_fields or ATTACKS[attack].attacker
        return self.build(rest, kind, where)

    def tolerance(self, stated: Any, where: str) -> Tolerance | None:
        """Read limits; those that are written stand, and a preset gives the others that it has."""
        if not isinstance(stated, Mapping) or "preset" not in stated:
            fields = self.build(stated, tolerance_fields(), where)
            return None if fields is None else tolerance_of(fields)
        rest = {name: value for name, value in stated.items() if name != "preset"}
        try:
            limits = {name: ratio(limit) for name, limit in preset(stated["preset"]).limits.items()}
        except ScenarioError as error:
            for mistake in error.mistakes:
                self.wrong(f"{where}.preset", mistake)
            return None
        if self.build({**limits, **rest}, tolerance_fields(), where) is None:
            return None
        return Tolerance.preset(stated["preset"], **rest)

    def judged(
        self,
        entries: list[tuple[Mapping[str, Any], Attacker | None]],
        common: Tolerance | None,
        *,
        limited: bool,
    ) -> list[AttackerAsked]:
        """Give every attacker its own tolerance or the common one; those of which a part is wrong are left out."""
        asked: list[AttackerAsked] = []
        for place, (entry, attacker) in enumerate(entries):
            where = f"knows.{place}.tolerates"
            own = "tolerates" in entry
            tolerance = self.tolerance(entry["tolerates"], where) if own else common
            if attacker is not None and tolerance is not None:
                asked.append(AttackerAsked(place, attacker, tolerance, own=own))
        if not limited and any("tolerates" not in entry for entry, _ in entries):
            self.wrong(
                "tolerates", Mistake("Nothing says what you tolerate.", hint='[tolerates] identity = "1/5".')
            )
        return asked

    def earlier(self, entries: Any) -> tuple[EarlierFields, ...]:
        """Read every [[earlier]]."""
        if not isinstance(entries, list):
            self.wrong("earlier", Mistake("earlier must be a list of releases.", hint="write [[earlier]]."))
            return ()
        earlier = [self._one_earlier(entry, f"earlier.{place}") for place, entry in enumerate(entries)]
        return tuple(one for one in earlier if one is not None)

    def _one_earlier(self, entry: Any, where: str) -> EarlierFields | None:
        if isinstance(entry, Mapping) and "linked" in entry:
            before = len(self.mistakes)
            with self.collecting(f"{where}.linked"):
                refuse_chance(entry["linked"])
            if len(self.mistakes) > before:
                return None
        return self.build(entry, EarlierFields, where)

    def options(self, section: Any, used: set[str]) -> tuple[dict[str, Mapping[str, Any]], Prefer]:
        """Read [protect] and [protect.<attack>]."""
        if not isinstance(section, Mapping):
            self.wrong("protect", Mistake("protect must be a section of attacks."))
            return {}, "least"
        self.only(section, ("prefer", *ATTACKS), "protect")
        prefer = section.get("prefer", "least")
        if prefer not in get_args(Prefer):
            self.wrong(
                "protect.prefer", Mistake(f"prefer = {prefer!r} is unknown.", ", ".join(get_args(Prefer)))
            )
        options = {name: values for name, values in section.items() if name in ATTACKS}
        for name, values in options.items():
            self.build(values, ATTACKS[name].options, f"protect.{name}")
        return {name: values for name, values in options.items() if name in used}, prefer
