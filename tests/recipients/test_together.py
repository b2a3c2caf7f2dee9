"""Releases for several recipients: by the command, in files that are read back by a slow and obvious oracle, and in views."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.report.reading import Page
from tests.sizes import sized
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app
from giveaway.report import saved
from giveaway.report.html import recipients as page
from giveaway.report.schema import misfits

PEOPLE = [
    ("30", "hill", "cook"),
    ("30", "hill", "smith"),
    ("40", "hill", "cook"),
    ("40", "mill", "smith"),
] * 2 + [
    ("30", "mill", "cook"),
    ("40", "mill", "cook"),
    ("30", "mill", "smith"),
    ("40", "hill", "smith"),
]
SCENARIO = """
[release]
data = "{data}"
id = "person"
leave_out = {leave_out}
[tolerates]
identity = "1/{crowd}"
[[knows]]
attack = "directory"
columns = {columns}
knows_method = {method}
"""
Run = Callable[..., Any]


def write(
    folder: Path, people: Sequence[tuple[str, ...]] = PEOPLE, crowd: int = 3, method: str = "false"
) -> None:
    """Write one table and a scenario for each of two recipients."""
    rows = [(f"p{number}", *person) for number, person in enumerate(people)]
    lines = [",".join(row) for row in [("person", "age", "town", "job"), *rows]]
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    for name, left, shown in (("insurer", "job", ["age", "town"]), ("ministry", "age", ["town", "job"])):
        told = {"data": "people.csv", "leave_out": json.dumps([left]), "columns": json.dumps(shown)}
        text = SCENARIO.format(**told, crowd=crowd, method=method)
        (folder / f"{name}.toml").write_text(text)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return lambda *words: CliRunner().invoke(app, ["protect", *map(str, words)])


def joined(folder: Path, *keys: Path) -> list[dict[str, dict[str, str]]]:
    """Read the written files, and put the rows of each person next to each other by the owner's file."""
    people: dict[str, dict[str, dict[str, str]]] = {}
    for entry in [entry for one in keys for entry in ga.Ledger.read(one)]:
        name = Path(entry.folder).name
        with (folder / name / "release.csv").open(newline="") as file:
            for person, row in zip(entry.ids or (), csv.DictReader(file), strict=True):
                people.setdefault(str(person), {})[name] = row
    return list(people.values())


def agrees(person: Mapping[str, str], rows: Mapping[str, Mapping[str, str]]) -> bool:
    return all(not text or person[column] == text for row in rows.values() for column, text in row.items())


def crowds(
    folder: Path, keys: Sequence[Path], people: Sequence[Mapping[str, str]], *, looks: bool
) -> dict[tuple[str, ...], list[int]]:
    """Count for each set of recipients and each person who agrees with all that is shown, or who looks the same in every file."""
    rows = joined(folder, *keys)
    names = sorted(rows[0])
    found = {}
    for size in range(1, len(names) + 1):
        for some in combinations(names, size):
            part = [{name: row[name] for name in some} for row in rows]
            equal = Counter(json.dumps(one, sort_keys=True) for one in part)
            found[some] = [
                equal[json.dumps(one, sort_keys=True)]
                if looks
                else sum(agrees(person, one) for person in people)
                for one in part
            ]
    return found


def named(people: Sequence[tuple[str, ...]]) -> list[dict[str, str]]:
    return [dict(zip(("age", "town", "job"), person, strict=True)) for person in people]


BOTH = ("insurer.toml", "ministry.toml", "--together", "-o", "out")


def test_both_are_written_and_nobody_is_in_a_smaller_crowd_when_they_collude(run: Run) -> None:
    alone = [
        run(f"{name}.toml", "-o", f"{name} alone", "--key", f"{name} alone.json")
        for name in ("insurer", "ministry")
    ]
    assert [one.exit_code for one in alone] == [0, 0]
    made = run(
        *BOTH, "--key", "key.json", "--json", "found.json", "--html", "own.html", "--public-html", "all.html"
    )
    assert made.exit_code == 0, made.output
    counted = crowds(Path("out"), [Path("key.json")], named(PEOPLE), looks=False)
    assert min(min(one) for one in counted.values()) >= 3
    told = json.loads(Path("found.json").read_text())
    assert misfits(told, "recipients") == []
    (matrix,) = told["matrix"]
    assert matrix["sets"][-1]["recipients"] == ["insurer", "ministry"]
    assert matrix["sets"][-1]["before"]["over"] > 0
    assert {one["after"]["over"] for one in matrix["sets"]} == {0}
    for name in ("insurer", "ministry"):
        manifest = json.loads(Path("out", name, "manifest.json").read_text())
        assert manifest["verdict"] == "safe"
        assert manifest["planned_at_once"] == 2
        assert {"insurer", "ministry"} - {name} not in manifest.values()
        assert not ({"insurer", "ministry"} - {name}) & set(json.dumps(manifest).split('"'))
    assert "insurer + ministry" in made.output
    assert Path("key.json").stat().st_mode & 0o777 == 0o600


