"""Releases written by hand: files, manifests and an owner's file, without the code that publishes."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Row = Mapping[str, str]


def write(folder: Path, file: str, text: str, counts: Mapping[str, Any], **more: Any) -> str:
    """Write a release of one file and return the hash of its manifest."""
    folder.mkdir(parents=True)
    (folder / file).write_text(text, encoding="utf-8")
    parts = [
        {"file": file, "sha256": hashlib.sha256(text.encode()).hexdigest(), "rows": counts.get("rows", 0)}
    ]
    manifest = {
        "schema": 2,
        "giveaway": "0.1.0",
        "verdict": "safe",
        "not_judged": [],
        "attackers": [attacker()],
        "counts": dict(counts),
        "order": "shuffled",
        "renamed": False,
        "files": parts,
        **more,
    }
    raw = json.dumps(manifest)
    (folder / "manifest.json").write_text(raw, encoding="utf-8")
    return hashlib.sha256(raw.encode()).hexdigest()


def attacker(
    attack: str = "directory", knows: str = "the age of everybody", limit: str = "1/2"
) -> dict[str, Any]:
    above, below = map(int, limit.split("/"))
    tolerance = {"identity": above / below, "identity_exact": limit}
    return {"attack": attack, "knows": knows, "tolerance": tolerance, "safe": True, "against": None}


def table(folder: Path, rows: Sequence[Row], **more: Any) -> str:
    """Write a table as CSV."""
    columns = list(rows[0])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([columns, *([row[name] for name in columns] for row in rows)])
    empty = {name: sum(row[name] == "" for row in rows) for name in columns}
    counts = {
        "rows": len(rows),
        "columns": len(columns),
        "empty": {n: many for n, many in empty.items() if many},
    }
    return write(folder, "release.csv", text.getvalue(), counts, **more)


def baskets(folder: Path, rows: Sequence[Sequence[str]], **more: Any) -> str:
    """Write transactions, one a line."""
    counts = {"rows": len(rows), "items": len({item for row in rows for item in row})}
    return write(folder, "release.dat", "".join(f"{' '.join(row)}\n" for row in rows), counts, **more)


def owners_file(path: Path, *entries: Mapping[str, Any]) -> Path:
    """Write an owner's file."""
    empty = {"codes": None, "rows": None, "data": None, "blanks": {}, "coarser": {}}
    told = {"giveaway": "owner's file", "format": 1, "releases": [empty | dict(entry) for entry in entries]}
    path.write_text(json.dumps(told), encoding="utf-8")
    return path
