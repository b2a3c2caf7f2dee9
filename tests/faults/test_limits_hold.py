"""Limits of time, size and sense hold for everything that a command does."""

import contextlib
import math
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import giveaway as ga
from giveaway import flow, linear_programs
from giveaway.errors import BudgetExceeded, DataError, ScenarioError
from giveaway.model import progress
from giveaway.model.progress import left, limited, spare, stop_after, tell
from giveaway.report import saved
from giveaway.scenario.reading import read_scenario, understand
from giveaway.scenario.words import overridden
from giveaway.sources.files import stored
from giveaway.sources.formats.delimited import text as delimited
from giveaway.sources.side_files.entry_lists import read_entries
from giveaway.sources.side_files.hierarchies import read_hierarchy
from giveaway.sources.side_files.people import read_people

SCENARIO = """\
[release]
data = "{data}"

[tolerates]
identity = "1/2"

[[knows]]
attack = "items"
at_most = 1
"""


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


# Time -------------------------------------------------------------------------------------------------------------


def test_a_limit_inside_another_never_allows_more_time(clock: Clock) -> None:
    with limited(seconds=5):
        clock.now = 3.0
        with limited(seconds=100):
            assert left() == 2.0
            clock.now = 6.0
            with pytest.raises(BudgetExceeded, match="Stopped after the 5 seconds allowed"):
                tell("working", 0)
        with limited(memory=1), pytest.raises(BudgetExceeded):
            tell("working", 0)
    assert left() == math.inf


def test_a_limit_inside_another_may_allow_less_time(clock: Clock) -> None:
    with limited(seconds=5):
        with limited(seconds=1):
            assert left() == 1.0
        assert left() == 5.0
        stop_after(2)
        assert (left(), spare(10), spare(0.5)) == (2.0, 1.0, 0.5)
        clock.now = 9.0
        assert left() == 0.0
    assert left() == math.inf