def test_what_each_would_be_by_itself_is_counted_as_in_the_files(run: Run) -> None:
    """The column "each protected by itself" is counted again from releases that are really written one by one."""
    for name in ("insurer", "ministry"):
        assert run(f"{name}.toml", "-o", f"alone/{name}").exit_code == 0
    assert run(*BOTH, "--json", "found.json").exit_code == 0
    counted = crowds(Path("alone"), sorted(Path("alone").glob("*.json")), named(PEOPLE), looks=False)
    (matrix,) = json.loads(Path("found.json").read_text())["matrix"]
    for one in matrix["sets"]:
        here = counted[tuple(sorted(one["recipients"]))]
        assert one["before"] == {
            "over": sum(size < 3 for size in here),
            "alone": sum(size == 1 for size in here),
        }


@sized(6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(*(st.sampled_from("xyz") for _ in range(3))), min_size=6, max_size=9),
    st.sampled_from(["true", "false"]),
)
def test_written_folders_are_safe_together(
    tmp_path_factory: pytest.TempPathFactory, people: list[tuple[str, ...]], method: str
) -> None:
    folder = tmp_path_factory.mktemp("both")
    write(folder, people, crowd=2, method=method)
    files = [str(folder / f"{name}.toml") for name in ("insurer", "ministry")]
    key = folder / "key.json"
    words = ["protect", *files, "--together", "-o", str(folder / "out"), "--key", str(key), "--quiet"]
    made = CliRunner().invoke(app, words)
    if made.exit_code:
        assert made.exit_code == 1, made.output
        assert not (folder / "out").exists()
        return
    counted = crowds(folder / "out", [key], named(people), looks=method == "true")
    assert min(min(one) for one in counted.values()) >= 2


def test_a_second_run_replaces_all_releases_and_their_entries(run: Run) -> None:
    assert run(*BOTH, "--key", "key.json").exit_code == 0
    stands = run(*BOTH, "--key", "key.json")
    assert stands.exit_code == 2
    assert "is not empty" in stands.output + stands.stderr
    before = Path("out", "insurer", "release.csv").read_bytes()
    assert run(*BOTH, "--key", "key.json", "--force").exit_code == 0
    assert Path("out", "insurer", "release.csv").read_bytes() == before, "the same draw and order"
    assert [Path(entry.folder).name for entry in ga.Ledger.read("key.json")] == ["insurer", "ministry"]
    Path("out", "insurer", "notes.txt").write_text("mine")
    assert run(*BOTH, "--force").exit_code == 2
    assert Path("out", "insurer", "notes.txt").exists()


def test_where_there_is_no_safe_release_nothing_is_written(run: Run, tmp_path: Path) -> None:
    write(tmp_path, crowd=13)
    made = run(*BOTH, "--key", "key.json", "--json", "found.json")
    assert made.exit_code == 1
    assert "AT RISK" in made.output
    assert not Path("out").exists()
    assert not Path("key.json").exists()
    found = saved.read_any(Path("found.json"))
    assert found["verdict"] == "at risk"
    assert page.render(found)


