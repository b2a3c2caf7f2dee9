"""Earlier releases are joined where the data are, with the figures of the same files joined here."""

import csv
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

import giveaway as ga
from giveaway.engines import tables
from giveaway.errors import DataError, ScenarioError

ENGINES = pytest.mark.engines
PLACES = ["duckdb", *(pytest.param(name, marks=ENGINES) for name in ("postgres", "spark"))]
NAMES = {
    "staff": ("person", "job", "town", "age", "ill"),
    "y24": ("person", "town", "age"),
    "y25": ("person", "job", "age"),
}
Rows = list[tuple[Any, ...]]
CROWD = 4


def made_up(*, everybody: bool = False) -> dict[str, Rows]:
    """Make people now and two earlier releases, with blanks, people who joined and left, and ages that change."""
    draw = random.Random(5)  # noqa: S311 # made-up people
    jobs, towns = ["cook", "nurse", "clerk", None], ["Ayr", "Wick", "10", "9"]
    people = [
        (number, draw.choice(jobs), draw.choice(towns), draw.choice(["30", "40"]), draw.choice(["yes", "no"]))
        for number in range(1, 91)
    ]

    def then(keep: int, blank: int, *places: int) -> Rows:
        stayed = [row for row in people if everybody or row[0] % keep]
        rows = [
            tuple(None if place and (row[0] * place) % blank == 0 else row[place] for place in (0, *places))
            for row in draw.sample(stayed, len(stayed))
        ]
        value = "cook" if places[0] == 1 else "Ayr"
        gone = [(100 * keep + number, value, age) for number, age in enumerate(["30", "40", None, "40"])]
        return rows if everybody else [*rows, *gone]

    older: Rows = [
        (who, job, None if age is None else str(int(age) - 1)) for who, job, age in then(13, 6, 1, 3)
    ]
    return {"staff": people, "y24": then(11, 7, 2, 3), "y25": older}


def as_csv(folder: Path, data: dict[str, Rows]) -> None:
    for name, rows in data.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([NAMES[name], *rows])


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Return what puts tables where an engine holds them, and its address; ids of y24 are texts, others whole numbers."""

    def columns(name: str, text: str, whole: str) -> list[str]:
        return [
            f"{column} {whole if place == 0 and name != 'y24' else text}"
            for place, column in enumerate(NAMES[name])
        ]

    def put(engine: str, data: dict[str, Rows]) -> str:
        texts = {
            name: [(str(row[0]) if name == "y24" else row[0], *row[1:]) for row in rows]
            for name, rows in data.items()
        }
        if engine == "spark":
            session = request.getfixturevalue("spark")
            for name, rows in texts.items():
                made = session.createDataFrame(rows, ", ".join(columns(name, "string", "long")))
                made.write.mode("overwrite").saveAsTable(name)
            return str(request.getfixturevalue("spark_address"))
        if engine == "duckdb":
            where, connection, mark = "duckdb:held.duckdb", duckdb.connect(tmp_path / "held.duckdb"), "?"
        else:
            import psycopg

            where, mark = request.getfixturevalue("postgres"), "%s"
            connection = psycopg.connect(where)
        with connection:
            for name, rows in texts.items():
                connection.execute(f"DROP TABLE IF EXISTS {name}")
                connection.execute(f"CREATE TABLE {name} ({', '.join(columns(name, 'text', 'bigint'))})")
                marks = ", ".join([mark] * len(NAMES[name]))
                connection.cursor().executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 # our own
        return where

    return put


def scenario(
    folder: Path, now: str, *earlier: str, knows: Sequence[str] = ("true", "false"), crowd: int = CROWD
) -> ga.Scenario:
    attackers = "".join(
        f'[[knows]]\nattack = "directory"\ncolumns = ["job", "town", "age"]\nknows_method = {said}\n'
        for said in knows
    )
    text = (
        f'[release]\ndata = {now}\nid = "person"\nsensitive = "ill"\nleave_out = ["age"]\n'
        + "".join(f'[[earlier]]\nrelease = {one}\nid = "person"\nlinked = "rows"\n' for one in earlier)
        + f'[tolerates]\nidentity = "1/{crowd}"\n{attackers}'
    )
    return ga.Scenario.from_text(text, folder)


def here(name: str, more: str = "") -> str:
    return f'"{name}.csv"\nname = "{name}"{more}'


def there(where: str, name: str, more: str = "") -> str:
    return f'"{where}"\ntable = "{name}"\nname = "{name}"{more}'


CHANGES = '\nchanges = ["age"]'


def told(found: ga.Assessment) -> dict[str, Any]:
    """Return what is said of the data, wherever they are."""
    earlier = [one.told(found.release) for one in found.release.earlier]
    for one in earlier:
        del one["release"], one["sha256"]
    together = [one.to_dict(None) for finding in found.findings for one in finding.together]
    return {"earlier": earlier, "together": together, "alone": [one.headline() for one in found.findings]}


@pytest.mark.parametrize("engine", PLACES)
def test_the_same_figures(engine: str, place: Any, tmp_path: Path) -> None:
    """Blanks, changed ages, people who joined and left, two earlier releases: tables there, or files next to them."""
    data = made_up()
    as_csv(tmp_path, data)
    where = place(engine, data)
    now = f'"{where}"\ntable = "staff"'
    expected = told(scenario(tmp_path, '"staff.csv"', here("y24"), here("y25", CHANGES)).assess())
    held = scenario(tmp_path, now, there(where, "y24"), there(where, "y25", CHANGES)).assess()
    files = scenario(tmp_path, now, here("y24"), there(where, "y25", CHANGES)).assess()
    assert told(held) == expected
    assert told(files) == expected
    assert expected["earlier"][0]["population"] == {"both": 82, "joined": 8, "left": 4}
    assert expected["earlier"][0]["joined_by"] == "id"


@pytest.mark.parametrize("engine", PLACES)
def test_no_row_comes_here_for_a_verdict(
    engine: str, place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Distinct joined rows with their numbers are enough, and a person-by-person count finds the same crowds."""
    data = made_up(everybody=True)
    where = place(engine, data)
    monkeypatch.setattr(tables, "rows_in_parts", lambda *_: pytest.fail("rows were brought here"))
    both = there(where, "y24"), there(where, "y25", CHANGES)
    found = scenario(tmp_path, f'"{where}"\ntable = "staff"', *both, knows=["false"]).assess()
    assert found.headline()["verdict"] == "at risk"
    views = {one.view.releases: one for one in found.findings[0].together}
    assert [*views] == [("y24",), ("y25",), ("y24", "y25")]
    for names, one in views.items():
        assert one.risk is not None
        assert one.risk.share == Fraction(len(below(data, names)), len(data["staff"]))
    assert found.release.earlier[0].told(found.release)["population"] == {"both": 90, "joined": 0, "left": 0}


