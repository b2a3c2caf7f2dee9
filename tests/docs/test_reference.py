"""The reference, as it is published, names everything that users can set, call or read."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.docs.pages import ROOT, blocks, name_of, pages

import giveaway as ga
from giveaway.attacks import ATTACKS
from giveaway.attacks.directory.scenario import MatchFields
from giveaway.attacks.frequencies.scenario import BeliefFields, PairFields, TargetFields
from giveaway.attacks.profiles.attacker import SHOWN
from giveaway.attacks.profiles.scenario import KeptRules
from giveaway.cli.main import app
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.rule import Statement
from giveaway.report.schema import summary_schema
from giveaway.scenario.earlier.fields import EarlierFields, PopulationFields, ProtectFields
from giveaway.scenario.fields import (
    Digits,
    ReleaseFields,
    RulesFields,
    SensitivityFields,
    WordsFields,
    words,
)
from giveaway.scenario.needs import needs_fields

REFERENCE = ROOT / "docs" / "reference"
HEADINGS = [
    "The story",
    "What the attacker knows",
    "What is measured",
    "How to protect",
    "Figures",
    "Worked example",
    "Limits",
    "The paper",
]


def text_of(page: str) -> str:
    """Return the text of a page as it is published, with its tables."""
    text: str = tables().filled((REFERENCE / page).read_text(encoding="utf-8"))
    return text


@cache
def tables() -> Any:
    """Import what fills the tables in when the documentation is built."""
    spec = spec_from_file_location("tables", ROOT / "docs" / "theme" / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def section_of(page: str, heading: str) -> str:
    """Return the text under a heading and under those that go on with it, such as `[release] of a table`."""
    _, *parts = re.split(r"^#+ (.+)$", text_of(page), flags=re.MULTILINE)
    found = [
        text
        for name, text in zip(parts[::2], parts[1::2], strict=True)
        if name == heading or name.startswith(f"{heading} ")
    ]
    assert found, heading
    return "".join(found)


def python_reference() -> str:
    """Return the text of all pages about Python."""
    return "".join(text_of(page.name) for page in sorted(REFERENCE.glob("python*.md")))


def sections() -> Iterator[tuple[str, type]]:
    yield "[release]", ReleaseFields
    yield "classes", ClassRule
    yield "ladders", LadderRule
    yield "sensitivity", SensitivityFields
    yield "words", WordsFields
    yield "rules", RulesFields
    yield "rules", Digits
    yield "statements and background", Statement
    yield "[[earlier]]", EarlierFields
    yield "population", PopulationFields
    yield "[protect]", ProtectFields
    yield "[tolerates]", Tolerance
    yield "belief", BeliefFields
    yield "targets", TargetFields
    yield "known_pairs", PairFields
    yield "match", MatchFields
    yield "[needs]", needs_fields()
    yield "[needs]", KeptRules
    yield "[effort]", Effort
    for attack in ATTACKS.values():
        yield f'attack = "{attack.name}"', attack.attacker
        yield from (("[needs]", need) for need in attack.needs)
        yield f"[protect.{attack.name}]", attack.options


@pytest.mark.papers
@pytest.mark.parametrize("name", ga.__all__)
def test_a_public_name_has_a_docstring_and_stands_in_the_reference(name: str) -> None:
    assert name == "__version__" or getattr(ga, name).__doc__
    assert re.search(rf"(^::: |`)giveaway\.{name}(`|$)", python_reference(), re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in ga.__all__ if name.startswith(("Knows", "Needs"))])
def test_what_somebody_knows_or_needs_is_shown_by_an_example(name: str) -> None:
    assert ">>>" in str(getattr(ga, name).__doc__)


def test_the_reference_names_nothing_of_giveaway_that_is_not_public() -> None:
    named = re.findall(r"^::: giveaway\.(\w+)$", python_reference(), re.MULTILINE)

    assert set(named) <= set(ga.__all__)


@pytest.mark.parametrize(("heading", "kind"), list(sections()))
def test_a_field_that_a_scenario_may_set_stands_in_its_section(heading: str, kind: type) -> None:
    section = section_of("scenario.md", heading)

    assert [name for name in words(kind) if f"| `{name}` |" not in section] == []


@pytest.mark.parametrize("heading", sorted({heading for heading, _ in sections()}))
def test_a_section_of_the_reference_names_no_field_that_does_not_exist(heading: str) -> None:
    named = re.findall(r"^\| `(\w+)` \|", section_of("scenario.md", heading), re.MULTILINE)
    known = {name for place, kind in sections() if place == heading for name in words(kind)}

    assert set(named) == known


@pytest.mark.papers
def test_every_command_and_option_stands_in_the_reference_and_no_other() -> None:
    group = typer.main.get_group(app)
    commands = {name: group.get_command(None, name) for name in group.list_commands(None)}
    text = text_of("command-line.md")
    options = {
        option
        for command in commands.values()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("-")
    }
    named = set(re.findall(r"`(--?[a-z-]+)", section_of("command-line.md", "Options")))

    assert [name for name in commands if f"`giveaway {name}" not in text] == []
    assert named - {"--version", "--help", "--install-completion", "--show-completion"} == options


def people(rows: str, **columns: Any) -> ga.Table:
    names = ("job", "sex", "ill")
    return ga.Table.from_rows([dict(zip(names, row, strict=True)) for row in rows.split()], **columns)


def protected_items() -> ga.Assessment:
    rows = [["a", "b", "s"], ["a", "b"], ["a", "c"], ["a"]]
    return ga.protect(
        ga.Release(ga.Transactions.from_lists(rows, private=["s"])),
        ga.KnowsItems(at_most=2),
        ga.Tolerance(identity="1/2", attribute="1/2"),
        need=ga.NeedsItemsets(min_support=2),
    )


def protected_frequencies(**known: Any) -> ga.Assessment:
    rows = ["abc", "abcd", "df", "cdef", "ef", "f", "ab", "acd", "ace", "bdf"]
    return ga.protect(
        ga.Release(ga.Transactions.from_lists(map(list, rows))),
        ga.KnowsFrequencies(belief=ga.Belief.exact(), **known),
        ga.Tolerance(identity="1/2"),
    )


def protected_profiles() -> ga.Assessment:
    table = people("cfy cfy cfy cmn cmy smn smn sfn", sensitive="ill")
    limits = {"min_support": "1/4", "min_confidence": "3/5"}
    return ga.protect(
        ga.Release(table, rules=ga.PublishedRules(ga.mine_rules(table, **limits), **limits, scores="exact")),
        ga.KnowsProfiles(columns=["job", "sex"], ranges_for=[1], show=SHOWN),
        ga.Tolerance(attribute="9/10"),
    )


def protected_attributes() -> ga.Assessment:
    return ga.protect(
        ga.Release(people("cfy cfn cfy cmy smn smn smn sfn", sensitive="ill"), secrets=[1]),
        ga.KnowsAttributes(columns=["job", "sex"]),
        ga.Tolerance(attribute="1/2"),
        need=ga.NeedsCells(),
    )


def protected_directory(**known: Any) -> ga.Assessment:
    """Protect people of whom some of the jobs may be published coarser."""
    return ga.protect(
        ga.Release(
            people("cfy cfy cmn smn bmn", sensitive="ill"),
            sensitivity=ga.Sensitivity(columns={"ill": 1, "sex": 2}, form="multiplicative"),
            hierarchies={"job": {"c": ["kitchen"], "s": ["forge"], "b": ["forge"]}},
        ),
        ga.KnowsDirectory(on=["job", "sex"], **known),
        ga.Tolerance(identity="1/2", average=100),
        need=ga.NeedsColumns(per_record=1),
    )


PROTECTED = {
    "items": protected_items,
    "frequencies": protected_frequencies,
    "frequencies, pairs known": lambda: protected_frequencies(known_pairs=ga.KnownPairs(top=1)),
    "frequencies, sets": lambda: protected_frequencies(targets="pairs"),
    "profiles": protected_profiles,
    "attributes": protected_attributes,
    "directory": protected_directory,
    "directory, true people known": lambda: protected_directory(
        true_people=people("cfy cfy cfy cmn smn bmn bmn")
    ),
}


def test_every_attack_has_a_summary_to_compare_with_the_reference() -> None:
    assert {case.partition(",")[0] for case in PROTECTED} == set(ATTACKS)


@pytest.mark.parametrize("case", PROTECTED)
def test_every_key_of_a_summary_stands_in_the_reference(case: str) -> None:
    safer = PROTECTED[case]()
    text = text_of("summary.md")

    assert safer.withheld, "nothing is shown of what is withheld"
    missing = {key for key in keys_of(safer.to_dict()) if f"`{key}`" not in text}
    assert {key for key in missing if not key.endswith(("_exact", "_total"))} == set()


def test_every_key_of_the_schema_stands_in_the_reference() -> None:
    text = text_of("summary.md")
    keys = {key for part in summary_schema()["$defs"].values() for key in part.get("properties", {})}

    assert {key for key in keys if f"`{key}`" not in text and not key.endswith("_exact")} == set()


@pytest.mark.parametrize("mark", ["<!-- keys: kind: verdicts -->", "<!-- keys: finding\nverdicts: more\n-->"])
def test_a_mark_on_a_page_names_rows_that_there_are(mark: str) -> None:
    with pytest.raises(KeyError):
        tables().filled(mark)


@pytest.mark.parametrize("case", PROTECTED)
def test_every_figure_is_explained_on_the_page_of_its_attack(case: str) -> None:
    (finding,) = PROTECTED[case]().to_dict()["findings"]
    page = (ROOT / "docs" / "attacks" / f"{finding['attack']}.md").read_text(encoding="utf-8")
    figures = page.partition("\n## Figures\n")[2].partition("\n## ")[0]

    missing = {name for name in finding["figures"] if f"`{name}`" not in figures}
    assert {name for name in missing if not name.endswith("_exact")} == set()


@pytest.mark.parametrize("case", PROTECTED)
def test_every_curve_stands_in_the_reference(case: str) -> None:
    summary = PROTECTED[case]().to_dict()
    section = section_of("summary.md", "Names of curves")

    names = {
        curve["name"] for finding in summary["before"] + summary["findings"] for curve in finding["curves"]
    }
    assert names >= {"chances", "strength", "kept"}
    assert {name for name in names if f"`{name}`" not in section} == set()


WORDS_OF_OTHERS = (
    "attacker", "need", "target", "condition", "together", "cells_by_column", "coarser_by_column", "empty", "coarser", "in_paper",
)  # fmt: skip
"""Keys under which fields of a scenario stand, columns of the data, or words of a paper."""


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            if key not in WORDS_OF_OTHERS:
                yield from keys_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from keys_of(part)


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_has_a_page_with_the_common_headings(attack: str) -> None:
    page = ROOT / "docs" / "attacks" / f"{attack}.md"

    assert re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE) == HEADINGS


def test_every_extra_for_users_stands_on_the_first_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].keys() - {"test", "dev", "docs", "browser", "benchmarks"}

    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert {name for name in extras if f'".[{name}]"' not in text} == set()


@pytest.mark.parametrize("scenario", sorted((ROOT / "examples").glob("*/*.toml")), ids=lambda path: path.stem)
def test_the_scenario_of_an_example_is_shown_as_it_stands(scenario: Path) -> None:
    body = scenario.read_text(encoding="utf-8").partition("\n\n")[2]

    shown = {block.text for page in pages() for block in blocks(page) if block.language == "toml"}
    assert body in shown


def test_every_page_stands_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    docs = [page for page in pages() if (ROOT / "docs") in page.parents]

    assert [
        name_of(page) for page in docs if page.relative_to(ROOT / "docs").as_posix() not in navigation
    ] == []


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_keeps_the_rules_of_copy(page: Any) -> None:
    text = page.read_text(encoding="utf-8")

    assert (
        re.findall(
            r"\banonymous\b|\bguaranteed?\b|(?<!alpha-)\bcompliant\b|\bzero risk\b|TO FILL",
            text,
            re.IGNORECASE,
        )
        == []
    )
    assert all(block.language for block in blocks(page))
    assert re.findall(r"\]\(/|(?<![\w.~])/(?:home|work|tmp|usr)/", text) == []


def test_links_between_pages_of_the_repository_lead_somewhere() -> None:
    broken = [
        f"{name_of(page)}: {target}"
        for page in pages()
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not target.startswith("docs/images/") and not (page.parent / target).exists()
    ]

    assert broken == []
