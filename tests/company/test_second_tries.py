"""The first draw is the answer, a refusal too: asked again, everything is as it was, or refused before it is written."""

import json
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke
from tests.worlds.lots import every

import giveaway as ga
from giveaway import publish
from giveaway.model.release import lot

ON_A = ga.KnowsDirectory(columns=["A"])
SCENARIO = """
[release]
data = "d.csv"
sensitive = "S"
{more}
[tolerates]
identity = "1/2"
{attribute}
[[knows]]
attack = "directory"
columns = ["A"]
"""


def written(folder: Path, rows: str, attribute: str = "", more: str = "") -> Path:
    """Write a table, whose rows are pairs of letters, and the question about it."""
    (folder / "d.csv").write_text("A,S\n" + "".join(f"{row[0]},{row[1]}\n" for row in rows.split()))
    said = f'attribute = "{attribute}"' if attribute else ""
    (folder / "s.toml").write_text(SCENARIO.format(attribute=said, more=more))
    return folder / "s.toml"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    return lambda *words: invoke("protect", "s.toml", *words)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def table(rows: str) -> ga.Table:
    return ga.Table.from_rows([dict(zip("AS", row, strict=True)) for row in rows.split()], sensitive="S")


def answer(release: ga.Release, limits: ga.Tolerance, **how: Any) -> str:
    try:
        return str(list(ga.protect(release, ON_A, limits, **how).withheld.cells))
    except ga.NoSafeRelease as refusal:
        return str(refusal)


# One answer ----------------------------------------------------------------------------------------------------


def test_a_question_is_answered_once_whatever_the_seed_and_a_refusal_says_what_was_tried(
    tmp_path: Path,
) -> None:
    limits, seen = ga.Tolerance(identity="1/2", attribute="3/5"), Counter[str]()
    written(tmp_path, "xw xv zv xu")
    for first in range(12):
        key = tmp_path / f"{first}.json"
        answers = {
            answer(
                ga.Release(ga.read_table(tmp_path / "d.csv", sensitive="S")),
                limits,
                key=key,
                effort=ga.Effort(seed=again, exact=again == 2),
            )
            for again in range(30 if first == 0 else 2)
        }
        assert len(answers) == 1
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        seen[min(answers)[:1]] += 1
    assert set(seen) == {"[", "C"}  # by lot: some are refused, 2 draws in 3 are not
    refused = next(
        text
        for text in (answer(ga.Release(table("xw xv zv xu")), limits) for _ in range(60))
        if text[0] == "C"
    )
    assert refused.startswith(
        "Crowds of the size that is asked for, as they were drawn for these data, do not keep every chance of S within 3/5. "
        "Larger ones are not tried: they would take more than half of all records."
    )


def test_the_same_object_is_drawn_once_and_another_is_drawn_anew() -> None:
    limits = ga.Tolerance(identity="1/2")
    same, data = ga.Release(table("xw xv zv xu xu")), table("xw xv zv xu xu")
    assert len({answer(same, limits, effort=ga.Effort(seed=seed)) for seed in range(6)}) == 1
    assert len({answer(ga.Release(data), limits) for _ in range(40)}) == 4


def shown(release: ga.Release) -> tuple[tuple[str, str], ...]:
    """Return what stands in each row, in the order of the data; - is a blank."""
    made = release.published
    assert isinstance(made, ga.Table)
    columns = [
        ["-" if code < 0 else str(made.labels[name][code]) for code in made.columns[name][made.record_of]]
        for name in ("A", "S")
    ]
    return tuple(zip(*columns, strict=True))