def test_the_checker_joins_the_written_files_by_itself(run: Run) -> None:
    """Releases that are safe one by one are passed off as planned at once: the checker finds out, and nothing is left."""
    tables = {
        name: ga.Release(ga.read_table("people.csv", id="person", leave_out=[left]))
        for name, left in (("insurer", "job"), ("ministry", "age"))
    }
    knows = ga.KnowsDirectory(columns=["age", "town", "job"], knows_method=False)
    found = ga.protect_together(tables, knows, ga.Tolerance(identity="1/3"))
    alone = {
        name: replace(one.release, withheld=found.withheld_alone[name])
        for name, one in found.assessments.items()
    }
    passed_off = replace(
        found,
        people=found.people.planned({name: replace(one, earlier=()) for name, one in alone.items()}),
        assessments={name: replace(one, release=alone[name]) for name, one in found.assessments.items()},
    )
    assert passed_off.safe
    with pytest.raises(ga.CheckFailed, match=r"Together with ministry, release\.csv breaks the promise"):
        passed_off.publish("out", key="key.json", html="own.html")
    assert not any(Path(name).exists() for name in ("out", "key.json", "own.html"))
    found.publish("out", key="key.json")
    assert Path("out", "ministry", "release.csv").exists()


def replaced(name: str, old: str, new: str) -> None:
    path = Path(f"{name}.toml")
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        (
            'identity = "1/3"',
            'identity = "1/2"',
            "insurer and ministry differ in the limit identity of the attacker.",
        ),
        ("knows_method = false", "knows_method = true", "differ in knows_method of the attacker."),
        ('columns = ["town", "job"]', "", "differ in columns of the attacker."),
        (
            "[[knows]]",
            '[[knows]]\nattack = "directory"\ncolumns = ["town"]\n[[knows]]',
            "differ in how many attackers",
        ),
        ("[[knows]]", '[needs]\ncolumns = { always = ["town"] }\n[[knows]]', "differ in [needs]."),
        ('data = "people.csv"', 'data = "fewer.csv"', "1 are only in insurer, and 0 only in ministry"),
        ('data = "people.csv"', 'data = "other.csv"', 'different values of "town" for the same person'),
        ("leave_out", 'withheld = ["town"]\nleave_out', "ministry states entries that are withheld"),
        ('leave_out = ["age"]', 'publish_unjudged = ["age"]', 'ministry publishes the column "age" unjudged'),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, old: str, new: str, fact: str) -> None:
    lines = Path("people.csv").read_text().splitlines()
    Path("fewer.csv").write_text("\n".join(lines[:-1]) + "\n")
    Path("other.csv").write_text("\n".join([*lines[:-1], lines[-1].replace("hill", "mill")]) + "\n")
    replaced("ministry", old, new)
    made = run(*BOTH)
    assert made.exit_code == 2
    assert fact in " ".join((made.output + made.stderr).split())
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (("insurer.toml", "ministry.toml", "-o", "out"), "2 scenarios are named, and a release is of one."),
        (("insurer.toml", "--together", "-o", "out"), "--together needs several scenarios."),
        (
            ("insurer.toml", "insurer.toml", "--together", "-o", "out"),
            "Two scenario files are called insurer",
        ),
        (
            ("insurer.toml", "people.csv", "--together", "-o", "out", "--knows", "items:at_most=1"),
            "data are named",
        ),
        ((*BOTH, "--earlier", "people.csv"), "come after no others"),
        ((*BOTH, "--to", "duckdb:x.db"), "--together writes files"),
        ((*BOTH, "--key", "out/key.json"), "lies in the release folder"),
    ],
)
def test_words_that_do_not_fit_are_refused(run: Run, words: Sequence[str], fact: str) -> None:
    made = run(*words)
    assert made.exit_code == 2
    assert fact in " ".join((made.output + made.stderr).split())
    assert not Path("out").exists()


def test_rows_without_an_id_are_joined_by_their_number(run: Run) -> None:
    lines = [line.split(",", 1)[1] for line in Path("people.csv").read_text().splitlines()]
    Path("people.csv").write_text("\n".join(lines) + "\n")
    Path("fewer.csv").write_text("\n".join(lines[:-1]) + "\n")
    for name in ("insurer", "ministry"):
        replaced(name, 'id = "person"\n', "")
    made = run(*BOTH, "--json", "-")
    assert made.exit_code == 0
    assert json.loads(made.stdout)["joined_by"] == "row number"
    replaced("ministry", "people.csv", "fewer.csv")
    refused = run(*BOTH, "--force")
    assert refused.exit_code == 2
    assert "different numbers of rows: insurer 12, ministry 11" in refused.output + refused.stderr


def test_rows_in_another_order_are_joined_by_their_id(run: Run) -> None:
    head, *lines = Path("people.csv").read_text().splitlines()
    Path("turned.csv").write_text("\n".join([head, *reversed(lines)]) + "\n")
    replaced("ministry", "people.csv", "turned.csv")
    assert run(*BOTH, "--key", "key.json").exit_code == 0
    counted = crowds(Path("out"), [Path("key.json")], named(PEOPLE), looks=False)
    assert min(min(one) for one in counted.values()) >= 3


