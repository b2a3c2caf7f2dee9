"""Short forms and views of what Python returns."""

import builtins
from typing import Any

import pytest
from tests.bench.cases import CASES
from tests.report.reading import Page

import giveaway as ga


@pytest.mark.parametrize("name", CASES)
def test_everything_has_a_short_form_and_a_view_with_a_picture(name: str) -> None:
    case = CASES[name]
    release = case.release(case.rows)
    found = ga.assess(release, case.attacker, case.tolerance)
    (finding,) = found.findings
    for thing in (found, finding, found.exposures, release):
        assert len(repr(thing)) < 250
        assert repr(thing).startswith("<")
        view = Page(thing._repr_html_())
        assert view.broken == []
    assert "1 attacker," in repr(found)
    assert "<svg" in finding._repr_html_()
    assert "<svg" in found._repr_html_()
    assert found.verdict in repr(finding)


def test_a_view_of_a_release_draws_what_is_published_of_each_column() -> None:
    rows = [{"a": i % 3, "b": i % 2} for i in range(12)]
    table = ga.Table.from_rows(rows)
    release = ga.Release(table, ga.Withheld(cells=table.cells([(1, "a"), (2, "a"), (3, "a")])))
    text = Page(release._repr_html_()).text
    assert "75" in text
    assert "100" in text
    assert "3 entries withheld" in repr(release)


def test_hostile_labels_are_escaped_in_every_view() -> None:
    baskets = ga.Transactions.from_lists([["<script>", "b"], ["b"], ["b"]], private=[])
    found = ga.assess(ga.Release(baskets), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    for thing in (found, found.findings[0], found.exposures, found.release):
        assert "<script>" not in thing._repr_html_()


def test_help_tells_every_parameter() -> None:
    kinds: list[Any] = [getattr(ga, name) for name in ga.__all__ if name.startswith(("Knows", "Needs"))]
    for kind in [*kinds, ga.Tolerance, ga.Effort, ga.Filing]:
        for name, field in kind.__dataclass_fields__.items():
            if "doc" in field.metadata:
                assert f"    {name}\n" in kind.__doc__
                assert name in kind.__init__.__doc__
    assert "    secrets\n" in str(ga.Release.__doc__)


def test_a_frame_without_its_library_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **more)

    release = ga.Release(ga.Transactions.from_lists([["a"], ["b"]]))
    found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pandas is not installed.*pip install pandas"):
        found.to_pandas()
    with pytest.raises(ga.ScenarioError):
        found.to_pandas()