def below(data: dict[str, Rows], names: Sequence[str]) -> list[int]:
    """Find those who are in too small a crowd, comparing everybody with everybody."""
    then = {name: {row[0]: row for row in data[name]} for name in names}

    def seen(who: int, job: str | None, town: str) -> dict[str, str | None]:
        shows = {"job": job, "town": town}
        if "y24" in then:
            shows["age"] = then["y24"][who][2]
        if "y25" in then:
            shows["age@y25"] = then["y25"][who][2]
        return shows

    ages = {row[0]: row[3] for row in data["staff"]}
    rows = {who: seen(who, job, town) for who, job, town, _, _ in data["staff"]}
    known = {who: {**row, "age": ages[who] if "y24" in then else None} for who, row in rows.items()}

    def fits(row: dict[str, str | None], person: dict[str, str | None]) -> bool:
        return all(person[name] == value for name, value in row.items() if value is not None)

    return [who for who, row in rows.items() if sum(fits(row, person) for person in known.values()) < CROWD]


def test_protecting_works_as_with_a_file(place: Any, tmp_path: Path) -> None:
    """What is withheld is chosen among the same rows, and the checker confirms what is written."""
    data = made_up(everybody=True)
    as_csv(tmp_path, data)
    where = place("duckdb", data)
    asked: Any = {"knows": ["false"], "crowd": 2}
    file = scenario(tmp_path, '"staff.csv"', here("y24"), **asked).protect()
    held = scenario(tmp_path, f'"{where}"\ntable = "staff"', there(where, "y24"), **asked).protect()
    assert held.verdict == file.verdict == "safe"
    assert sorted(held.withheld.cells) == sorted(file.withheld.cells)
    held.publish(tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_what_is_not_there_is_refused(place: Any, tmp_path: Path) -> None:
    data = made_up()
    as_csv(tmp_path, data)
    where = place("duckdb", data)
    now = f'"{where}"\ntable = "staff"'
    with pytest.raises(ScenarioError, match=r'belongs to an address, and "y24\.csv" is a file'):
        _ = scenario(tmp_path, now, '"y24.csv"\ntable = "y24"').earlier
    with pytest.raises(ScenarioError, match="needs either table or query"):
        _ = scenario(tmp_path, now, f'"{where}"').earlier
    with pytest.raises(DataError, match='no table or view "y23"'):
        _ = scenario(tmp_path, now, there(where, "y23")).earlier
    text = f'[release]\ndata = {now}\nid = "person"\nleave_out = ["age", "ill"]\n[[earlier]]\nrelease = {there(where, "y24")}\n'
    rest = '[tolerates]\nidentity = "1/4"\n[[knows]]\nattack = "directory"\ncolumns = ["job"]\n'
    with pytest.raises(ScenarioError, match="needs id: rows in a database have no order"):
        _ = ga.Scenario.from_text(text + rest, tmp_path).earlier


def test_ids_that_name_somebody_twice_are_named(place: Any, tmp_path: Path) -> None:
    data = made_up()
    data["y24"] = [*data["y24"], data["y24"][0]]
    as_csv(tmp_path, data)
    where = place("duckdb", data)
    twice = f"names a record twice: {data['y24'][0][0]}"
    with pytest.raises(DataError, match=twice):
        _ = scenario(tmp_path, '"staff.csv"', here("y24")).earlier
    with pytest.raises(DataError, match=r'1 values of the column "person".*stand in several rows'):
        _ = scenario(tmp_path, f'"{where}"\ntable = "staff"', there(where, "y24")).earlier


def test_an_id_that_was_given_to_somebody_else_is_told(place: Any, tmp_path: Path) -> None:
    """A recycled id shows another value of a column that does not change."""
    data = made_up(everybody=True)
    first, *others = data["y24"]
    data["y24"] = [(first[0], "Rome", first[2]), *others]
    where = place("duckdb", data)
    with pytest.raises(DataError, match=f"'Rome' in the column \"town\".*: row {first[0]}") as error:
        scenario(tmp_path, f'"{where}"\ntable = "staff"', there(where, "y24")).assess()
    assert "given to somebody else" in str(error.value)
