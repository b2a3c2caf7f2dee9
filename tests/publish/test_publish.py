import errno
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

import giveaway as ga
from giveaway import publish
from giveaway.model.data.origin import StoredTable
from giveaway.model.layout import Layout
from giveaway.scratch import token


def written(place: Path, text: str = "a b\n") -> Path:
    file = place / "release.dat"
    file.write_text(text)
    return file


def publish_to(folder: Path, **changes: object) -> None:
    settings = {
        "write": written,
        "judge": lambda file: {file.name: 1},
        "manifest": {"giveaway": "0", "verdict": "safe", "attackers": []},
        "drawn": publish.Drawn(),
    } | changes
    publish.publish(folder, **settings)


def hashed(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def test_a_release_is_its_files_and_a_manifest_with_their_hashes(tmp_path: Path) -> None:
    publish_to(tmp_path / "out")

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert names(tmp_path) == ["manifest.json", "out", "release.dat"]
    assert manifest["files"] == [
        {"file": "release.dat", "sha256": hashed(tmp_path / "out" / "release.dat"), "rows": 1, "formulas": 0}
    ]


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    def full(place: Path) -> Path:
        written(place)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(ga.NotWritten, match="No space left"):
        publish_to(tmp_path / "deep" / "out", write=full)
    assert names(tmp_path) == []


def test_a_checker_that_disagrees_leaves_nothing(tmp_path: Path) -> None:
    def disagree(file: Path) -> dict[str, int]:
        raise ga.CheckFailed(f"{file.name} breaks the promise.")

    with pytest.raises(ga.CheckFailed):
        publish_to(tmp_path / "out", judge=disagree)
    assert names(tmp_path) == []


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    def interrupted(file: Path) -> dict[str, int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish_to(tmp_path / "out", judge=interrupted)
    assert names(tmp_path) == []


def test_a_release_is_replaced_only_by_force(tmp_path: Path) -> None:
    publish_to(tmp_path / "out")

    with pytest.raises(ga.NotWritten, match="left alone"):
        publish_to(tmp_path / "out")
    publish_to(tmp_path / "out", write=lambda place: written(place, "c\n"), force=True)
    assert (tmp_path / "out" / "release.dat").read_text() == "c\n"
    assert names(tmp_path) == ["manifest.json", "out", "release.dat"]


def test_force_never_replaces_a_folder_of_other_things(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("years of work")

    with pytest.raises(ga.NotWritten, match=r"thesis\.tex"):
        publish_to(tmp_path / "out", force=True)
    assert (tmp_path / "out" / "thesis.tex").read_text() == "years of work"


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    publish_to(tmp_path / "out")

    assert (tmp_path / "out" / "release.dat").exists()


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(ga.NotWritten, match="is a file"):
        publish_to(tmp_path / "file" / "out")


def test_the_next_run_removes_what_a_machine_left_when_it_failed(tmp_path: Path) -> None:
    (tmp_path / f".out.giveaway-{token()}-new").mkdir()
    publish_to(tmp_path / "out")

    assert names(tmp_path) == ["manifest.json", "out", "release.dat"]


def test_a_release_whose_replacement_crashed_is_given_back(tmp_path: Path) -> None:
    publish_to(tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / f".out.giveaway-{token()}-old")

    with pytest.raises(ga.NotWritten, match="not empty"):
        publish_to(tmp_path / "out")
    assert (tmp_path / "out" / "release.dat").read_text() == "a b\n"


class Elsewhere:
    """A database that writes down what is asked of it, and fails when told to."""

    whereabouts = ("duckdb:there", "shop")

    def __init__(self, fails: str = "") -> None:
        self.asked: list[str] = []
        self.fails = fails

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if what == self.fails:
            raise ga.NotWritten("the connection is lost.")

    def load(self, release: Path) -> StoredTable:
        self._ask(f"load {release.read_text().strip()}")
        return StoredTable(
            kind="duckdb",
            connection=None,
            address="duckdb:there",
            name="shop",
            quoted="shop",
            layout=Layout(shape="baskets", format="table"),
        )

    def commit(self) -> None:
        self._ask("commit")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.asked.append("done" if kind is None else "undone")


def test_a_table_is_loaded_judged_and_committed_before_its_manifest_appears(tmp_path: Path) -> None:
    there = Elsewhere()

    def judge(release: Path | StoredTable) -> dict[str, int]:
        there.asked.append(f"judge {release.name}")
        assert not (tmp_path / "out").exists()
        return {release.name: 1}

    publish_to(tmp_path / "out", into=there, judge=judge)

    assert there.asked == ["judge release.dat", "load a b", "judge shop", "commit", "done"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["table"] == {"address": "duckdb:there", "name": "shop", "rows": 1}
    assert names(tmp_path) == ["manifest.json", "out"]


@pytest.mark.parametrize("fails", ["load a b", "commit"])
def test_a_lost_connection_leaves_neither_folder_nor_key(tmp_path: Path, fails: str) -> None:
    there = Elsewhere(fails)

    with pytest.raises(ga.NotWritten, match="lost"):
        publish_to(tmp_path / "deep" / "out", into=there, key=tmp_path / "key.json")

    assert there.asked[-1] == "undone"
    assert names(tmp_path) == []


def test_parts_are_listed_one_by_one_and_replaced_by_force_only_when_all_are_parts(tmp_path: Path) -> None:
    def parts(place: Path) -> Path:
        (place / "release").mkdir()
        for number in range(2):
            (place / "release" / f"part-0000{number}.parquet").write_text("x")
        return place / "release"

    rows = {"release/part-00000.parquet": 3, "release/part-00001.parquet": 1}
    publish_to(tmp_path / "out", write=parts, judge=lambda _: rows)

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert {part["file"]: part["rows"] for part in manifest["files"]} == rows
    publish_to(tmp_path / "out", force=True)
    assert names(tmp_path) == ["manifest.json", "out", "release.dat"]
    with pytest.raises(ga.CheckFailed, match=r"part-00001\.parquet was written, but not judged"):
        publish_to(tmp_path / "more", write=parts, judge=lambda _: {"release/part-00000.parquet": 3})
    (tmp_path / "out" / "release").mkdir()
    (tmp_path / "out" / "release" / "notes.txt").write_text("mine")
    with pytest.raises(ga.NotWritten, match=r"not part of the release, such as release"):
        publish_to(tmp_path / "out", force=True)


def test_texts_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    here, nowhere = tmp_path / "report.html", tmp_path / "no" / "report.html"
    with pytest.raises(ga.NotWritten):
        publish.write_texts([publish.Text(path=path, text="x") for path in (here, nowhere)])
    assert names(tmp_path) == []

    publish.write_texts([publish.Text(path=here, text="x")])
    assert names(tmp_path) == ["report.html"]
    assert here.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda out: (out / "thesis.html").write_text("mine"),
            r"not part of the release, such as thesis\.html",
        ),
        (lambda out: (out / "more" / "deep").mkdir(parents=True), r"not part of the release, such as more"),
        (lambda out: (out / "release.notes").write_text("mine"), r"such as release\.notes"),
        (lambda out: (out / "release.dat").write_text("mine"), r"release\.dat was changed"),
        (lambda out: (out / "release.dat").unlink(), r"without its release\.dat"),
        (lambda out: (out / "manifest.json").unlink(), "not a release"),
        (lambda out: (out / "manifest.json").write_text("{}"), "not a release"),
        (lambda out: (out / "manifest.json").write_text('{"files": []}'), "not a release"),
    ],
)
def test_force_replaces_a_folder_only_if_its_manifest_lists_what_is_there(
    tmp_path: Path, change: Callable[[Path], object], told: str
) -> None:
    out = tmp_path / "out"
    publish_to(out)
    change(out)
    before = {path: path.is_file() and path.read_bytes() for path in out.rglob("*")}

    with pytest.raises(ga.NotWritten, match=told):
        publish_to(out, force=True)
    assert {path: path.is_file() and path.read_bytes() for path in out.rglob("*")} == before


@pytest.mark.parametrize("name", ["index.html", "release.docx", "release.notes"])
def test_force_never_replaces_files_that_are_only_named_like_a_release(tmp_path: Path, name: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("years of work")

    with pytest.raises(ga.NotWritten, match="left alone"):
        publish_to(tmp_path / "out", force=True)
    assert (tmp_path / "out" / name).read_text() == "years of work"


def test_an_unjudged_release_is_for_its_owner_alone_and_the_folder_has_its_mode_at_once(
    tmp_path: Path,
) -> None:
    def judge(file: Path) -> dict[str, int]:
        assert file.parent.parent.stat().st_mode & 0o777 == 0o700
        assert file.parent.parent.parent == tmp_path
        modes.append(file.parent.stat().st_mode)
        return {file.name: 1}

    modes: list[int] = []
    (tmp_path / "other").mkdir()
    publish_to(tmp_path / "out", judge=judge)
    assert {*modes, (tmp_path / "out").stat().st_mode} == {(tmp_path / "other").stat().st_mode}


@pytest.mark.parametrize(
    ("order", "limit", "verdict"), [("shuffled", "1/3", "at risk"), ("kept", "1/2", "cannot judge")]
)
def test_what_is_not_safe_is_not_published(order: Any, limit: str, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "shop.dat").write_text("bread\nbread\n")
    release = ga.Release(ga.read_transactions(tmp_path / "shop.dat"), order=order)
    found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity=limit))
    with pytest.raises(ga.NotWritten, match=rf"not safe \({verdict}\), so nothing was written"):
        found.publish(tmp_path / "out", key=tmp_path / "key.json")
    assert [path.name for path in tmp_path.iterdir()] == ["shop.dat"]


def test_what_names_exposures_is_for_its_owner_alone(tmp_path: Path) -> None:
    release = ga.Release(ga.Transactions.from_lists([["a"], ["a", "b"]]))
    found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    found.to_json(tmp_path / "s.json")
    found.to_html(tmp_path / "owner.html")
    found.to_html(tmp_path / "public.html", public=True)
    found.write_withheld(tmp_path / "withheld.txt")
    mine = {path.name for path in tmp_path.iterdir() if path.stat().st_mode & 0o777 == 0o600}
    assert mine == {"s.json", "owner.html", "withheld.txt"}