def test_protecting_has_one_allowance_for_measuring_and_withholding(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measuring takes two thirds of the time, so withholding and measuring again does not fit."""
    find = flow.find

    def slowly(*given: Any) -> Any:
        found = find(*given)
        clock.now += 40
        return found

    monkeypatch.setattr(flow, "find", slowly)
    release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]]))
    words = (release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    assert ga.protect(*words, effort=ga.Effort(seconds=500)).safe
    before = clock.now
    with pytest.raises(BudgetExceeded, match="Stopped after the 30 seconds"):
        ga.protect(*words, effort=ga.Effort(seconds=30))
    assert clock.now == before + 40


def slow_reading(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    chunks = stored.StoredFile.chunks

    def slowly(self: stored.StoredFile, *digest: Any) -> Iterator[bytes]:
        for chunk in chunks(self, *digest):
            clock.now += 40
            yield chunk

    monkeypatch.setattr(stored.StoredFile, "chunks", slowly)


@pytest.mark.parametrize("command", [["assess"], ["protect", "-o", "out"]])
@pytest.mark.parametrize("where", ["option", "file"])
def test_the_seconds_of_a_command_cover_reading(
    command: list[str],
    where: str,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    invoke: Callable[..., Any],
) -> None:
    slow_reading(monkeypatch, clock)
    (tmp_path / "a.dat").write_text("a b\na b\n")
    (tmp_path / "a.toml").write_text(
        SCENARIO.format(data="a.dat") + ("[effort]\nseconds = 30\n" if where == "file" else "")
    )
    words = [*command[:1], "a.toml", *command[1:]]
    found = invoke(*words, *(["--seconds", "30"] if where == "option" else []))
    assert (found.exit_code, "Stopped after the 30 seconds allowed, while reading." in found.stderr) == (
        2,
        True,
    )
    assert not (tmp_path / "out").exists()
    assert invoke(*words, "--seconds", "1000").exit_code == 0


# Solvers ----------------------------------------------------------------------------------------------------------


def limits_told(monkeypatch: pytest.MonkeyPatch, name: str) -> list[dict[str, Any]]:
    """Return a list that gets the options of every program put to a solver of scipy."""
    import scipy.optimize

    told: list[dict[str, Any]] = []
    solve = getattr(scipy.optimize, name)

    def telling(*given: Any, options: dict[str, Any], **more: Any) -> Any:
        told.append(options)
        return solve(*given, options=options, **more)

    monkeypatch.setattr(scipy.optimize, name, telling)
    return told


def test_every_program_of_scipy_goes_through_the_one_place_that_limits_its_time() -> None:
    calls = {
        path.name
        for path in Path(ga.__file__).parent.rglob("*.py")
        if any(word in path.read_text() for word in ("linprog(", "milp(", "import linprog", "import milp"))
    }
    assert calls == {"linear_programs.py"}


def test_the_solvers_get_the_time_that_is_left(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    linear, whole = limits_told(monkeypatch, "linprog"), limits_told(monkeypatch, "milp")
    with limited(seconds=10):
        clock.now = 4.0
        linear_programs.linear("working", [1.0], A_eq=[[1.0]], b_eq=[1.0])
        linear_programs.whole("working", [1.0], nodes=5)
        linear_programs.whole("working", [1.0], nodes=5, seconds=2.0)
    linear_programs.linear("working", [1.0], A_eq=[[1.0]], b_eq=[1.0])
    assert [one.get("time_limit") for one in linear] == [6.0, None]
    assert [one["time_limit"] for one in whole] == [3.0, 2.0]


def test_a_needed_program_without_time_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_programs, "left", lambda: 0.0)
    rng = np.random.default_rng(0)
    found = linear_programs.linear(
        "working", -rng.random(300), A_ub=rng.random((200, 300)), b_ub=np.ones(200)
    )
    assert found.status != linear_programs.OPTIMAL


# Size -------------------------------------------------------------------------------------------------------------


def wide_file(folder: Path, columns: int) -> Path:
    file = folder / "wide.csv"
    names = ",".join(f"a{number}" for number in range(columns))
    file.write_text(f"{names}\n" + 2 * (",".join("01"[number % 2] for number in range(columns)) + "\n"))
    return file


def test_names_of_columns_are_compared_once_each() -> None:
    """Comparing each with all before it would look at half a billion pairs."""
    looked = 0

    class Name(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal looked
            looked += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    many = delimited.MOST_COLUMNS
    delimited.check_header(stored.StoredFile(Path("a.csv")), [Name(f"a{number}") for number in range(many)])
    assert looked < 10 * many
    with pytest.raises(DataError, match='"a7" appears twice'):
        delimited.check_header(stored.StoredFile(Path("a.csv")), [*(f"a{n}" for n in range(9)), "a7"])


@pytest.mark.parametrize("read", [ga.read_transactions, ga.read_table])
def test_a_million_columns_are_refused_in_one_sentence(read: Callable[..., Any], tmp_path: Path) -> None:
    file = wide_file(tmp_path, 1_000_000)
    with pytest.raises(DataError, match="has 1,000,000 columns, and giveaway reads at most 10,000"):
        read(file)


def test_items_in_many_columns_are_read_some_columns_at_a_time(tmp_path: Path) -> None:
    read = ga.read_transactions(wide_file(tmp_path, 1203))
    assert (len(read), read.weights.tolist()) == (2, [2])
    held = [read.labels[code] for code in read.codes]
    assert sorted(map(str, held)) == sorted(f"a{number}" for number in range(1, 1203, 2))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,zip\n1,{}\n2,b\n"),
        ("b.csv", 'id,zip\n1,"{}"\n2,b\n'),
        ("c.jsonl", '{{"id": "{}"}}\n'),
        ("d.dat", "a {}\na b\n"),
    ],
)
def test_a_line_longer_than_any_row_is_refused(
    name: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (stored, delimited):
        monkeypatch.setattr(module, "LONGEST_LINE", 1000)
    monkeypatch.setattr(delimited, "_LONGEST", 500)
    monkeypatch.setattr(stored, "CHUNK", 64)
    file = tmp_path / name
    read = ga.read_transactions if name.endswith("dat") else ga.read_table
    file.write_text(content.format(100 * "x"))
    read(file)
    file.write_text(content.format(2000 * "x"))
    with pytest.raises(DataError, match="has more than 1,000 characters"):
        read(file)
    if name == "b.csv":
        file.write_text(content.format(400 * "x\nyz\n"))
        with pytest.raises(DataError, match=r"value that begins in line 2 .* has more than 1,000 characters"):
            read(file)


# Sense ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf, -5, 0, 10**400, 1e300, True, "60"])
def test_seconds_that_limit_nothing_are_refused(seconds: Any) -> None:
    with pytest.raises(
        ScenarioError, match=r"seconds = .* must be a number above 0 and at most 1,000,000,000"
    ):
        ga.Effort(seconds=seconds)


@pytest.mark.parametrize("seconds", ["nan", "inf", "-5", "0", "1e400", "1e99999999999999999999999"])
@pytest.mark.parametrize("how", ["option", "set", "file"])
def test_a_command_refuses_seconds_that_limit_nothing(
    seconds: str, how: str, tmp_path: Path, invoke: Callable[..., Any]
) -> None:
    (tmp_path / "a.dat").write_text("a b\na b\n")
    text = SCENARIO.format(data="a.dat")
    (tmp_path / "a.toml").write_text(text + f"[effort]\nseconds = {seconds}\n" if how == "file" else text)
    words = {
        "option": [f"--seconds={seconds}"],
        "set": ["--set", f"effort.seconds={seconds}"],
        "file": [],
    }
    found = invoke("assess", "a.toml", *words[how])
    assert found.exit_code == 2
    assert "must be a number above 0" in found.stderr
    assert "hint: leave it out" in found.stderr


NUMBERS = {
    "items": ["knows.0.at_most", "needs.itemsets.min_support", "needs.itemsets.max_size"],
    "frequencies": [
        "knows.0.compliance",
        "knows.0.belief.around",
        "knows.0.targets.size",
        "knows.0.targets.without_top",
        "knows.0.targets.sample",
        "knows.0.known_pairs.top",
        "knows.0.known_pairs.candidates",
        "knows.0.known_pairs.at_least",
    ],
    "directory": [
        "knows.0.prior",
        "knows.0.match.zip.jaro",
        "needs.columns.per_record",
        "needs.columns.total",
    ],
    "profiles": ["release.rules.min_support", "release.rules.min_confidence", "release.rules.scores.digits"],
    "attributes": ["knows.0.trusts_support_above"],
}
COMMON = ["tolerates.identity", "tolerates.attribute", "tolerates.share", "tolerates.average", "effort.seed"]
SCENARIOS: dict[str, dict[str, Any]] = {
    "items": {"at_most": 1},
    "frequencies": {},
    "directory": {"on": ["zip"]},
    "profiles": {"columns": ["zip"]},
    "attributes": {"columns": ["zip"]},
}
RULES = {"min_support": "0.1", "min_confidence": "0.6"}


@pytest.mark.parametrize(
    ("attack", "field"), [(attack, field) for attack in NUMBERS for field in [*COMMON, *NUMBERS[attack]]]
)
def test_a_number_that_is_none_is_refused_in_every_field(attack: str, field: str, tmp_path: Path) -> None:
    for name in ("a.csv", "s.csv"):
        (tmp_path / name).write_text("zip,ill\nz,yes\n")
    table = {"sensitive": "ill", **({"rules": RULES} if attack == "profiles" else {"secrets": "s.csv"})}
    limit = "attribute" if attack in ("profiles", "attributes") else "identity"
    values = {
        "release": {"data": "a.csv", **(table if limit == "attribute" else {})},
        "tolerates": {limit: "1/2"},
        "knows": [{"attack": attack, **SCENARIOS[attack]}],
    }
    understand(values, base=tmp_path, name="a.toml")
    for number in ("nan", "inf", "-inf", '"nan"', "1e999999999", '"1e-999999999"', "1e99999999999999999999"):
        with pytest.raises(ScenarioError):
            understand(overridden(values, [f"{field}={number}"]), base=tmp_path, name="a.toml")


@pytest.mark.parametrize("given", ["nan", "-inf", "1e400", 10**400])
def test_a_weight_that_is_no_number_is_refused(given: Any) -> None:
    with pytest.raises(ScenarioError, match="weight of zip"):
        ga.Sensitivity(columns={"zip": given})


# Files that are not files -----------------------------------------------------------------------------------------


@pytest.fixture(params=["fifo", "socket", "device"])
def not_a_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "x.csv"
    if request.param == "device":
        path.symlink_to("/dev/zero")
        yield path
    elif request.param == "fifo":
        os.mkfifo(path)
        yield path
    else:
        with socket.socket(socket.AF_UNIX) as made, contextlib.chdir(tmp_path):
            made.bind("x.csv")
            yield path


@pytest.mark.parametrize(
    "as_what", ["data", "people", "hierarchy", "secrets", "private", "scenario", "saved"]
)
def test_what_is_not_a_file_is_refused_without_opening_it(
    as_what: str, not_a_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = Path.open

    def unless_special(self: Path, *given: Any, **more: Any) -> Any:
        assert self.resolve() != not_a_file.resolve(), "it was opened"
        return opens(self, *given, **more)

    monkeypatch.setattr(Path, "open", unless_special)
    (tmp_path / "a.csv").write_text("zip,ill\nz,yes\nz,no\n")
    (tmp_path / "a.dat").write_text("a b\na b\n")
    table = ga.read_table(tmp_path / "a.csv", sensitive="ill")
    reading: dict[str, Callable[[], object]] = {
        "data": lambda: ga.read_table(not_a_file),
        "people": lambda: read_people(not_a_file),
        "hierarchy": lambda: read_hierarchy(not_a_file),
        "secrets": lambda: read_entries(not_a_file, table, secrets=True),
        "private": lambda: ga.read_transactions(tmp_path / "a.dat", private_from=not_a_file),
        "scenario": lambda: read_scenario(not_a_file),
        "saved": lambda: saved.read(not_a_file),
    }
    with pytest.raises((DataError, ScenarioError), match=r"is a (FIFO|socket|device).*, not a file"):
        reading[as_what]()


def test_a_command_on_a_pipe_ends_at_once(run: Callable[..., Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    words = ("--knows", "items:at_most=1", "--tolerates", "identity=1/2")
    for data in ("pipe.csv", "/dev/stdin"):
        found = run("assess", data, *words)
        assert (found.returncode, "not a file" in found.stderr) == (2, True), found.stderr
