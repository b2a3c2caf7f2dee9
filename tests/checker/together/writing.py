"""Releases written next to earlier ones and judged by the checker, whatever was measured of them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import giveaway as ga
from giveaway import checker
from giveaway.cli.main import app
from giveaway.publish import draw, write_release


def csv(folder: Path, name: str, head: str, rows: Iterable[str]) -> Path:
    (folder / name).write_text("\n".join([head, *rows]) + "\n")
    return folder / name


def judged(
    release: ga.Release,
    folder: Path,
    attacker: Any,
    tamper: Callable[[Path], object] = lambda _: None,
    **limits: Any,
) -> None:
    """Write a release, change the file, and let the checker judge it."""
    drawn = draw(release)
    (folder / "out").mkdir(exist_ok=True)
    file = write_release(release, folder / "out", drawn)
    tamper(file)
    known = release.original.columns if isinstance(release.original, ga.Table) else ()
    alone = attacker.among(known) if known and release.rules is None else attacker
    promise = checker.Promise(
        attack=attacker.attack,
        attacker=vars(alone),
        tolerance=ga.Tolerance(**limits),
        with_earlier=vars(attacker),
    )
    checker.judge(file, release, [promise], drawn.codes, drawn.order)


def run(*words: object) -> Any:
    return CliRunner().invoke(app, list(map(str, words)))


def written(scenario: str, folder: str, *words: object) -> Path:
    """Protect by a scenario of this folder, and return what was written; fail where nothing was."""
    (Path(f"{folder}.toml")).write_text(scenario)
    found = run("protect", f"{folder}.toml", "-o", folder, *words)
    assert found.exit_code == 0, found.output
    assert Path(folder, "manifest.json").is_file()
    return Path(folder)