@pytest.mark.parametrize("anew", [False, True])
def test_running_until_it_passes_tells_nobody_more_than_the_limit(anew: bool) -> None:
    """x x x x z with every arrangement of u u u v w; `anew` makes a new object each time, which is what the lot is for."""
    limits, chances = ga.Tolerance(identity="1/2", attribute="3/4"), dict[Any, dict[Any, Fraction]]()
    # Among the four x nothing but the lots decides, so that of their arrangements one stands for all.
    for values, often in Counter((*sorted(one[:4]), one[4]) for one in permutations("uuuvw")).items():
        data = table(" ".join(map("".join, zip("xxxxz", values, strict=True))))

        def until_it_passes(data: ga.Table = data) -> Any:
            release = ga.Release(data)
            for seed in range(3):
                try:
                    safer = ga.protect(release, ON_A, limits, effort=ga.Effort(seed=seed))
                except ga.NoSafeRelease:
                    release = ga.Release(data) if anew else release
                else:
                    return shown(safer.release)
            return None

        for chance, rows in every(until_it_passes):
            if rows is not None:
                of = chances.setdefault(tuple(sorted(rows)), {})
                of[rows[4]] = of.get(rows[4], Fraction(0)) + chance * often
    # Of rows that are shown alike z is each with the same chance.
    worst = max(
        chance / sum(of.values()) / release.count(row)
        for release, of in chances.items()
        for row, chance in of.items()
    )
    assert worst > Fraction(1, 2) if anew else worst == Fraction(1, 2)


def test_a_laxer_question_takes_the_draw_that_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, honest = list[tuple[bytes, Any]](), lot.source

    def noted(key: bytes, what: tuple[object, ...]) -> Any:
        drawn.append((key, lot.digest(*what)))
        return honest(key, what)

    monkeypatch.setattr(lot, "source", noted)
    release = ga.Release(table("xw xv zv xu"))
    for limit in ("3/5", "3/4", "1"):
        answer(release, ga.Tolerance(identity="1/2", attribute=limit), key=tmp_path / "key.json")
    assert len(drawn) == 3
    assert len({*drawn}) == 1
    answer(release, ga.Tolerance(identity="1/4"), key=tmp_path / "key.json")
    answer(ga.Release(table("xq xp zp xr")), ga.Tolerance(identity="1/2"), key=tmp_path / "key.json")
    assert len({*drawn}) == len(drawn) - 2  # other plans and other data are drawn for by themselves


# The owner's file ----------------------------------------------------------------------------------------------


