"""Published rules are read back and compared; whatever was changed in a file is found out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.files import rule_files
from giveaway.model.release.rule import Rule, Statement

PEOPLE = ga.Table.from_rows(
    [
        {"sex": "f", "city": "Paris, France", "ill": "yes"},
        {"sex": "f", "city": "Rome", "ill": "yes"},
        {"sex": "f", "city": "Rome", "ill": "no"},
        {"sex": "m", "city": 'the "city"', "ill": "no"},
    ],
    sensitive="ill",
)
RULES = (
    Rule({"sex": "f"}, "yes"),
    Rule({"city": "Paris, France", "sex": "f"}, "yes"),
    Rule({"city": 'the "city"'}, "no"),
)
STATEMENTS = (Statement(where={"city": ("Rome", "Paris, France")}, value="yes", share="0.67"),)


def planned(scores: object = 2) -> ga.Release:
    rules = ga.PublishedRules(
        RULES, min_support=0, min_confidence=0.5, scores=scores, complete=False, distribution="published"
    )
    return ga.Release(PEOPLE, rules=rules, statements=STATEMENTS)


@pytest.mark.parametrize("scores", ["withheld", "exact", 0, 2])
def test_all_files_of_a_release_are_read_back(scores: object, tmp_path: Path) -> None:
    release = planned(scores)

    rows = checker.judge(publish.write_release(release, tmp_path, None), release, [])

    assert rows == {"rules.csv": 3, "statements.csv": 1, "distribution.csv": 2}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("rules.csv", lambda text: text + "city=Rome,ill=yes,0.25,0.50\n", id="a rule more"),
        pytest.param("rules.csv", lambda text: text + "sex=f,ill=yes,0.50,0.67\n", id="a rule twice"),
        pytest.param("rules.csv", lambda text: text.rpartition("sex=f")[0], id="a rule less"),
        pytest.param("rules.csv", lambda text: text.replace("0.67", "0.66"), id="another score"),
        pytest.param("rules.csv", lambda text: text.replace("0.67", ""), id="a score less"),
        pytest.param(
            "rules.csv", lambda text: text.replace("sex=f,ill=yes", "sex=f,ill=no"), id="another value"
        ),
        pytest.param(
            "rules.csv", lambda text: text.replace("sex=f,ill", "sex=m,ill"), id="another condition"
        ),
        pytest.param(
            "rules.csv", lambda text: text.replace("sex=f,ill", "job=f,ill"), id="an unknown column"
        ),
        pytest.param("rules.csv", lambda text: text.replace("sex=f,ill", ",ill"), id="no condition"),
        pytest.param("rules.csv", lambda text: text.partition("\n")[2], id="no header"),
        pytest.param("rules.csv", lambda text: text.replace("confidence", "conf"), id="another header"),
        pytest.param("rules.csv", lambda _: "", id="nothing"),
        pytest.param("statements.csv", lambda text: text.replace("0.67", "0.68"), id="another share"),
        pytest.param("statements.csv", lambda text: text.replace("Rome, ", ""), id="other people"),
        pytest.param(
            "statements.csv", lambda text: text.replace("yes", "no"), id="a statement of another value"
        ),
        pytest.param(
            "statements.csv", lambda text: text + text.splitlines()[1] + "\n", id="a statement twice"
        ),
        pytest.param("statements.csv", None, id="no statements"),
        pytest.param("distribution.csv", lambda text: text.replace("no,2", "no,1"), id="another count"),
        pytest.param("distribution.csv", lambda text: text.rpartition("ill")[0], id="a count less"),
        pytest.param("distribution.csv", None, id="no distribution"),
    ],
)
def test_a_file_that_was_changed_is_refused(
    name: str, change: Callable[[str], str] | None, tmp_path: Path
) -> None:
    release = planned()
    file = publish.write_release(release, tmp_path, None)
    changed = tmp_path / name
    if change is None:
        changed.unlink()
    else:
        before = changed.read_text()
        changed.write_text(change(before))
        assert changed.read_text() != before

    with pytest.raises(ga.CheckFailed):
        checker.judge(file, release, [])


def test_a_withheld_rule_must_not_stand_in_the_file(tmp_path: Path) -> None:
    file = publish.write_release(planned(), tmp_path, None)

    with pytest.raises(ga.CheckFailed, match="does not hold the rules"):
        checker.judge(file, planned().withholding(ga.Withheld(rules=[RULES[1]])), [])


parts = st.text(st.sampled_from('ab=," \n'), min_size=1, max_size=6)


@settings(max_examples=200)
@given(st.lists(parts, min_size=1, max_size=3))
def test_parts_are_cut_as_they_were_joined(values: list[str]) -> None:
    from giveaway.sources.side_files.conditions import joined

    assert rule_files._parts(joined(("x", value) for value in values)) == [f"x={value}" for value in values]
