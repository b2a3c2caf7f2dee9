"""The readings of a table in the words of the field: each with its meaning, and the tools that give the same number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from giveaway.report.wording.tidy import Finding, label
from giveaway.report.wording.words import DASH, Number, count, counted, joined, number, percent, spelled

Readings = Mapping[str, Any]

NO_LIMITS = "These are readings, not verdicts: a limit on l or t is not a limit on a chance."

_SHORT = 1000
"""Fractions with larger denominators are written as decimals."""
_NEEDS_SENSITIVE = "needs a sensitive column that is published and not compared"
_NEEDS_PEOPLE = "needs a directory of people; here the table is its own"


@dataclass(frozen=True, kw_only=True)
class ReadingLine:
    """One reading: its name and which of several, the number, what it is of, what it means, who gives the same one."""

    name: str = ""
    which: str = ""
    value: str = ""
    """Nothing where the reading needs something that is not there, as `says` says then."""
    of: str = ""
    says: str
    same: str = ""

    def text(self) -> str:
        """Write the reading in one sentence."""
        tools = f" ({self.same})" if self.same else ""
        start = f"{self.value} {self.of}".rstrip()
        return f"{start}: {self.says}{tools}." if self.value else f"{self.says}."

    @property
    def key(self) -> tuple[str, str, str]:
        """What distinguishes it from the other readings of a release, whatever its number is."""
        return self.name, self.which, self.of


def has_readings(finding: Finding) -> bool:
    """Tell whether a finding has readings."""
    return bool((finding.get("figures") or {}).get("readings"))


def columns_of(finding: Finding) -> str:
    """Name the columns in which the rows of a finding with readings are compared."""
    return _where(finding["figures"]["readings"])


def lines(finding: Finding, names: Sequence[str], *, public: bool = False) -> list[ReadingLine]:
    """Write the readings of a finding that have these names; publicly only what every reader of the release can count."""
    readings = (finding.get("figures") or {}).get("readings") or {}
    shown = {**readings, "registers": []} if public else readings
    return [replace(line, name=name) for name in names for line in _LINES[name](shown)] if readings else []


def present(finding: Finding, *, public: bool = False) -> list[ReadingLine]:
    """Write all readings for which there is what they need."""
    return [line for line in lines(finding, NAMES, public=public) if line.value]


def _k(readings: Readings) -> Iterator[ReadingLine]:
    where, same = _where(readings), "ARX, pyCANON: same number"
    least = readings["k"]
    alike = f"at least {count(least)} rows look exactly alike in {where}"
    alone = f"some row looks like no other in {where}"
    yield ReadingLine(value=f"k = {count(least)}", says=alone if least == 1 else alike, same=same)
    yield ReadingLine(
        which="by fit",
        value=f"k = {count(readings['k_by_fit'])} by fit",
        says="the fewest rows that fit one, where a blank agrees with everything",
        same="as sdcMicro counts",
    )


def _alpha(readings: Readings) -> Iterator[ReadingLine]:
    for column, one in _sensitive(readings):
        yield ReadingLine(
            of=column,
            value=f"alpha = {_ratio(one, 'alpha')}",
            says="the largest share of a value among the rows that look alike and show one",
            same="pyCANON: same number",
        )
    yield from _without_sensitive(readings)


def _l(readings: Readings) -> Iterator[ReadingLine]:
    for column, one in _sensitive(readings):
        yield ReadingLine(
            which="distinct",
            of=column,
            value=f"distinct l = {count(one['l_distinct'])}",
            says="rows that look alike show at least this many values",
            same="ARX, pyCANON: same number",
        )
        yield ReadingLine(
            which="entropy",
            of=column,
            value=f"entropy l = {_ratio(one, 'l_entropy')}",
            says="they are as diverse as this many values that are equally common",
            same="ARX: same bound; pyCANON cuts it to a whole number",
        )
        least = number(one, "c_recursive")
        yield ReadingLine(
            which="recursive",
            of=column,
            value="no recursive c" if least is None else f"recursive c > {_ratio(one, 'c_recursive')}",
            says="some rows that look alike show one value only"
            if least is None
            else f"what c must exceed for (c, 2)-diversity; with c = 3 the largest l is {count(one['l_recursive'])}",
            same="ARX: same bound; pyCANON sorts counts upwards",
        )
    yield from _without_sensitive(readings)


_DISTANCES = {
    "t_equal": (
        "equal",
        "when all values are equally far apart",
        "ARX: same bound; pyCANON: same number for text",
    ),
    "t_ordered": (
        "ordered",
        "when values are as far apart as their ranks",
        "ARX: same bound; pyCANON: same number for numbers",
    ),
    "t_hierarchical": (
        "hierarchical",
        "when values are as far apart as their common label is high",
        "ARX: same number",
    ),
}


def _t(readings: Readings) -> Iterator[ReadingLine]:
    for column, one in _sensitive(readings):
        for name, (how, says, same) in _DISTANCES.items():
            if one.get(name) is not None:
                yield ReadingLine(
                    which=how,
                    of=column,
                    value=f"{how} t = {_ratio(one, name)}",
                    says=f"how far rows that look alike are from the whole table at most, {says}",
                    same=same,
                )
    yield from _without_sensitive(readings)


def _prosecutor(readings: Readings) -> Iterator[ReadingLine]:
    whose = "somebody who knows that a person has a row"
    yield from _risks("prosecutor", readings, whose=whose, limit=_ratio(readings, "limit"))


def _journalist(readings: Readings) -> Iterator[ReadingLine]:
    for directory, one in _inhabited(readings):
        whose = f"somebody who looks rows up there{_nobody(one)}"
        yield from _risks("journalist", one, whose=whose, limit=_ratio(readings, "limit"), of=directory)
    yield from _without_people(readings)


def _risks(name: str, holder: Readings, *, whose: str, limit: str, of: str = "") -> Iterator[ReadingLine]:
    average = "ARX: same number" if name == "prosecutor" else "ARX: the larger of two averages"
    values = {
        "highest": (f"the largest chance of {whose}", "ARX: same number"),
        "average": ("the mean of these chances over the rows", average),
        "at risk": (f"the part of the rows whose chance is above {limit}", "ARX: same number"),
    }
    for which, (says, same) in values.items():
        value = percent(number(holder, f"{name}_{which.replace(' ', '_')}"))
        yield ReadingLine(which=which, value=f"{which} {value}", of=of, says=says, same=same)


def _marketer(readings: Readings) -> Iterator[ReadingLine]:
    for directory, one in _inhabited(readings):
        yield ReadingLine(
            of=directory,
            value=percent(number(one, "marketer")),
            says=f"the part of the rows that somebody matches correctly who matches them all{_nobody(one)}",
            same="ARX: same number",
        )
    yield from _without_people(readings)


def _k_map(readings: Readings) -> Iterator[ReadingLine]:
    for directory, one in _inhabited(readings):
        yield ReadingLine(
            of=directory,
            value=f"k = {count(one['k_map'])}",
            says=f"the fewest people there who equal a row{_nobody(one)}",
            same="as in ARX",
        )
    yield from _without_people(readings)


def _presence(readings: Readings) -> Iterator[ReadingLine]:
    for directory, one in _registers(readings):
        yield ReadingLine(
            of=directory,
            value=f"{percent(number(one, 'presence_least'))} to {percent(number(one, 'presence_most'))}",
            says="the rows for each person there, among people who equal each other",
            same="as in ARX",
        )
    if not readings["registers"]:
        yield ReadingLine(says=_NEEDS_PEOPLE)


def _uniques(readings: Readings) -> Iterator[ReadingLine]:
    yield ReadingLine(
        which="sample",
        value=f"{count(readings['sample_uniques'])} in the sample",
        says=f"rows that look like no other in {_where(readings)}",
        same="as in ARX",
    )
    for directory, one in _registers(readings):
        yield ReadingLine(
            of=directory,
            value=count(one["population_uniques"]),
            says="of them, rows that one person there equals",
            same="ARX estimates it",
        )


def _suda(readings: Readings) -> Iterator[ReadingLine]:
    suda = readings.get("suda")
    if suda is None:
        own = "the combinations are too many for a report; ga.suda in Python looks for them"
        yield ReadingLine(says="needs the table to be its own directory" if readings["registers"] else own)
        return
    sizes = [
        f"{count(many)} of {spelled(size)} column{'' if size == 1 else 's'}"
        for size, many in enumerate(suda["by_size"], 1)
        if many
    ]
    yield ReadingLine(
        value=counted(suda["minimal_uniques"], "minimal sample uniques"),
        says=f"{joined(sizes)}, in {counted(suda['rows_unique'], 'rows')}: the fewest columns in which a row is the only one"
        if sizes
        else f"no row is the only one in at most {spelled(suda['at_most'])} columns",
        same="as in sdcMicro",
    )
    yield ReadingLine(
        which="score",
        value=f"score {_ratio(suda, 'total_score')}",
        says=f"Elliot's scores of all rows added up, for sets of at most {spelled(suda['at_most'])} columns",
        same="sdcMicro scores as if all sizes were sought",
    )
    yield ReadingLine(
        which="DIS",
        value=f"DIS = {_ratio(suda, 'dis')}",
        says=f"a heuristic chance that a unique row is unique in the population, of which {_ratio(suda, 'sampled')} is here",
        same="as in sdcMicro",
    )


_LINES: Mapping[str, Callable[[Readings], Iterator[ReadingLine]]] = {
    "k-anonymity": _k,
    "alpha": _alpha,
    "l-diversity": _l,
    "t-closeness": _t,
    "prosecutor": _prosecutor,
    "journalist": _journalist,
    "marketer": _marketer,
    "k-map": _k_map,
    "delta-presence": _presence,
    "uniques": _uniques,
    "suda": _suda,
}
NAMES = tuple(_LINES)
"""The names of the field, in the order in which they are written."""


def _without_sensitive(readings: Readings) -> Iterator[ReadingLine]:
    if not readings["sensitive"]:
        yield ReadingLine(says=_NEEDS_SENSITIVE)


def _without_people(readings: Readings) -> Iterator[ReadingLine]:
    """Say why a reading is missing: no directory, or nobody in one who equals a row."""
    if not readings["registers"]:
        yield ReadingLine(says=_NEEDS_PEOPLE)
    for directory, one in _registers(readings):
        if one["k_map"] is None:
            yield ReadingLine(says=f"nobody {directory} equals a row")


def _sensitive(readings: Readings) -> list[tuple[str, Readings]]:
    return [(f"for {label(one['sensitive'])}", one) for one in readings["sensitive"]]


def _registers(readings: Readings) -> list[tuple[str, Readings]]:
    return [(f"in {label(one['name'])}", one) for one in readings["registers"]]


def _inhabited(readings: Readings) -> list[tuple[str, Readings]]:
    """Return the directories in which somebody equals a row."""
    return [(directory, one) for directory, one in _registers(readings) if one["k_map"] is not None]


def _where(readings: Readings) -> str:
    return joined([label(name) for name in readings.get("columns") or ["the columns compared"]])


def _nobody(register: Readings) -> str:
    rows = register["rows_without_people"]
    if not rows:
        return ""
    return f"; {counted(rows, 'rows')} {'equals' if rows == 1 else 'equal'} nobody there and {'is' if rows == 1 else 'are'} left out"


def _ratio(holder: Readings, name: str) -> str:
    """Write a number as a short fraction, else as a decimal."""
    value: Number | None = number(holder, name)
    if value is None:
        return DASH
    if isinstance(value, Fraction) and value.denominator < _SHORT:
        return f"{value.numerator:,}" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return f"{float(value):.4g}"
