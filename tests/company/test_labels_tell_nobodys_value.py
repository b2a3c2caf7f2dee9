"""Labels of classes whose cuts are found in the data show no value of anybody beyond its first two digits, and that is said."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app

PAY = ("1000", "2000", "3111", "90007")


def labels(pay: tuple[str, ...], **groups: Any) -> list[str]:
    """Return the labels that may be published of a column, the finest first."""
    table = ga.Table.from_rows([{"pay": value} for value in pay], **groups)
    shown = list(table.classes["pay"].rows) if table.classes else []
    levels = table.ladders["pay"].hierarchy.of.values() if table.ladders else []
    return [*shown, *dict.fromkeys(str(label) for level in levels for label in level)]


@pytest.mark.parametrize(
    ("pay", "groups", "shown"),
    [
        (PAY, {"classes": {"pay": "quantiles 2"}}, ["<3100", "3100+"]),
        (PAY, {"classes": {"pay": "quantiles 4"}}, ["<2000", "2000-3099", "3100-89999", "90000+"]),
        (PAY, {"ladders": {"pay": "quantiles 2"}}, ["<3100", "3100+"]),
        (
            PAY,
            {"ladders": {"pay": "auto"}},
            ["<2000", "<3100", "2000-3099", "3100-89999", "3100+", "90000+"],
        ),
        (("-3111", "-3050", "-8", "0"), {"classes": {"pay": "quantiles 4"}}, ["<-3000", "-8 to -1", "0+"]),
        (("0.1234", "0.5678"), {"classes": {"pay": "quantiles 2"}}, ["<0.57"]),
        (("1000", "1001", "1002", "1003"), {"classes": {"pay": "quantiles 4"}}, ["1000+"]),
        (PAY, {"classes": {"pay": {"quantiles": 2, "round": 1000}}}, ["<3000", "3000+"]),
    ],
)
def test_labels_show_two_digits_of_what_is_found(pay: tuple[str, ...], groups: Any, shown: list[str]) -> None:
    assert labels(pay, **groups) == shown


@pytest.mark.parametrize("groups", [{"classes": {"pay": "quantiles 3"}}, {"ladders": {"pay": "quantiles 3"}}])
def test_whose_value_a_cut_is_plays_no_part(groups: Any) -> None:
    """Whoever differs in a further digit alone has the same labels around them."""
    assert labels(("1010", "2010", "3111", "4020", "5040", "9001"), **groups) == labels(
        ("1040", "1990", "3149", "4049", "4960", "9049"), **groups
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('classes = { pay = "quantiles 2" }', True),
        ('ladders = { pay = "quantiles 2" }', True),
        ("classes = { pay = [3000] }", False),
        ("ladders = { pay = [10000, 100000] }", False),
    ],
)
def test_it_is_said_before_the_release_is_written(
    lines: str, said: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pay.csv").write_text("\n".join(["pay", *PAY]) + "\n")
    Path("pay.toml").write_text(
        f'[release]\ndata = "pay.csv"\n{lines}\n[tolerates]\nidentity = "1/2"\n'
        '[[knows]]\nattack = "directory"\ncolumns = ["pay"]\n'
    )
    there = []
    monkeypatch.setattr(
        "giveaway.cli.together.complain", lambda text: there.append((text, Path("out").exists()))
    )
    found = CliRunner().invoke(app, ["protect", "pay.toml", "-o", "out"])
    told = "Cuts of pay were found in the data and rounded: labels show them, and they may still be values of people."

    assert found.exit_code == 0
    assert [(told in text, written) for text, written in there] == ([(True, False)] if said else [])
    assert (told in " ".join(found.stdout.split())) == said
    assert "3111" not in Path("out/release.csv").read_text()
    assert "3100" not in Path("out/manifest.json").read_text()
