"""What everybody may read follows from the released files and from what was asked: never from what is hidden.

Two originals that give the same released files give the same manifest and the same public page. The originals are all small
ones, and lots are injected.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.sizes import ALL

import giveaway as ga
from giveaway.model.question.attacker import Attacker
from giveaway.publish.release import draw_order

_ALIKE, _GROUPS = (5, 8) if ALL else (3, 4)
"""Of the originals that give the same files, so many are compared, and of so many files."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, and all originals about which it is asked."""

    originals: Callable[[], Iterator[ga.Release]]
    attacker: Attacker
    tolerance: ga.Tolerance
    options: Any = None


def baskets(items: str, rows: int, **about: Any) -> Iterator[ga.Release]:
    kinds = [
        [item for item, there in zip(items, held, strict=True) if there]
        for held in product((0, 1), repeat=len(items))
    ]
    for chosen in combinations_with_replacement(kinds, rows):
        if len({item for basket in chosen for item in basket}) > 1:
            release = {name: about[name] for name in ("hierarchies",) if name in about}
            private = [item for item in about.get("private", ()) if any(item in basket for basket in chosen)]
            data = ga.Transactions.from_lists(list(chosen), domain=list(items), private=private)
            yield ga.Release(data, **release)


def tables(columns: dict[str, str], rows: int, **about: Any) -> Iterator[ga.Release]:
    for chosen in combinations_with_replacement(list(product(*columns.values())), rows):
        records: list[dict[str, str | None]] = [
            dict(zip(columns, (None if value == "-" else value for value in record), strict=True))
            | {"who": str(place)}
            for place, record in enumerate(chosen)
        ]
        sensitive = [name for name in ("S", "T") if name in columns]
        table = ga.Table.from_rows(records, id="who", sensitive=sensitive, **about.get("table", {}))
        yield ga.Release(table, **about.get("release", {}))


def lists(columns: dict[str, str], rows: int) -> Iterator[ga.Release]:
    """Publish all rules of each table."""
    limits: dict[str, Any] = {"min_support": f"1/{rows}", "min_confidence": "1/2"}
    for release in tables(columns, rows):
        table = release.original
        assert isinstance(table, ga.Table)
        rules = ga.PublishedRules(ga.mine_rules(table, **limits), scores="withheld", **limits)
        if rules.rules:
            yield ga.Release(table, rules=rules)


AB = {"A": "xy", "B": "pq"}
TOWNS = {"A": {"x": ["north"], "y": ["north"]}}