def test_the_folder_of_all_is_not_one_release(run: Run) -> None:
    assert run(*BOTH).exit_code == 0
    found = CliRunner().invoke(app, ["diff", "out", "out"])
    assert found.exit_code == 2
    assert "releases for several recipients" in found.output + found.stderr
    earlier = CliRunner().invoke(app, ["assess", "insurer.toml", "--earlier", "out:rows"])
    assert "name the folder of one of them" in " ".join((earlier.output + earlier.stderr).split())


# Baskets and blanks ---------------------------------------------------------------------------------------------


def test_baskets_of_two_years_are_planned_at_once(tmp_path: Path) -> None:
    rows = [["a", "c"], ["a", "c"], ["a", "d"], ["b", "d"], ["b", "d"], ["a", "c"], ["b", "c"], ["b"]]
    other = [["e"], ["f"], ["e"], ["f"], ["f"], ["e"], ["e", "f"], ["e"]]
    for name, baskets in (("one", rows), ("two", other)):
        (tmp_path / f"{name}.dat").write_text("\n".join(map(" ".join, baskets)) + "\n")
    releases = {name: ga.Release(ga.read_transactions(tmp_path / f"{name}.dat")) for name in ("one", "two")}
    found = ga.protect_together(releases, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    assert found.people.facts == "other"
    found.publish(tmp_path / "out", key=tmp_path / "key.json")
    people: dict[int, set[str]] = {}
    for entry in ga.Ledger.read(tmp_path / "key.json"):
        name = Path(entry.folder).name
        lines = (tmp_path / "out" / name / "release.dat").read_text().splitlines()
        for row, line in zip(entry.rows or (), lines, strict=True):
            people.setdefault(row, set()).update(f"{item}@{name}" for item in line.split())
    support = Counter(
        some for basket in people.values() for size in (1, 2) for some in combinations(sorted(basket), size)
    )
    assert min(support.values()) >= 2


def test_an_item_of_the_same_baskets_is_withheld_from_all(tmp_path: Path) -> None:
    (tmp_path / "shop.dat").write_text("a b\na b\na c\nb\n")
    data = ga.read_transactions(tmp_path / "shop.dat")
    releases = {name: ga.Release(data, order="shuffled") for name in ("one", "two")}
    found = ga.protect_together(releases, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    assert found.people.facts == "same"
    assert [one.withheld.items for one in found.assessments.values()] == [("c",), ("c",)]


def test_a_secret_of_one_recipient_is_blank_for_all() -> None:
    rows = [
        {"job": "cook" if place % 2 else "smith", "pay": "low" if place % 3 else "high"}
        for place in range(24)
    ]
    table = ga.Table.from_rows(rows, sensitive="pay")
    releases = {"one": ga.Release(table, secrets=[1]), "two": ga.Release(table, secrets=[1, 4])}
    knows = ga.KnowsAttributes(columns=["job"], knows_method=False)
    found = ga.protect_together(releases, knows, ga.Tolerance(attribute="9/10"))
    assert found.safe
    shown = [one.release.published for one in found.assessments.values()]
    for row in (0, 3):
        assert [part.columns["pay"][part.record_of[row]] for part in shown] == [-1, -1]  # type: ignore[union-attr]


def test_an_attack_that_is_not_planned_at_once_names_the_way_out() -> None:
    data = ga.Transactions.from_lists([["a", "b"], ["a"], ["b"], ["a", "b"]])
    both = {name: ga.Release(data) for name in ("one", "two")}
    with pytest.raises(ga.GiveawayError, match="one after the other, each with those before it as --earlier"):
        ga.protect_together(both, ga.KnowsFrequencies(), ga.Tolerance(average="1/2"))


@pytest.mark.parametrize(
    "names", [("a",), ("a", "A"), ("a", "b/c"), ("a", ".b"), tuple("abcdefghi"), ("a", "")]
)
def test_names_that_no_folders_can_have_are_refused(names: Sequence[str]) -> None:
    data = ga.Transactions.from_lists([["a"], ["a"]])
    with pytest.raises(ga.ScenarioError):
        ga.protect_together(
            {name: ga.Release(data) for name in names}, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")
        )


# Views ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    write(folder)
    words = ["protect", *(str(folder / f"{name}.toml") for name in ("insurer", "ministry")), "--together"]
    files = {"-o": "out", "--json": "found.json", "--html": "own.html", "--public-html": "all.html"}
    words += [word for option, name in files.items() for word in (option, str(folder / name))]
    assert CliRunner().invoke(app, words).exit_code == 0
    return folder


def test_what_is_saved_is_drawn_again(written: Path, tmp_path: Path) -> None:
    pages = ["--html", str(tmp_path / "own.html"), "--public-html", str(tmp_path / "all.html")]
    again = CliRunner().invoke(app, ["report", str(written / "found.json"), *pages])
    assert again.exit_code == 0, again.output
    for name in ("own.html", "all.html"):
        assert (tmp_path / name).read_text() == (written / name).read_text()
    assert "insurer + ministry" in again.output
    review = ["report", str(written / "found.json"), "--for", "review", "-o", str(tmp_path / "x.html")]
    assert CliRunner().invoke(app, review).exit_code == 2


def test_the_public_edition_holds_nothing_that_was_measured(written: Path) -> None:
    pages = [Page((written / name).read_text()) for name in ("all.html", "own.html")]
    public, own = (" ".join(" ".join(one.words).split()) for one in pages)
    for word in ("insurer", "ministry", "people.csv", "hill", "smith", "by itself", "p1"):
        assert word not in public
    assert "recipient 1 + recipient 2" in public
    for said in (public, own):
        assert "Not judged: matching all records at once, what everybody who fits has in common" in said
    assert "Against somebody who does not know how giveaway chooses" in own
    assert "over the limit" not in public
    assert "Each protected by itself" in own
    assert "hill" not in own, "values of the data are in the reports of each release"
    assert [one.broken for one in pages] == [[], []]


def two(jobs: str = "aababb") -> ga.Recipients:
    """Protect the ages of six people for one and their jobs for the other."""
    ages = ga.Table.from_rows([{"age": age} for age in (30, 30, 30, 40, 40, 40)])
    releases = {
        "one": ga.Release(ages),
        "two": ga.Release(ga.Table.from_rows([{"job": job} for job in jobs])),
    }
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    return ga.protect_together(releases, knows, ga.Tolerance(identity="1/2"))


def test_a_recipient_who_would_get_nothing_is_told() -> None:
    with pytest.raises(
        ga.NoSafeRelease, match=r"everything would be withheld from two.*Name this recipient first"
    ):
        two("abcabc")


def test_a_notebook_shows_the_matrix() -> None:
    found = two()
    view = found._repr_html_()
    assert "one + two" in view
    assert Page(view).broken == []
    assert "one + two" in str(found)
    assert repr(found) == "<Recipients: safe, 2 recipients>"


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["matrix"][0]["sets"][-1]["after"].update(over=1),
        lambda told: told["matrix"][0]["sets"][0]["after"].update(alone=999),
        lambda told: told["matrix"][0]["sets"][0].update(recipients=["nobody"]),
        lambda told: told["recipients"][0]["summary"].update(verdict="at risk"),
        lambda told: told.update(matrix=[]),
        lambda told: told.update(joined_by="luck"),
    ],
)
def test_what_contradicts_itself_is_not_drawn(
    written: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    told = json.loads((written / "found.json").read_text())
    change(told)
    (tmp_path / "found.json").write_text(json.dumps(told))
    with pytest.raises(ga.DataError):
        saved.read_any(tmp_path / "found.json")


def test_three_recipients_may_each_get_a_column_of_their_own() -> None:
    rows = [{"a": place % 2, "b": place % 3, "c": place % 2, "job": "xy"[place % 2]} for place in range(24)]
    tables = {
        name: ga.Table.from_rows(
            [{column: row[column] for column in (name, "job")} for row in rows], sensitive="job"
        )
        for name in "abc"
    }
    releases = {name: ga.Release(table, secrets=[1]) for name, table in tables.items()}
    attacker = ga.KnowsAttributes(columns=["a", "b", "c"], knows_method=False)
    found = ga.protect_together(releases, attacker, ga.Tolerance(attribute="4/5"))
    assert found.safe
    assert len(found.matrix[0].after) == 7
    assert found.matrix[0].after["a", "b", "c"].over == 0
