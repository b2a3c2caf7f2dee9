"""From a scenario file to values, with all its mistakes shown together."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from giveaway.attacks import ATTACKS
from giveaway.errors import DataError, Mistake, ScenarioError
from giveaway.model.attacker import Attacker
from giveaway.model.effort import Effort
from giveaway.model.fields import settable
from giveaway.model.need import Need
from giveaway.model.release import Release
from giveaway.model.tolerance import Tolerance
from giveaway.scenario.fields import LATER, NeedsFields, ReleaseFields

T = TypeVar("T")

_SECTIONS = ("release", "tolerates", "knows", "needs", "protect", "effort")


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario:
    """A question put completely; the data are read when the release is first asked for."""

    name: str
    base: Path
    fields: ReleaseFields
    attackers: tuple[Attacker, ...]
    tolerances: tuple[Tolerance, ...]
    needs: tuple[Need, ...]
    effort: Effort
    options: Mapping[str, Mapping[str, Any]]

    @cached_property
    def release(self) -> Release:
        """The release, its data read from the file."""
        return _load(self.fields, self.base)


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
    reader = _Reader(text)
    reader.only(values, _SECTIONS, "the scenario")
    fields = reader.section(values, "release", ReleaseFields)
    common = reader.section(values, "tolerates", Tolerance) if "tolerates" in values else None
    pairs = reader.attackers(values.get("knows"), common)
    needs = reader.section(values, "needs", NeedsFields) if "needs" in values else NeedsFields()
    effort = reader.section(values, "effort", Effort) if "effort" in values else Effort()
    options = reader.options(values.get("protect", {}), {a.attack for a, _ in pairs})
    if reader.mistakes or fields is None or needs is None or effort is None:
        raise ScenarioError(sorted(reader.mistakes, key=_line))
    return Scenario(
        name=name,
        base=base,
        fields=fields,
        attackers=tuple(attacker for attacker, _ in pairs),
        tolerances=tuple(tolerance for _, tolerance in pairs),
        needs=tuple(need for need in (needs.itemsets,) if need is not None),
        effort=effort,
        options=options,
    )


def _line(mistake: Mistake) -> int:
    return int(mistake.where.removeprefix("line ")) if mistake.where else 0


class _Reader:
    """Builds values and collects mistakes with the line they stand on."""

    def __init__(self, text: str) -> None:
        self.mistakes: list[Mistake] = []
        self._lines = text.splitlines()

    def wrong(self, where: str, mistake: Mistake) -> None:
        self.mistakes.append(replace(mistake, where=mistake.where or self._place(where)))

    def only(
        self, values: Mapping[str, Any], known: Iterable[str], where: str, later: Iterable[str] = ()
    ) -> None:
        """Refuse keys that do not exist."""
        known = list(known)
        for key in values:
            if key in later:
                self.wrong(
                    f"{where}.{key}", Mistake(f"{key} belongs to an attack that this version does not have.")
                )
            elif key not in known:
                close = get_close_matches(str(key), known, 1)
                hint = f"did you mean {close[0]}?" if close else None
                self.wrong(f"{where}.{key}", Mistake(f"{where} has no field {key}.", ", ".join(known), hint))

    def section(self, values: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
        given = values.get(name)
        if given is None:
            self.wrong(name, Mistake(f"The section [{name}] is missing."))
            return None
        return self.build(given, kind, name, LATER.get(name, ()))

    def build(self, given: Any, kind: type[T], where: str, later: Iterable[str] = ()) -> T | None:
        """Make a dataclass of a mapping; None after a mistake."""
        if not isinstance(given, Mapping):
            self.wrong(where, Mistake(f"{where} must be a section of fields."))
            return None
        fields = settable(kind)
        before = len(self.mistakes)
        self.only(given, fields, where, later)
        for name, field in fields.items():
            if name not in given and field.default is MISSING:
                self.wrong(where, Mistake(f"{where} needs {name}: {field.metadata['doc']}."))
        hints = get_type_hints(kind)
        made = {
            name: self._value(given[name], hints[name], f"{where}.{name}", field)
            for name, field in fields.items()
            if name in given
        }
        if len(self.mistakes) > before:
            return None
        try:
            return kind(**made)
        except ScenarioError as error:
            for mistake in error.mistakes:
                key = next((name for name in made if mistake.fact.startswith(f"{name} ")), None)
                self.wrong(f"{where}.{key}" if key else where, mistake)
            return None

    def _value(self, value: Any, hint: Any, where: str, field: Field[Any]) -> Any:
        """Convert one value by the type of its field; limits stay as written and are read exactly."""
        options = get_args(hint) if type(None) in get_args(hint) else (hint,)
        inner = next(option for option in options if option is not type(None))
        if isinstance(inner, type) and hasattr(inner, "__dataclass_fields__"):
            return self.build(value, inner, where)
        if get_origin(inner) is tuple:
            values = value if isinstance(value, list) else [value]
            return tuple(self._text(part, where) for part in values)
        if str(inner).startswith("typing.Literal"):
            if value not in get_args(inner):
                fact = f"{field.name} = {value!r} is unknown."
                self.wrong(where, Mistake(fact, ", ".join(map(str, get_args(inner)))))
            return value
        if inner is str:
            return self._text(value, where)
        if inner is float and isinstance(value, Decimal):
            return float(value)
        if inner is bool and not isinstance(value, bool):
            self.wrong(where, Mistake(f"{field.name} = {value!r} must be true or false."))
        return value

    def _text(self, value: Any, where: str) -> str:
        if not isinstance(value, str):
            self.wrong(where, Mistake(f"{where} must be text, not {value!r}.", hint=f'write "{value}".'))
        return str(value)

    def attackers(self, given: Any, common: Tolerance | None) -> list[tuple[Attacker, Tolerance]]:
        """Read every [[knows]], each with its own tolerance or the common one."""
        if not isinstance(given, list) or not given:
            self.wrong(
                "knows", Mistake("No attacker is named.", hint='[[knows]] with attack = "items", or --knows.')
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
            known = attack in LATER["attack"]
            fact = (
                f"The attack {attack} is not in this version." if known else f"There is no attack {attack}."
            )
            self.wrong(f"{where}.attack", Mistake(fact, ", ".join(ATTACKS)))
            return None
        own = entry.get("tolerates")
        tolerance = common if own is None else self.build(own, Tolerance, f"{where}.tolerates")
        rest = {key: value for key, value in entry.items() if key not in ("attack", "tolerates")}
        attacker = self.build(rest, ATTACKS[attack].attacker, where)
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
        self.only(given, ATTACKS, "protect", LATER["protect"])
        found = {name: values for name, values in given.items() if name in ATTACKS}
        for name, values in found.items():
            self.build(values, ATTACKS[name].options, f"protect.{name}")
        return {name: values for name, values in found.items() if name in used}

    def _place(self, where: str) -> str | None:
        """Find the line that a dotted field stands on."""
        steps = where.split(".")
        section, entry = steps[0], int(steps[1]) if len(steps) > 1 and steps[1].isdigit() else 0
        header = re.compile(rf"\s*\[+\s*{re.escape(section)}\b")
        starts = [number for number, line in enumerate(self._lines) if header.match(line)]
        if len(starts) <= entry:
            return None
        key = re.compile(rf"\s*\"?{re.escape(steps[-1])}\"?\s*=")
        for number in range(starts[entry] + 1, len(self._lines)):
            if self._lines[number].lstrip().startswith("[") and not self._lines[number].lstrip().startswith(
                f"[{section}"
            ):
                break
            if key.match(self._lines[number]):
                return f"line {number + 1}"
        return f"line {starts[entry] + 1}"


def _load(fields: ReleaseFields, base: Path) -> Release:
    """Read the data that a scenario names."""
    from giveaway import sources

    if re.match(r"[a-z]+:", fields.data) and not re.match(r"[a-zA-Z]:[\\/]", fields.data):
        raise ScenarioError(
            f"{fields.data.split(':')[0]}: addresses are not in this version.", hint="name a file."
        )
    path = base / fields.data
    kind = fields.kind or ("transactions" if fields.item else sources.guess_kind(path))
    common: dict[str, Any] = {
        "separator": fields.separator,
        "header": fields.header,
        "encoding": fields.encoding,
        "missing": fields.missing,
        "leave_out": fields.leave_out,
        "publish_unjudged": fields.publish_unjudged,
        "id": fields.id,
    }
    if kind == "table":
        if fields.private or fields.private_from:
            raise DataError(
                f"{fields.data} looks like a table, which has no private items.",
                hint='set kind = "transactions".',
            )
        return Release(sources.read_table(path, sensitive=fields.sensitive, **common))
    read: Callable[..., Any] = sources.read_transactions
    transactions = read(
        path,
        private=fields.private,
        private_from=fields.private_from and base / fields.private_from,
        domain=fields.domain,
        domain_from=fields.domain_from and base / fields.domain_from,
        item=fields.item,
        **common,
    )
    return Release(transactions, renamed=fields.renamed, order=fields.order)
