"""The owner's file: for the owner alone, one more entry for each release, and any other file left alone."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.publish.test_publish import Elsewhere, hashed, names, publish_to, written

import giveaway as ga
from giveaway import publish

DRAWN = publish.Drawn(codes={"a": "2", "b": "1"}, order=np.array([1, 2, 0]))


def held(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_it_holds_what_was_drawn_under_the_hash_of_the_manifest(tmp_path: Path) -> None:
    publish_to(tmp_path / "out", key=tmp_path / "key.json", drawn=DRAWN)

    said = held(tmp_path / "key.json")
    (entry,) = said["releases"]
    assert (said["giveaway"], said["format"]) == ("owner's file", 1)
    assert stat.S_IMODE((tmp_path / "key.json").stat().st_mode) == 0o600
    assert entry["manifest"] == hashed(tmp_path / "out" / "manifest.json")
    assert (entry["codes"], entry["rows"]) == ({"2": "a", "1": "b"}, [2, 3, 1])
    assert entry["giveaway"] == ga.__version__
    assert entry["date"].endswith("+00:00")


def test_each_release_adds_an_entry_without_force_and_closes_the_file_to_others(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    publish_to(tmp_path / "one", key=key, drawn=DRAWN)
    key.chmod(0o644)
    publish_to(tmp_path / "two", key=key)

    first, second = held(key)["releases"]
    assert first["rows"] == [2, 3, 1]
    assert (second["codes"], second["rows"]) == (None, None)
    assert second["manifest"] == hashed(tmp_path / "two" / "manifest.json")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert names(tmp_path) == ["key.json", *["manifest.json"] * 2, "one", *["release.dat"] * 2, "two"]


@pytest.mark.parametrize(
    "content",
    [
        "my thesis",
        "[]",
        '[{"item": "a", "code": "1"}]',
        '{"releases": []}',
        '{"giveaway": "0.1.0", "verdict": "safe"}',
        '{"giveaway": "owner\'s file", "format": 1}',
        '{"giveaway": "owner\'s file", "format": 99, "releases": []}',
        "[" * 100_000,
    ],
)
@pytest.mark.parametrize("force", [False, True])
def test_any_other_file_is_refused_untouched(tmp_path: Path, content: str, force: bool) -> None:
    key = tmp_path / "key.json"
    key.write_text(content)

    with pytest.raises(ga.NotWritten, match="left alone"):
        publish_to(tmp_path / "out", key=key, force=force, drawn=DRAWN)

    assert key.read_text() == content
    assert names(tmp_path) == ["key.json"]


def test_it_never_lies_inside_the_release(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "out")

    for inside in ("out/key.json", "link/key.json", "out"):
        with pytest.raises(ga.NotWritten, match="must not lie inside"):
            publish_to(tmp_path / "out", key=tmp_path / inside, drawn=DRAWN)
    with pytest.raises(ga.NotWritten, match="folder does not exist"):
        publish_to(tmp_path / "out", key=tmp_path / "nowhere" / "key.json", drawn=DRAWN)
    assert names(tmp_path) == ["link", "out"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "key.json")

    publish_to(tmp_path / "one", key=tmp_path / "link.json", drawn=DRAWN)
    publish_to(tmp_path / "two", key=tmp_path / "link.json", drawn=DRAWN)

    assert (tmp_path / "link.json").is_symlink()
    assert len(held(tmp_path / "key.json")["releases"]) == 2


def test_a_release_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    for before in (None, "one"):
        if before is not None:
            publish_to(tmp_path / before, key=key, drawn=DRAWN)
        content = key.read_bytes() if before else None
        with pytest.raises(ga.NotWritten, match="lost"):
            publish_to(tmp_path / "out", key=key, into=Elsewhere("commit"), drawn=DRAWN)
        assert (key.read_bytes() if key.exists() else None) == content
        assert "out" not in names(tmp_path)


def test_it_is_there_before_the_release_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Watching(Elsewhere):
        def commit(self) -> None:
            (entry,) = held(tmp_path / "key.json")["releases"]
            seen.append(entry["manifest"])
            assert not (tmp_path / "out").exists()

    publish_to(tmp_path / "out", key=tmp_path / "key.json", into=Watching(), drawn=DRAWN)

    assert seen == [hashed(tmp_path / "out" / "manifest.json")]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "key.json"
    publish_to(tmp_path / "one", key=key, drawn=DRAWN)
    before = key.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("giveaway.publish.owners_file.fill", full)
    with pytest.raises(ga.NotWritten, match=r"key\.json could not be written: No space left"):
        publish_to(tmp_path / "out", key=key, drawn=DRAWN)

    assert key.read_bytes() == before
    assert names(tmp_path) == ["key.json", "manifest.json", "one", "release.dat"]


def test_replacing_a_release_drops_its_entry_and_no_other(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    publish_to(tmp_path / "one", key=key, drawn=DRAWN)
    publish_to(tmp_path / "out", key=key, drawn=DRAWN)
    other = hashed(tmp_path / "one" / "manifest.json")
    publish_to(tmp_path / "out", key=key, force=True, write=lambda place: written(place, "c d\n"))

    replaced = hashed(tmp_path / "out" / "manifest.json")
    assert [entry["manifest"] for entry in held(key)["releases"]] == [other, replaced]


def test_tidying_up_twice_keeps_the_key_of_an_equal_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, out = tmp_path / "key.json", tmp_path / "out"
    publish_to(out, key=key, drawn=DRAWN)

    def fails(folder: Path) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("giveaway.publish.swap._remove", fails)
        publish_to(out, key=key, drawn=DRAWN, force=True)
    assert publish.recover(out)
    assert not publish.recover(out)
    (entry,) = held(key)["releases"]
    assert entry["manifest"] == hashed(out / "manifest.json")
    assert names(tmp_path) == ["key.json", "manifest.json", "out", "release.dat"]


def test_both_keys_are_there_while_one_release_replaces_another(tmp_path: Path) -> None:
    key, out = tmp_path / "key.json", tmp_path / "out"
    publish_to(out, key=key, drawn=DRAWN)
    old = hashed(out / "manifest.json")

    class Watching(Elsewhere):
        def commit(self) -> None:
            first, second = held(key)["releases"]
            assert first["manifest"] == old != second["manifest"]

    publish_to(out, key=key, into=Watching(), drawn=DRAWN, force=True)
    (entry,) = held(key)["releases"]
    assert entry["manifest"] == hashed(out / "manifest.json") != old


def test_runs_that_write_one_file_at_once_lose_no_entry(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: publish_to(tmp_path / f"out{n}", key=key, drawn=DRAWN), range(24)))

    assert {entry["manifest"] for entry in held(key)["releases"]} == {
        hashed(tmp_path / f"out{n}" / "manifest.json") for n in range(24)
    }
    assert len(held(key)["releases"]) == 24


def renamed_shop(folder: Path, baskets: str) -> ga.Assessment:
    (folder / "shop.dat").write_text(baskets)
    release = ga.Release(ga.read_transactions(folder / "shop.dat"), renamed=True)
    return ga.assess(release, ga.KnowsFrequencies(), ga.Tolerance(average="9/10"))


def test_the_draw_of_a_replaced_release_is_kept_when_the_data_are_the_same(tmp_path: Path) -> None:
    key, out = tmp_path / "key.json", tmp_path / "out"
    baskets = "".join(f"{item} x{item}\n" for item in range(40))
    found = renamed_shop(tmp_path, baskets)
    found.publish(out, key=key)
    first, (entry,) = {path.name: path.read_bytes() for path in out.iterdir()}, held(key)["releases"]
    found.publish(out, key=key, force=True)
    (again,) = held(key)["releases"]
    assert (again["codes"], again["rows"]) == (entry["codes"], entry["rows"])
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first

    with pytest.raises(ga.NotWritten, match="data with 40 of 40 rows the same"):
        renamed_shop(tmp_path, baskets + "1 2\n").publish(out, key=key, force=True)
    renamed_shop(tmp_path, "".join(f"{item} y{item}\n" for item in range(40))).publish(
        out, key=key, force=True
    )
    (other,) = held(key)["releases"]
    assert (other["codes"], other["rows"]) != (entry["codes"], entry["rows"])


@pytest.mark.parametrize("rows", [[1, 1, 2], [2, 3, 4], [0, 1, 2], [1, 3]])
def test_an_order_that_is_none_is_not_believed(rows: list[int], tmp_path: Path) -> None:
    publish_to(tmp_path / "out", key=tmp_path / "key.json", drawn=DRAWN)
    said = held(tmp_path / "key.json")
    said["releases"][0]["rows"] = rows
    (tmp_path / "key.json").write_text(json.dumps(said))
    with pytest.raises(ga.DataError, match="an entry that giveaway does not write"):
        ga.Ledger.read(tmp_path / "key.json")


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("codes", lambda _: None),
        ("codes", lambda codes: {label: label for label in codes.values()}),
        ("codes", lambda codes: codes | {"1": "other"}),
        ("codes", lambda codes: codes | {"1": codes["2"]}),
        ("codes", lambda codes: codes | {"1": ["x"]}),
        ("codes", lambda codes: {code: label for code, label in codes.items() if code != "1"}),
        ("rows", lambda _: None),
        ("rows", lambda rows: rows[1:]),
        ("rows", lambda rows: [rows[1], *rows[1:]]),
    ],
)
def test_what_was_never_drawn_is_not_published(field: str, changed: Any, tmp_path: Path) -> None:
    key, out = tmp_path / "key.json", tmp_path / "out"
    found = renamed_shop(tmp_path, "".join(f"{one} x{one}\n" for one in range(40)))
    found.publish(out, key=key)
    first, said = (out / "release.dat").read_bytes(), held(key)
    (entry,) = said["releases"]
    entry[field] = changed(entry[field])
    key.write_text(json.dumps(said))

    with pytest.raises(ga.NotWritten, match="an entry that giveaway does not write"):
        found.publish(out, key=key, force=True)

    assert (out / "release.dat").read_bytes() == first
