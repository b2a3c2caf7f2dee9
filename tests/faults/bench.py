"""A shop that publishes its baskets again and again while things go wrong, and what must hold whatever happens."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL")
FAULTS = (*SIGNALS, "ENOSPC", "EIO")

BASKETS = "bread milk\n" * 3 + "bread jam\n" * 3 + "milk jam\n" * 2 + "bread milk rare\n"
OLD = BASKETS.replace("bread", "bun").replace("milk", "tea").replace("jam", "fig").replace("rare", "odd")
"""What was sold before, to others: a release of the same people would be refused."""
SCENARIO = """\
[release]
data = "baskets.dat"
renamed = true

[tolerates]
identity = "1/{crowd}"

[[knows]]
attack = "items"
at_most = 1
"""
REPORTS = ("--json", "saved.json", "--html", "owner.html", "--public-html", "public.html")
KEY = ("--key", "key.json")
TABLE = ("--to", "duckdb:shop.duckdb", "--table", "shop")
MODES = {
    "new": (),
    "new-key": KEY,
    "new-reports": REPORTS,
    "new-table": TABLE,
    "force": ("--force",),
    "force-key": ("--force", *KEY),
    "force-key-reports": ("--force", *KEY, *REPORTS),
    "force-key-reports-table": ("--force", *KEY, *REPORTS, *TABLE),
}


@dataclass(frozen=True)
class Run:
    """How a command ended."""

    code: int
    out: str
    err: str
    operations: list[str]


class Launcher:
    """The process whose children run the commands."""

    def __init__(self, folder: Path) -> None:
        self.logs = folder / "logs"
        self.logs.mkdir()
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("launcher.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def run(self, box: Path, *commands: Sequence[str], fault: tuple[int, str] | None = None) -> list[Run]:
        """Run commands at once in the folder `shop` of a box."""
        told = None if fault is None else {"at": fault[0], "kind": fault[1]}
        request = {
            "folder": str(box / "shop"),
            "tmp": str(box / "tmp"),
            "logs": str(self.logs),
            "commands": [list(words) for words in commands],
            "fault": told,
        }
        codes = self.ask(request)["codes"]
        return [self._told(number, code) for number, code in enumerate(codes)]

    def _told(self, number: int, code: int) -> Run:
        texts = []
        for ending in ("out", "err", "count"):
            file = self.logs / f"{number}.{ending}"
            texts.append(file.read_text() if file.exists() else "")
            file.unlink(missing_ok=True)
        return Run(code, texts[0], texts[1], texts[2].splitlines())

    def close(self) -> None:
        with self._process:  # closes the pipes, by which the process ends, and waits for it
            pass


def make_box(box: Path, *, crowd: int = 2) -> None:
    """Make a shop with its inputs, and a folder for temporary files."""
    (box / "shop").mkdir(parents=True)
    (box / "tmp").mkdir()
    (box / "shop" / "baskets.dat").write_text(BASKETS)
    (box / "shop" / "shop.toml").write_text(SCENARIO.format(crowd=crowd))


def command(mode: str) -> list[str]:
    """Return the words of the command of a mode."""
    return ["protect", "shop.toml", "-o", "out", "--brief", *MODES[mode]]


def warm(launcher: Launcher, folder: Path) -> None:
    """Let the launcher import and compile what its children use."""
    make_box(folder / "warm")
    words = [*command("force-key-reports-table")]
    launcher.ask({"warm": [{"folder": str(folder / "warm" / "shop"), "words": words}]})


def prepare(launcher: Launcher, box: Path, mode: str) -> None:
    """Make the box in which a mode begins: with an old release, key and reports where they are replaced."""
    make_box(box, crowd=1)
    if "force" in mode:
        old = mode.removesuffix("-table").replace("force", "new")
        words = [word for name in old.split("-")[1:] for word in {"key": KEY, "reports": REPORTS}[name]]
        (box / "shop" / "baskets.dat").write_text(OLD)
        (box / "shop" / "shop.toml").write_text(SCENARIO.format(crowd=2))
        (run,) = launcher.run(box, ["protect", "shop.toml", "-o", "out", "--brief", *words])
        assert run.code == 0, run
        (box / "shop" / "baskets.dat").write_text(BASKETS)
    (box / "shop" / "shop.toml").write_text(SCENARIO.format(crowd=3))


def contents(box: Path) -> dict[str, bytes]:
    """Return everything below a box."""
    return {path.relative_to(box).as_posix(): _content(path) for path in sorted(box.rglob("*"))}


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return str(path.readlink()).encode()
    return path.read_bytes() if path.is_file() else b""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def check_state(before: dict[str, bytes], box: Path, mode: str) -> str:
    """Return whether the old release or the new one stands, whole, with what belongs to it; fail for anything else."""
    now = contents(box)
    for name in ("shop/baskets.dat", "shop/shop.toml"):
        assert now[name] == before[name], f"{name} was changed"
    reports = [f"shop/{name}" for name in REPORTS[1::2]]
    folder, was = (
        {name: data for name, data in state.items() if f"{name}/".startswith("shop/out/")}
        for state in (now, before)
    )
    table = _rows(box / "shop" / "shop.duckdb")
    if folder == was:
        for name in reports:
            assert now.get(name) == before.get(name), f"{name} does not belong to the old release"
        assert table is None, "a table without its manifest"
        check_key(box, mode)
        return "old"
    manifest = json.loads(folder["shop/out/manifest.json"])
    listed = {f"shop/out/{part['file']}": part["sha256"] for part in manifest["files"]}
    assert {"shop/out", "shop/out/manifest.json", *listed} == folder.keys(), "not what the manifest lists"
    assert all(_hash(folder[name]) == sha256 for name, sha256 in listed.items())
    if "table" in mode:
        assert table == len(BASKETS.split()) - 1, "one row for each item but the rare one"
    if "reports" in mode:
        saved = json.loads(now[reports[0]])
        assert {part["sha256"] for part in saved["written"]} == (
            {None} if "table" in mode else {*listed.values()}
        )
        assert b"</html>" in now[reports[1]]
        assert b"</html>" in now[reports[2]]
    check_key(box, mode)
    return "new"


def check_key(box: Path, mode: str) -> None:
    """Check that the owner's file has the key that fits the release that stands, whatever moment it is."""
    out, key = box / "shop" / "out", owners_file(box, mode)
    if not out.exists():
        return
    manifest = _hash((out / "manifest.json").read_bytes())
    (entry,) = [entry for entry in json.loads(key.read_text())["releases"] if entry["manifest"] == manifest][
        -1:
    ]
    assert key.stat().st_mode & 0o777 == 0o600
    if (out / "release.dat").exists():
        labels = entry["codes"]
        sold = BASKETS if "bread" in labels.values() else OLD
        original = [line.split() for line in sold.splitlines()]
        lines = (out / "release.dat").read_text().splitlines()
        assert len(lines) == len(entry["rows"]) == len(original)
        for line, row in zip(lines, entry["rows"], strict=True):
            assert {labels[code] for code in line.split()} <= {*original[row - 1]}


