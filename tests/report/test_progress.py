"""One line of progress: it never goes back, it is gone before anything is printed, and it cannot outgrow the terminal."""

import io
import sys
from types import SimpleNamespace

import pytest

import giveaway as ga
from giveaway.model.progress import Whole, steps, tell, watched, whole
from giveaway.report.terminal import progress
from giveaway.report.terminal.ink import shown_length


def line_of(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> progress.ProgressLine:
    monkeypatch.setattr(progress, "_AFTER", 0.0)
    monkeypatch.setattr(progress, "_EACH", 0.0)
    return progress.on_terminal(stream)


def test_the_whole_never_becomes_less() -> None:
    seen = []
    with steps(3) as outer:
        for inner in (2, 5, 1):
            with outer.step("attacker"), steps(inner) as work:
                for _ in range(inner + 1):  # one step more than was planned
                    with work.step():
                        seen += [work.part(part) for part in (0.0, 1.0, 0.3)]
    assert seen == sorted(seen)
    assert 0 <= seen[0] <= seen[-1] <= 1


def test_two_halves_are_a_whole() -> None:
    work = Whole(2, None)
    with work.step():
        assert work.part(0.5) == 0.25
    with work.step():
        assert work.part(1.0) == 1.0


def test_a_line_names_the_step_and_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    line = line_of(stream, monkeypatch)
    with watched(line.watch), steps(2) as work, work.step("attacker 1 of 2, items"):
        tell("counting combinations", 30, 60)
    line.stop()
    shown, last = stream.getvalue().split("\x1b[K")[:2]
    assert " 25 %" in shown
    assert "attacker 1 of 2, items: counting" in shown
    assert shown.endswith("Ctrl-C stops")
    assert last == "\r"
    line.stop()
    assert stream.getvalue().count("\r") == 2


def test_a_line_fits_and_has_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    stream = io.StringIO()
    line_of(stream, monkeypatch).watch("a stage with a long name " * 9, 1, 2)
    text = stream.getvalue()
    assert shown_length(text.replace("\r", "").replace("\x1b[K", "")) < 60
    assert "m" not in text.split("\x1b")[1]


def test_python_shows_progress_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_AFTER", 0.0)
    release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"], ["b"]]))
    for wanted, said in ((None, False), (False, False), (True, True)):
        effort = ga.Effort(progress=wanted)
        ga.assess(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"), effort=effort)
        assert ("items: " in capsys.readouterr().err) is said
    with pytest.raises(ga.ScenarioError, match="true or false"):
        ga.Effort(progress=1)  # type: ignore[arg-type]
    assert whole() is None


def test_a_notebook_shows_progress_in_one_cell_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, drawn: str) -> None:
            shown.append(drawn)

    def display(drawn: str, *, display_id: bool) -> Handle:
        assert display_id
        shown.append(f"first {drawn}")
        return Handle()

    kernel = SimpleNamespace(kernel=object())
    views = SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel, display=views))
    monkeypatch.setitem(sys.modules, "IPython.display", views)
    monkeypatch.setattr(progress, "_AFTER", 0.0)
    monkeypatch.setattr(progress, "_EACH", 0.0)
    release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"], ["b"]]))
    ga.assess(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    assert shown[0].startswith("first <code>")
    assert not any(one.startswith("first") for one in shown[1:])
    assert shown[-1] == ""