def test_the_draw_is_kept_beside_the_folder_and_comes_again_byte_for_byte(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xw xv zv xu xu xw xv")
    done = run("-o", "deep/out")
    assert done.exit_code == 0, done.output
    kept = tmp_path / "deep" / "out.owner.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert " ".join(done.output.split()).endswith("and for you alone deep/out.owner.json.")
    before, lot = files(tmp_path / "deep" / "out"), json.loads(kept.read_text())["lot"]
    assert set(before) == {"release.csv", "manifest.json"}
    assert b"owner" not in before["manifest.json"]
    for more in (("--force",), ("--force", "--seed", "7"), ("--force", "--set", "effort.exact=true")):
        assert run("-o", "deep/out", *more).exit_code == 0
        assert files(tmp_path / "deep" / "out") == before
    for key in (
        "key.json",
        "deep/out.owner.json",
    ):  # whichever file is named, the one that is there is looked at
        assert run("-o", "deep/out", "--force", "--key", key).exit_code == 0
        assert files(tmp_path / "deep" / "out") == before
        assert json.loads((tmp_path / key).read_text()).get("lot", lot) == lot
    assert run("-o", "other", "--key", "key.json").exit_code == 0
    assert files(tmp_path / "other")["release.csv"] == before["release.csv"]
    answers = [
        run("-o", f"{number}").exit_code or files(tmp_path / f"{number}")["release.csv"]
        for number in range(9)
    ]
    assert len({*answers}) > 1  # another folder has another lot


@pytest.mark.parametrize("key", [(), ("--key", "key.json")])
def test_changed_data_are_refused_before_anything_is_written_unless_the_release_is_named(
    run: Callable[..., Any], tmp_path: Path, key: tuple[str, ...]
) -> None:
    written(tmp_path, "xu xv xw zv xu")
    assert run("-o", "out", *key).exit_code == 0
    written(tmp_path, "xu xv xw zw xu")
    before = files(tmp_path)
    for words in (("-o", "out", "--force"), *([("-o", "new")] if key else [])):
        refused = run(*words, *key)
        told = " ".join(refused.output.split())
        assert refused.exit_code == 2
        assert (
            "out is a release of data with 4 of 5 rows the same, and is not named as an earlier one" in told
        )
        assert "name it in [[earlier]]" in told
        assert "another folder" in told
        assert files(tmp_path) == before
    named = run("-o", "new", *key, "--earlier", "out:nobody")
    assert named.exit_code == 0, named.output
    assert run("-o", "elsewhere").exit_code == 0
    stricter = run("-o", "new", *key, "--earlier", "out:nobody", "--force", "--set", "tolerates.identity=1/3")
    assert stricter.exit_code == 2
    assert "new is a release of the same data" in " ".join(stricter.output.split())


def test_people_are_known_again_by_their_ids_where_both_have_some(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xu xv xw zv xu", more='id = "I"')

    def with_ids(ids: str, values: str) -> None:
        lines = [f"{number},x,{value}" for number, value in zip(ids, values, strict=True)]
        (tmp_path / "d.csv").write_text("I,A,S\n" + "\n".join(lines) + "\n")

    with_ids("12345", "uvwvu")
    assert run("-o", "out").exit_code == 0
    with_ids("67890", "uvwvu")  # others with the same values
    assert run("-o", "out", "--force").exit_code == 0
    with_ids("67843", "wwwww")
    told = " ".join(run("-o", "out", "--force").output.split())
    assert "data with 3 of 5 ids the same" in told


def test_other_columns_of_the_same_file_are_the_same_people(
    run: Callable[..., Any], tmp_path: Path, invoke: Invoke
) -> None:
    """Only z is blank in both releases: joined by what is published unjudged, it would be known."""
    (tmp_path / "d.csv").write_text("A,S,T\nx,1,k\nx,2,k\nx,3,k\nz,4,k\n")
    for name, columns, roles in (
        ("s", '["A"]', 'leave_out = ["T"]\npublish_unjudged = ["S"]'),
        ("t", '["A", "T"]', 'publish_unjudged = ["S"]'),
    ):
        asked = SCENARIO.replace('sensitive = "S"', roles).replace('["A"]', columns)
        (tmp_path / f"{name}.toml").write_text(asked.format(attribute="", more=""))
    assert run("-o", "one", "--key", "k.json").exit_code == 0
    refused = invoke("protect", "t.toml", "-o", "two", "--key", "k.json")
    assert refused.exit_code == 2
    assert "a release of the same data" in " ".join(refused.output.split())
    assert not (tmp_path / "two").exists()


def test_a_release_of_the_same_people_that_another_file_of_the_folder_knows_is_told(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xu xv xw xv zu")
    assert "is a release of" not in run("-o", "out").output
    told = " ".join(run("-o", "two", "--set", "tolerates.identity=1/3").output.split())
    assert "out is a release of the same data" in told
    assert "It is known to out.owner.json." in told.replace(f"{tmp_path}/", "")


def test_a_refused_draw_is_not_forgotten_for_lines_in_another_order(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    rows = ["xw", "xv", "zv", "xu"]
    for number in range(30):
        written(tmp_path, " ".join(rows), attribute="3/5")
        if run("-o", f"out{number}").exit_code == 1:
            break
    for changed in (["xv", "xw", "zv", "xu"], ["xw", "xv", "zv", "xw"]):
        written(tmp_path, " ".join(changed), attribute="3/5")
        again = run("-o", f"out{number}")
        assert again.exit_code == 2
        assert "were refused after a draw" in " ".join(again.output.split())
    written(tmp_path, " ".join(rows), attribute="3/5")
    assert run("-o", f"out{number}").exit_code == 1


def test_another_draw_of_what_was_refused_is_told_next_to_it_and_not_written_in_its_place(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xw xv zv xu", attribute="3/5")
    limits = ga.Tolerance(identity="1/2", attribute="3/5")

    def protected(passes: bool) -> tuple[ga.Assessment | None, Path]:
        for number in range(60):
            key, made = tmp_path / f"{number}-{passes}" / "out.owner.json", None
            with suppress(ga.NoSafeRelease):
                release = ga.Release(ga.read_table(tmp_path / "d.csv", sensitive="S"))
                made = ga.protect(release, ON_A, limits, key=key)
            if (made is not None) == passes:
                return made, key
        raise AssertionError("all draws come to the same")

    (made, kept), (_, refused) = protected(passes=True), protected(passes=False)
    assert made is not None
    with pytest.raises(ga.NotWritten, match="The same data were refused after a draw"):
        made.publish(refused.with_name("out"))
    assert [*refused.parent.iterdir()] == [refused]

    (kept.with_name("refused.owner.json")).write_bytes(refused.read_bytes())
    told = " ".join(run("-o", str(kept.with_name("out"))).output.split())
    assert "The same data were refused after a draw" in told
    assert kept.with_name("out").is_dir()


def test_in_python_publish_keeps_the_draw_and_refuses_another(tmp_path: Path) -> None:
    written(tmp_path, "xw xv zv xu xu xw xv")
    limits = ga.Tolerance(identity="1/2")

    def asked(key: Path | None = None) -> ga.Assessment:
        release = ga.Release(ga.read_table(tmp_path / "d.csv", sensitive="S"))
        return ga.protect(release, ON_A, limits, key=key)

    first, kept = asked(), tmp_path / "out.owner.json"
    first.publish(tmp_path / "out")
    before = files(tmp_path)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    others = [one for _ in range(20) if (one := asked()).withheld != first.withheld]
    with pytest.raises(ga.NotWritten, match="is a release of the same data"):
        others[0].publish(tmp_path / "out", force=True)
    assert files(tmp_path) == before
    asked(kept).publish(tmp_path / "out", force=True)
    assert files(tmp_path / "out") == {
        name.removeprefix("out/"): raw for name, raw in before.items() if name.startswith("out/")
    }


def test_a_run_that_is_stopped_leaves_the_lot_and_the_next_draws_the_same(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "xw xv zv xu", "3/5")
    kept, keys, honest = tmp_path / "out.owner.json", list[bytes](), lot.source

    def stopped(key: bytes, what: tuple[object, ...]) -> Any:
        keys.append(key)
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        if len(keys) == 1:
            raise KeyboardInterrupt
        return honest(key, what)

    monkeypatch.setattr(lot, "source", stopped)
    run("-o", "out")
    assert list(json.loads(kept.read_text())) == ["giveaway", "format", "releases", "lot"]
    first = run("-o", "out")
    again = run("-o", "out", "--force")
    assert (first.exit_code, first.output.count("SAFE")) == (again.exit_code, again.output.count("SAFE"))
    assert len({*keys[:2]}) == 1


def test_a_refusal_is_kept_before_it_is_told_and_says_the_same_again(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xw xv zv xu", "3/5")
    told = dict[str, tuple[Any, Path]]()
    for number in range(40):
        done = run("-o", f"out{number}", "--json", f"{number}.json")
        if done.exit_code == 1:
            told["refused"] = done, tmp_path / f"out{number}.owner.json"
            break
    done, kept = told["refused"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    (entry,) = json.loads(kept.read_text())["answers"]
    assert entry["reason"].startswith(
        "Crowds of the size that is asked for, as they were drawn for these data"
    )
    out = kept.name.removesuffix(".owner.json")
    for seed in ("1", "2", "3"):
        again = run("-o", out, "--seed", seed)
        assert (again.exit_code, again.output) == (1, done.output)
    laxer = run("-o", out, "--set", "tolerates.attribute=1")
    assert laxer.exit_code == 0, laxer.output


def test_two_runs_at_once_have_one_lot_and_one_answer(tmp_path: Path) -> None:
    places = (tmp_path / "key.json", tmp_path / "none.json")
    with ThreadPoolExecutor(8) as pool:
        secrets = {*pool.map(lambda _: publish.KeptLot(places).secret, range(16))}
        answers = {
            *pool.map(
                lambda seed: publish.KeptLot(places).keep("q", lot.Answer(seed=seed, exact=False)), range(16)
            )
        }
    assert len(secrets) == len(answers) == 1
    assert not places[1].exists()


def test_a_lot_that_cannot_be_kept_draws_nothing(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "xw xv zv xu")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("giveaway.publish.owners_file.fill", full)
    before = files(tmp_path)
    done = run("-o", "out")
    assert done.exit_code == 2
    assert "out.owner.json could not be written: No space left on device" in " ".join(done.output.split())
    assert files(tmp_path) == before
    (tmp_path / "out.owner.json").write_text("my thesis")
    assert "not an owner's file" in " ".join(run("-o", "out").output.split())


@pytest.mark.parametrize("field", ["lot", "answers", "rows", "marks"])
def test_an_owners_file_that_was_changed_is_refused_in_one_sentence(
    field: str, run: Callable[..., Any], tmp_path: Path
) -> None:
    written(tmp_path, "xw xv zv xu xu")
    assert run("-o", "out").exit_code == 0
    kept = tmp_path / "out.owner.json"
    held = json.loads(kept.read_text())
    if field == "marks":
        written(tmp_path, "xw xv zv xu xv")
    wrong = {
        "lot": "no",
        "answers": [{**held["answers"][0], "helps": 1}],
        "rows": ["no"],
        "marks": {"rows": "no"},
    }
    (held if field in held else held["releases"][0])[field] = wrong[field]
    kept.write_text(json.dumps(held))
    before, done = files(tmp_path), run("-o", "out", "--force")
    assert done.exit_code == 2
    assert "has an entry that giveaway does not write" in " ".join(done.output.split())
    assert files(tmp_path) == before


def test_releases_for_several_recipients_come_again_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, invoke: Invoke
) -> None:
    monkeypatch.chdir(tmp_path)
    people = ["p q r", "p q s", "t q r", "t u s", "p u r", "t u r", "p u s", "t q s"]
    rows = [f"{number},{row.replace(' ', ',')}" for number, row in enumerate([*people, *people[:4]])]
    Path("people.csv").write_text("\n".join(("person,A,B,C", *rows)) + "\n")
    for name, without, columns in (("insurer", "C", '"A", "B"'), ("ministry", "A", '"B", "C"')):
        Path(f"{name}.toml").write_text(
            f'[release]\ndata = "people.csv"\nid = "person"\nleave_out = ["{without}"]\n[tolerates]\nidentity = "1/3"\n'
            f'[[knows]]\nattack = "directory"\ncolumns = [{columns}]\n'
        )
    words = ("protect", "insurer.toml", "ministry.toml", "--together", "-o", "out")
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    before = files(tmp_path / "out")
    for seed in ("0", "5"):
        assert invoke(*words, "--force", "--seed", seed).exit_code == 0
        assert files(tmp_path / "out") == before
    assert stat.S_IMODE(Path("out.owner.json").stat().st_mode) == 0o600
    alone = invoke("protect", "insurer.toml", "-o", "alone", "--key", "out.owner.json")
    assert alone.exit_code == 2 or files(tmp_path / "alone")["release.csv"] == before["insurer/release.csv"]


def test_the_demo_comes_again_byte_for_byte(tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        subprocess.run([sys.executable, "-m", "giveaway", "demo", "shop"], cwd=tmp_path, check=True)
        made.append(files(tmp_path / "shop" / "release"))
    assert made[0] == made[1]
    assert stat.S_IMODE((tmp_path / "shop" / "release.owner.json").stat().st_mode) == 0o600
