"""What stands between a mistake and a release with its name."""

from pathlib import Path

import pytest

import giveaway as ga


def shop() -> ga.Assessment:
    release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a"], ["b"]]))
    return ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))


def test_a_failed_swap_gives_the_old_release_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, out = shop(), tmp_path / "out"
    found.publish(out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    honest = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.parent.name.endswith("-new"):
            raise OSError(28, "No space left on device")
        return honest(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(ga.NotWritten, match="No space left"):
        found.publish(out, force=True)

    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_promise_that_the_checker_does_not_judge_by_is_not_confirmed(tmp_path: Path) -> None:
    from dataclasses import replace

    found = shop()
    (finding,) = found.findings
    other = replace(found, findings=(replace(finding, tolerance=ga.Tolerance(average=1)),))

    with pytest.raises(ga.NotConfirmed, match="can be checked"):
        other.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