def check_entries(box: Path, mode: str, entries: int) -> None:
    """Check that the owner's file holds no entry of a release that is gone."""
    found = json.loads(owners_file(box, mode).read_text())["releases"]
    assert len(found) == entries, found


def owners_file(box: Path, mode: str) -> Path:
    """Return where the owner's file of a mode is."""
    return box / "shop" / ("key.json" if "key" in mode else "out.owner.json")


def check_nothing_left(box: Path) -> None:
    """Check that nothing is left under a temporary name, here or among the temporary files."""
    left = [name for name in contents(box) if "giveaway-" in name or name.startswith("tmp/")]
    assert not left, left
    assert not (box / "shop" / "shop.duckdb.wal").exists()


def check_told(run: Run, state: str) -> None:
    """Check that message and status are true."""
    assert "Traceback" not in run.err, run.err
    assert "giveaway failed with" not in run.err, run.err
    if run.code == 0:
        assert state == "new", run
    else:
        assert run.code == 2, run
        assert run.err.startswith(("CANNOT JUDGE", "Not written")), run
        assert ("Written before that" in run.err) == (state == "new"), run
        assert "Nothing was written" not in run.err or state == "old", run


def _rows(file: Path) -> int | None:
    """Count the rows of the table, None without one."""
    if not file.exists():
        return None
    with duckdb.connect(file, read_only=True) as connection:
        if ("shop",) not in connection.execute("SHOW TABLES").fetchall():
            return None
        ((rows,),) = connection.execute("SELECT count(*) FROM shop").fetchall()
    return int(rows)
