"""What stands between a mistake and a release with its name."""

from dataclasses import replace
from pathlib import Path

import pytest

import giveaway as ga
from giveaway import checker, publish


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
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.owner.json"]


def test_a_promise_that_the_checker_does_not_judge_by_is_not_confirmed(tmp_path: Path) -> None:
    found = shop()
    (finding,) = found.findings
    other = replace(found, findings=(replace(finding, tolerance=ga.Tolerance(average=1)),))

    with pytest.raises(ga.NotConfirmed, match="can be checked"):
        other.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_promise_against_every_attacker_is_checked(tmp_path: Path) -> None:
    found = shop()
    (finding,) = found.findings
    broken = replace(finding, tolerance=ga.Tolerance(identity="1/4"))
    other = replace(found, findings=(finding, broken))

    with pytest.raises(ga.CheckFailed, match="breaks the promise against attacker 2"):
        other.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "written", ["a b\na b\na\na c\n", "a b\na b\na\n", "a b\na b\na\na\na\n", "a b\na\na\na\n"]
)
def test_transactions_are_the_original_minus_what_is_withheld(written: str, tmp_path: Path) -> None:
    """A withheld item is shown, a row is missing, one is there too often, an item is gone."""
    (tmp_path / "shop.dat").write_text("a b\na b\na c\na\n")
    release = ga.Release(ga.read_transactions(tmp_path / "shop.dat"), ga.Withheld(items=["c"]))
    (tmp_path / "out").mkdir()
    file = publish.write_release(release, tmp_path / "out")
    known, limit = ga.KnowsItems(at_most=1), ga.Tolerance(identity="99/100")
    promise = checker.Promise(attack="items", attacker=vars(known), tolerance=limit)
    assert checker.judge(file, release, [promise]) == {"release.dat": 4}
    file.write_text(written)
    with pytest.raises(ga.CheckFailed, match="not the original minus what is withheld"):
        checker.judge(file, release, [promise])
