"""A screen asks for a part of the Summary only, and shows what it would of the whole."""

from pathlib import Path

import pytest
from tests.faults.mutating import toml
from tests.faults.scenarios import BASES, write_files

import giveaway as ga
from giveaway.report.terminal import screen


@pytest.mark.parametrize("does", ["assess", "protect"])
def test_what_a_screen_asks_for_is_all_that_it_shows(
    does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    seen = 0
    for base in BASES.values():
        (tmp_path / "a.toml").write_text(toml(base), encoding="utf-8")
        try:
            answer = getattr(ga.Scenario.read("a.toml"), does)()
        except ga.GiveawayError as error:
            answer = getattr(error, "assessment", None)
        for values in (True, False) if answer is not None else ():
            whole, part = answer.to_dict(exposures=100 if values else 0), answer.for_screen(values=values)
            assert screen.render(part, exposures=values, quiet=False) == screen.render(
                whole, exposures=values, quiet=False
            )
            assert part.keys() == whole.keys()
            assert all(
                one.keys() <= other.keys()
                for one, other in zip(part["findings"], whole["findings"], strict=True)
            )
            seen += 1

    assert seen >= len(BASES)
