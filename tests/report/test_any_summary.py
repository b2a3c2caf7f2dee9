"""Whatever stands in a Summary, every view of it can be drawn."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.cases import CASES
from tests.report import samples
from tests.report.reading import Page
from tests.sizes import first

import giveaway as ga
from giveaway.model.exact import ratio, read_ratio
from giveaway.report import review
from giveaway.report.html import compare as side_by_side
from giveaway.report.html import document, notebook
from giveaway.report.terminal import compare, screen
from giveaway.report.wording import words
from giveaway.report.wording.tidy import tidy

Path = tuple[Any, ...]

LONG = Fraction(10**400 + 7, 3**900)
"""A chance with denominators of hundreds of digits, as averages over many items have them."""

OPTIONAL = {
    "giveaway", "date", "seed", "seconds", "need", "need_says", "before", "written", "no_safe_release", "released",
    "rows", "items", "columns", "sha256", "knows", "worst", "average", "share", "baseline", "limit", "how", "margin",
    "detail", "holds_up_to", "value", "beside", "against", "warning", "exposures_total", "after", "sensitivity",
    "missing", "paper", "removed", "lost", "why", "cells_total", "coarser_total", "secrets", "says", "band", "unit",
}  # fmt: skip
"""What a Summary may hold nothing of, wherever it stands."""
OPEN = {"figures", "kept", "tolerance", "attacker"}
"""Parts in which every number may be missing."""
HUGE = {"word": "x" * 5_000, "ratio": "1/" + "3" * 5_000, "text": "a b " * 2_000, "escape": "\x1b[31m"}

VIEWS: dict[str, Callable[[Any], str]] = {
    "owner": document.render,
    "public": lambda made: document.render(made, edition="public"),
    "notebook": notebook.render,
    "terminal": lambda made: screen.render(made, exposures=True, quiet=False),
    "pipe": lambda made: screen.render(made, exposures=False, quiet=False),
    "quiet": lambda made: screen.render(made, exposures=True, quiet=True),
    "compare": lambda made: compare.render({"a": made, "b": made}),
    "compare with another": lambda made: compare.render({"a": samples.protected(), "b": made, "c": made}),
    "compared page": lambda made: side_by_side.render({"a": samples.protected(), "b": made}),
    "review": lambda made: str(review.render(made, "html")),
}


@cache
def summaries() -> dict[str, dict[str, Any]]:
    """Return the Summaries of all attacks, as planned and protected, and those of all states."""
    found = {name: make() for name, make in samples.STATES.items() if name != "wrong_question"}
    for attack, case in CASES.items():
        release = case.release(case.rows)
        found[attack] = ga.assess(release, case.attacker, case.tolerance, need=case.need).to_dict()
        safer = ga.protect(release, case.attacker, case.tolerance, need=case.need)
        found[f"{attack}, protected"] = safer.to_dict()
    return found


def draw_all(made: dict[str, Any]) -> None:
    for view in VIEWS.values():
        view(made).encode("utf-8")


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Give the way to every part of a Summary."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, step))


def may_be_missing(path: Path) -> bool:
    return (path[-1] in OPTIONAL and "rules" not in path) or path[-2:-1] in {(part,) for part in OPEN}


def put(made: dict[str, Any], path: Path, value: Any) -> None:
    *above, last = path
    holder: Any = made
    for step in above:
        holder = holder[step]
    holder[last] = value


def with_long_fractions(value: Any, long: Fraction) -> Any:
    """Put a long fraction wherever an exact number stands."""
    if isinstance(value, list):
        return [with_long_fractions(part, long) for part in value]
    if not isinstance(value, dict):
        return value
    made = {name: with_long_fractions(part, long) for name, part in value.items()}
    for name in [name for name in made if name.endswith("_exact") and made[name] is not None]:
        made[name], made[name.removesuffix("_exact")] = ratio(long), float(long)
    return made


@pytest.mark.parametrize("name", [*CASES, *(f"{attack}, protected" for attack in CASES)])
@pytest.mark.parametrize("digits", first(1, [5_000, 50, 400]))
def test_fractions_of_any_length_are_drawn(name: str, digits: int) -> None:
    made = with_long_fractions(summaries()[name], Fraction(10**digits + 7, 3 * 10**digits + 1))

    draw_all(made)


def test_an_exact_number_is_read_whole_whatever_its_length() -> None:
    saved = {"worst": float(LONG), "worst_exact": ratio(LONG)}

    assert words.number(tidy(saved), "worst") == LONG


@given(st.fractions())
def test_a_ratio_is_read_back_as_it_was_written(value: Fraction) -> None:
    assert read_ratio(ratio(value)) == value


@pytest.mark.parametrize("text", ["", "1", "1/0", "x/2", "1/2…", "1.5/2", " 1/2"])
def test_another_text_is_not_taken_for_an_exact_number(text: str) -> None:
    assert words.number({"worst": 0.25, "worst_exact": text}, "worst") == 0.25


@settings(max_examples=150)
@given(st.data())
def test_every_view_survives_what_is_missing_and_what_is_huge(data: st.DataObject) -> None:
    made = deepcopy(summaries()[data.draw(st.sampled_from(sorted(summaries())))])
    found = list(places(made))
    labels = [path for path in found if path[-1] in ("because", "target", "withheld", "knows", "label")]
    for path in data.draw(st.lists(st.sampled_from(labels), max_size=3)):
        if not isinstance(path[-1], str) or path != ("withheld",):
            put(made, path, HUGE[data.draw(st.sampled_from(sorted(HUGE)))])
    optional = sorted(filter(may_be_missing, found), key=len, reverse=True)
    for place in sorted(data.draw(st.sets(st.integers(0, len(optional) - 1), min_size=1, max_size=12))):
        put(made, optional[place], None)

    draw_all(made)


@pytest.mark.parametrize("name", sorted(set(samples.STATES) - {"wrong_question"}))
def test_every_state_is_drawn_without_any_optional_part(name: str) -> None:
    made = samples.STATES[name]()
    for finding in [*made["findings"], *(made["before"] or [])]:
        for part in set(finding) - {"attack", "attacker", "safe"}:
            finding.pop(part)

    draw_all(made)
    assert Page(document.render(made)).broken == []


@pytest.mark.parametrize("name", [*CASES, *(f"{attack}, protected" for attack in CASES)])
def test_a_summary_of_an_older_version_is_drawn_in_neutral_words(name: str) -> None:
    made = deepcopy(summaries()[name])
    made.pop("need_says")
    for finding in [*made["findings"], *(made["before"] or [])]:
        del finding["words"], finding["breach_at_limit"]
        for curve in finding["curves"]:
            del curve["title"], curve["line"], curve["points"]

    draw_all(made)
    assert "Chance per target" in Page(document.render(made)).text


@pytest.mark.parametrize("part", ["says", "names"])
@pytest.mark.parametrize("name", [f"{attack}, protected" for attack in CASES])
def test_what_is_lost_is_told_in_neutral_words_where_its_own_are_missing(name: str, part: str) -> None:
    made = deepcopy(summaries()[name])
    without = deepcopy(made)
    for finding in [*made["findings"], *(made["before"] or [])]:
        for words_of_unit in (finding["words"].get("lost") or {}).values():
            words_of_unit[part] = None
    for finding in [*without["findings"], *(without["before"] or [])]:
        finding["words"].pop("lost", None)

    draw_all(made)
    assert document.render(made) == document.render(without)
