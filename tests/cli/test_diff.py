"""`giveaway diff`: exit status, errors, and a public edition without a value of the data."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.releases import writing
from typer.testing import Result

Run = Callable[..., Result]

PEOPLE = [
    {"age": "thirty", "job": "cook", "town": "Ulm"},
    {"age": "thirty", "job": "smith", "town": "Bonn"},
    {"age": "forty", "job": "baker", "town": "Kiel"},
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Publish three people twice; the second time the first job is shown."""
    monkeypatch.chdir(tmp_path)
    blank = [{**PEOPLE[0], "job": ""}, *PEOPLE[1:]]
    old, new = writing.table(tmp_path / "old", blank), writing.table(tmp_path / "new", PEOPLE[::-1])
    writing.owners_file(
        tmp_path / "key.json",
        {"manifest": old, "rows": [1, 2, 3], "data": "same"},
        {"manifest": new, "rows": [3, 2, 1], "data": "same"},
    )
    return tmp_path


@pytest.mark.usefixtures("place")
def test_it_leaves_with_0_unless_asked_to_be_strict(invoke: Run) -> None:
    told = invoke("diff", "old", "new", "--ledger", "key.json")
    assert told.exit_code == 0
    assert "Blanks of OLD that NEW shows: 1." in told.stdout
    assert invoke("diff", "old", "new", "--key", "key.json", "--strict", "--quiet").exit_code == 1
    assert invoke("diff", "new", "old", "--ledger", "key.json", "--strict").exit_code == 0


@pytest.mark.usefixtures("place")
def test_strict_cannot_promise_what_is_not_known(invoke: Run) -> None:
    told = invoke("diff", "old", "new", "--strict")

    assert told.exit_code == 2
    assert "not known" in told.stderr
    assert invoke("diff", "old", "new").exit_code == 0


def test_the_public_edition_holds_counts_only(invoke: Run, place: Path) -> None:
    words = ("diff", "old", "new", "--ledger", "key.json", "--public")
    told = invoke(*words, "--json", "said.json", "--html", "said.html")

    assert told.exit_code == 0
    printed = [told.stdout, (place / "said.json").read_text(), (place / "said.html").read_text()]
    for text in (*printed, invoke(*words, "--json", "-").stdout):
        for value in {value for row in PEOPLE for value in row.values()}:
            assert value not in text
        assert "Ulm" not in text
    saved = json.loads(printed[1])
    assert (saved["filled_in"], saved["entries"], saved["by_column"], saved["old"]) == (1, [], {}, None)
    assert "row 1" not in printed[2]


def test_the_owners_edition_names_rows_and_is_the_owners_alone(invoke: Run, place: Path) -> None:
    assert (
        invoke(
            "diff",
            "old",
            "new",
            "--ledger",
            "key.json",
            "--json",
            "said.json",
            "--html",
            "said.html",
            "--quiet",
        ).stdout
        == ""
    )

    saved, page = json.loads((place / "said.json").read_text()), (place / "said.html").read_text()
    assert saved["entries"] == [
        {"change": "filled_in", "column": "job", "old_row": 1, "new_row": 3, "old": None, "new": "cook"}
    ]
    assert "row 1: blank" in page
    assert "row 3: cook" in page
    for name in ("said.json", "said.html"):
        assert stat.S_IMODE((place / name).stat().st_mode) == 0o600
    again = invoke("diff", "old", "new", "--html", "said.html")
    assert (again.exit_code, "exists and was left alone" in again.stderr) == (2, True)


def test_a_pipe_gets_no_labels(invoke: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    writing.baskets(tmp_path / "old", [["milk"], ["insulin"]])
    writing.baskets(tmp_path / "new", [["milk"], ["bread"]])

    told = invoke("diff", "old", "new").stdout

    assert "Items" in told
    assert "insulin" not in told
    assert "bread" not in told


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("old", "nowhere"), "nowhere does not exist"),
        (("old", "."), "not the folder of a release"),
        (("old", "key.json"), "not an assessment"),
        (("old", "new", "--ledger", "old/manifest.json"), "not a ledger"),
        (("old", "new", "--id", "name"), "It has: age, job, town"),
        (("old", "new", "--html", "old/said.html"), "left alone"),
        (("old", "new", "--json", "key.json", "--ledger", "key.json", "--force"), "left alone"),
    ],
)
def test_bad_input_is_told_in_one_clear_error(invoke: Run, words: tuple[str, ...], says: str) -> None:
    told = invoke("diff", *words)

    assert told.exit_code == 2
    assert says.replace("It has: ", "") in told.stderr.replace("\n", " ").replace("  ", " ")
    assert told.stdout == ""


def test_a_release_and_a_summary_have_too_little_in_common(invoke: Run, place: Path) -> None:
    from tests.report import samples

    (place / "saved.json").write_text(json.dumps(samples.at_risk()))
    told = invoke("diff", "old", "saved.json")
    assert (told.exit_code, "is a release and saved.json a Summary" in told.stderr) == (2, True)
    told = invoke("diff", "saved.json", "saved.json", "--id", "age")
    assert (told.exit_code, "no rows to be paired" in told.stderr) == (2, True)


def test_summaries_are_compared_as_report_shows_them(invoke: Run, place: Path) -> None:
    from tests.report import samples

    (place / "planned.json").write_text(json.dumps(samples.at_risk()))
    (place / "safer.json").write_text(json.dumps(samples.protected()))

    told = invoke("diff", "planned.json", "safer.json")
    assert told.exit_code == 0
    assert "AT RISK" in told.stdout
    assert "canned beer" not in told.stdout
    public = invoke("diff", "planned.json", "safer.json", "--public", "--html", "said.html").stdout
    for item in samples.protected()["withheld"]["items"]:
        assert f" {item}" not in public
        assert item not in (place / "said.html").read_text()
