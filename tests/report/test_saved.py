"""Saved Summaries: those that giveaway wrote are drawn, all others are refused in one sentence."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report import samples
from tests.report.test_any_summary import places, put, summaries
from tests.sizes import sized
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.assessment import SCHEMA
from giveaway.cli.main import app
from giveaway.report import saved
from giveaway.report.agreeing import contradictions
from giveaway.report.html import document
from giveaway.report.schema import _RULES, misfits, summary_schema

Summary = dict[str, Any]

SAID = {"$schema", "title", "description", "$defs", "if"}
"""Words of a schema that no value is compared with."""
JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 10**20),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=4),
        st.sampled_from(["inf", "1/2", "0/0", "\ud800", "safe", "identity"]),
    ),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["a", "kind", "safe", "x"]), part)
    ),
    max_leaves=6,
)


def report(path: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["report", str(path), *words])


def drawn_or_refused(path: Path, *words: str) -> bool:
    """Tell whether a file is drawn; if it is not, there is one sentence about it."""
    done = report(path, *words)

    assert done.exit_code in (0, 2), done.output
    assert "giveaway failed" not in done.output
    if done.exit_code == 2:
        (fact, *rest) = done.stderr.splitlines()
        assert fact.startswith("CANNOT JUDGE: ")
        assert all(line.startswith("  ") for line in rest)
        assert not done.stdout
    return done.exit_code == 0


def save(folder: Path, made: Any) -> Path:
    path = folder / "a.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def schemas(part: Any) -> Iterator[dict[str, Any]]:
    """Give every schema inside a schema."""
    yield part
    for word, said in part.items():
        if word in ("properties", "$defs"):
            inner = list(said.values())
        elif word == "anyOf":
            inner = said
        else:
            inner = [said] if word in ("items", "additionalProperties", "if", "then") else []
        for one in inner:
            yield from schemas(one)


def undocumented(value: Any, schema: dict[str, Any], where: str = "") -> Iterator[str]:
    """Find keys of a value that its schema does not name, where it names any."""
    while "$ref" in schema:
        schema = summary_schema()["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if isinstance(value, list):
        for part in value:
            yield from undocumented(part, schema.get("items", {}), where)
    named = schema.get("properties", {})
    if isinstance(value, dict) and named:
        for key, part in value.items():
            if key not in named and "additionalProperties" not in schema:
                yield f"{where}.{key}"
            yield from undocumented(part, named.get(key, {}), f"{where}.{key}")


def test_the_schema_says_nothing_that_is_not_compared() -> None:
    assert {word for schema in schemas(summary_schema()) for word in schema} <= SAID | _RULES.keys()


@pytest.mark.parametrize("name", sorted(summaries()))
def test_every_summary_fits_the_schema_and_has_no_key_beyond_it(name: str) -> None:
    made = json.loads(json.dumps(summaries()[name]))

    assert misfits(made, most=5) == []
    assert list(undocumented(made, summary_schema()["$defs"]["summary"])) == []


def test_a_refusal_fits_the_schema_too() -> None:
    done = CliRunner().invoke(app, ["assess", "nowhere.toml", "--json", "-"])

    assert misfits(json.loads(done.stdout), "mistakes") == []


@pytest.mark.parametrize("name", sorted(summaries()))
def test_every_summary_is_drawn_again_from_its_file(name: str, tmp_path: Path) -> None:
    path = save(tmp_path, summaries()[name])

    assert drawn_or_refused(
        path, "--html", str(tmp_path / "a.html"), "--public-html", str(tmp_path / "b.html")
    )


def first(made: Summary) -> Summary:
    found: Summary = made["findings"][0]
    return found


def changed(**parts: Any) -> Callable[[Summary], None]:
    return lambda made: first(made).update(parts)


CONTRADICTIONS: dict[str, tuple[str, Callable[[Summary], None], str]] = {
    "verdict": ("items", lambda made: made.update(verdict="safe"), "its findings say"),
    "verdict of a safe one": (
        "items, protected",
        lambda made: made.update(verdict="at risk"),
        "its findings say",
    ),
    "both verdicts": (
        "items",
        lambda made: (made.update(verdict="safe"), first(made).update(safe=True)),
        "is called safe, and is over its limit",
    ),
    "share too": (
        "items",
        lambda made: (made.update(verdict="safe"), first(made).update(safe=True, share=0, share_exact="0/1")),
        "its worst chance is over the limit",
    ),
    "at risk without a number": (
        "items",
        changed(share=0, share_exact="0/1"),
        "is called at risk, and is within its limits",
    ),
    "limit": ("items", lambda made: first(made)["kinds"][0].update(limit=1, limit_exact="1/1"), "two limits"),
    "worst": ("items", changed(worst=0.01, worst_exact="1/100"), "a worst chance that is not the largest"),
    "total": ("items", changed(exposures_total=0), "exposures over the limit, and counts 0"),
    "list": (
        "items",
        lambda made: first(made)["lists"]["moles"].update(total=0),
        "moles, and counts 0",
    ),
    "not measured": ("items, protected", changed(how=None), "has a verdict, and was not measured"),
    "nothing judged": (
        "items, protected",
        changed(share=None, share_exact=None),
        "is called safe, and nothing of it was judged",
    ),
    "written": (
        "items",
        lambda made: made.update(written=[{"file": "release.dat", "sha256": "ab", "rows": 1}]),
        "files are written",
    ),
    "no safe release": (
        "items, protected",
        lambda made: made.update(no_safe_release={"reason": "x", "helps": [], "proved": False}),
        "no safe release",
    ),
    "before": ("items, protected", lambda made: made["before"].pop(), "before and after"),
    "kept": ("items, protected", lambda made: first(made)["kept"].update(item_occurrences=10**6), "of"),
    "cells": (
        "attributes, protected",
        lambda made: made["withheld"].update(cells_total=0),
        "withheld entries, and counts 0",
    ),
    "a share of five": (
        "items, protected",
        changed(share=5, share_exact=None),
        "over its limit",
    ),
    "a chance above 1": (
        "items, protected",
        changed(worst=1e308, worst_exact=None),
        "which is not between 0 and 1",
    ),
    "two numbers for one": (
        "items, protected",
        lambda made: first(made)["kinds"][0].update(worst=0.0001),
        "worst is given twice, and differently",
    ),
    "before at risk": (
        "items, protected",
        lambda made: made["before"][0].update(safe=True),
        "before protection, is called safe",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_summary_that_contradicts_itself_is_refused(name: str, tmp_path: Path) -> None:
    case, change, said = CONTRADICTIONS[name]
    made = deepcopy(summaries()[case])
    assert drawn_or_refused(save(tmp_path, made))
    change(made)

    done = report(save(tmp_path, made))

    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert "SAFE" not in done.stdout


def test_a_file_of_errors_is_not_drawn(tmp_path: Path) -> None:
    made = {"schema": SCHEMA, "verdict": "cannot judge", "errors": ["x"]}

    assert "only its errors" in report(save(tmp_path, made)).stderr


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b"3",
        b'"safe"',
        b"{}",
        b'{"schema": 2}',
        b'{"schema": [2]}',
        b'{"schema": true, "verdict": "safe"}',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"schema": 2, "schema": 1}',
        b"[" * 100_000,
        b"[" * 900 + b"]" * 900,
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b"1" * 5_000,
        b"\x00" * 10,
    ],
    ids=range(19),
)
def test_other_files_are_refused_in_one_sentence(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(text)

    assert not drawn_or_refused(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["a" * 300, "a" * 5_000, "a/" * 3_000, ".", "nowhere.json"])
def test_names_that_no_file_has_are_refused_in_one_sentence(name: str) -> None:
    assert not drawn_or_refused(Path(name))
    assert not drawn_or_refused(Path("nowhere"), name)


@sized(250)
@given(data=st.data())
def test_a_summary_with_anything_in_any_place_is_drawn_or_refused(
    data: st.DataObject, tmp_path: Path
) -> None:
    made = deepcopy(summaries()[data.draw(st.sampled_from(sorted(summaries())))])
    found = list(places(made))
    for _ in range(data.draw(st.integers(1, 3))):
        try:
            put(made, data.draw(st.sampled_from(found)), data.draw(JSON))
        except (TypeError, KeyError, IndexError):
            continue
    path = save(tmp_path, made)

    drawn_or_refused(
        path, "--html", str(tmp_path / "a.html"), "--public-html", str(tmp_path / "b.html"), "--force"
    )
    drawn_or_refused(path, str(path))


def test_a_saved_summary_is_read_as_it_was_made(tmp_path: Path) -> None:
    baskets = ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]])
    made = ga.assess(ga.Release(baskets), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    made.to_json(tmp_path / "a.json")

    assert saved.read(tmp_path / "a.json") == json.loads((tmp_path / "a.json").read_text())


def test_samples_are_as_they_could_be_saved() -> None:
    for make in samples.STATES.values():
        made = make()
        assert misfits(made, "mistakes" if "errors" in made else "summary") == []
        assert "errors" in made or list(contradictions(made)) == []


def test_what_helps_is_read_from_old_and_new_summaries() -> None:
    old = samples.no_safe_release()
    says = old["no_safe_release"]["helps"][0]
    new = deepcopy(old)
    new["no_safe_release"]["helps"] = [{"says": says, "set": [{"tolerates.attribute": "31/50"}]}]

    assert document.render(old, edition="owner") == document.render(new, edition="owner")
    assert [ga.sentences(one)["no_safe_release"]["changes"] for one in (old, new)] == [
        [[]],
        [[{"tolerates.attribute": "31/50"}]],
    ]