ASKED = {
    "items": Asked(
        originals=lambda: baskets("aws", 4, private="s"),
        attacker=ga.KnowsItems(at_most=1),
        tolerance=ga.Tolerance(attribute="1/2"),
    ),
    "items, identity": Asked(
        originals=lambda: baskets("awz", 4),
        attacker=ga.KnowsItems(at_most=2),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "items, as categories": Asked(
        originals=lambda: baskets("abw", 4, hierarchies={"item": {"a": ["c"], "b": ["c"]}}),
        attacker=ga.KnowsItems(at_most=1),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "directory": Asked(
        originals=lambda: tables(AB, 4),
        attacker=ga.KnowsDirectory(columns=["A", "B"]),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "directory, of the paper": Asked(
        originals=lambda: tables({"A": "xyz", "B": "pq"}, 4),
        attacker=ga.KnowsDirectory(columns=["A", "B"], knows_method=False),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "directory, some missing": Asked(
        originals=lambda: tables({"A": "xy-", "B": "pq"}, 4),
        attacker=ga.KnowsDirectory(columns=["A", "B"]),
        tolerance=ga.Tolerance(identity="1/2", share="1/4"),
    ),
    "directory, of sensitive values": Asked(
        originals=lambda: tables(AB | {"S": "uv"}, 4),
        attacker=ga.KnowsDirectory(columns=["A", "B"]),
        tolerance=ga.Tolerance(identity="1/2", attribute="3/4"),
    ),
    "directory, coarser": Asked(
        originals=lambda: tables(AB, 4, release={"hierarchies": TOWNS}),
        attacker=ga.KnowsDirectory(columns=["A", "B"]),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "directory, known in part": Asked(
        originals=lambda: tables(AB, 4),
        attacker=ga.KnowsDirectory(columns=["A", "B"], at_most=1),
        tolerance=ga.Tolerance(identity="1/2"),
    ),
    "attributes": Asked(
        originals=lambda: tables({"A": "xy", "S": "uvw"}, 5, release={"secrets": ["0"]}),
        attacker=ga.KnowsAttributes(columns=["A"]),
        tolerance=ga.Tolerance(attribute="1/2"),
    ),
    "attributes, of the paper": Asked(
        originals=lambda: tables({"A": "xy", "S": "uv"}, 5, release={"secrets": ["0"]}),
        attacker=ga.KnowsAttributes(columns=["A"], knows_method=False),
        tolerance=ga.Tolerance(attribute="3/5"),
    ),
    "profiles": Asked(
        originals=lambda: lists({"A": "xy", "S": "uv"}, 5),
        attacker=ga.KnowsProfiles(columns=["A"]),
        tolerance=ga.Tolerance(attribute="3/4"),
    ),
    "frequencies": Asked(
        originals=lambda: baskets("abcd", 3),
        attacker=ga.KnowsFrequencies(belief=ga.Belief.around("1/3")),
        tolerance=ga.Tolerance(average="2/3"),
    ),
    "frequencies, exactly": Asked(
        originals=lambda: baskets("abcd", 3),
        attacker=ga.KnowsFrequencies(belief=ga.Belief.exact()),
        tolerance=ga.Tolerance(identity="2/3"),
    ),
}


def _lot(*_: object) -> Random:
    return Random(1)  # noqa: S311 - the lot is known here


@pytest.fixture(autouse=True)
def _lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.model.release.lot.source", _lot)
    monkeypatch.setattr("giveaway.publish.release._codes", _in_order)
    monkeypatch.setattr("giveaway.publish.release.draw_order", _in_place)


def _in_place(release: ga.Release) -> Any:
    drawn = draw_order(release)
    return None if drawn is None else np.sort(drawn)


def _in_order(release: ga.Release) -> dict[Any, str] | None:
    """Number items by how often they occur, and equal ones by the rows that hold them."""
    published = release.published
    if not release.renamed or not isinstance(published, ga.Transactions):
        return None
    held = {label: [label in basket for basket in baskets_of(published)] for label in published.labels}
    ordered = sorted(held, key=lambda label: (sum(held[label]), held[label]))
    return {label: str(number) for number, label in enumerate(ordered)}


def baskets_of(published: ga.Transactions) -> list[list[Any]]:
    """List the items of each transaction."""
    ends = published.offsets.tolist()
    labels = [published.labels[code] for code in published.codes]
    alike = zip(ends, ends[1:], published.weights.tolist(), strict=False)
    return [labels[start:end] for start, end, weight in alike for _ in range(weight)]


def shown(found: ga.Assessment) -> Any:
    """Return what the released file holds, whatever the order of its rows."""
    published, codes = found.release.published, _in_order(found.release)
    if isinstance(published, ga.Transactions):
        named = codes or {label: str(label) for label in published.labels}
        return sorted(sorted(named[item] for item in basket) for basket in baskets_of(published))
    rows: Any = found.released()
    return sorted(map(repr, rows))


def protected(asked: Asked) -> dict[str, list[ga.Assessment]]:
    """Protect all originals, and put together those that come to the same files."""
    groups: dict[str, list[ga.Assessment]] = {}
    for release in asked.originals():
        try:
            found = ga.protect(release, asked.attacker, asked.tolerance)
        except (ga.NoSafeRelease, ga.ScenarioError):
            continue
        if found.safe:
            groups.setdefault(repr(shown(found)), []).append(found)
    return groups


def public(found: ga.Assessment, folder: Path) -> tuple[list[str], str, str]:
    """Publish; return the lines of the files, the manifest and the public page, without the hashes of the files."""
    page = folder.with_suffix(".html")
    found.publish(folder / "now", public_html=page)
    manifest = json.loads((folder / "now" / "manifest.json").read_text())
    for file in manifest["files"]:
        del file["sha256"]
    written = sorted(path for path in (folder / "now").iterdir() if path.name != "manifest.json")
    lines = [line for path in written for line in sorted(path.read_text().splitlines())]
    return lines, json.dumps(manifest, indent=1), re.sub(r"[0-9a-f]{64}", "", page.read_text())


@pytest.mark.sized
@pytest.mark.parametrize("name", ASKED)
def test_the_same_files_come_with_the_same_manifest_and_public_page(name: str, tmp_path: Path) -> None:
    groups = [_spread(some) for some in protected(ASKED[name]).values()]
    groups = sorted((some for some in groups if len(some) > 1), key=len, reverse=True)[:_GROUPS]
    assert groups, "no two originals give the same files"
    for number, some in enumerate(groups):
        told = [public(one, tmp_path / f"{number}-{place}") for place, one in enumerate(some)]
        assert all(one[0] == told[0][0] for one in told), "the files are the same"
        for one in told[1:]:
            assert one[1] == told[0][1]
            assert one[2] == told[0][2]


def _spread(alike: list[ga.Assessment]) -> list[ga.Assessment]:
    """Take a few of those that give the same files: those that differ most in what they withhold and warn of."""
    told: dict[str, list[ga.Assessment]] = {}
    for found in alike:
        told.setdefault(
            repr([str(found.withheld), [(f.against, f.risk and f.risk.warning) for f in found.findings]]), []
        ).append(found)
    first = [some[0] for some in told.values()]
    return [*first, *(one for some in told.values() for one in some[1:])][:_ALIKE]
