"""Lists of rules as files: ours, mlxtend's and arules', and what is wrong with others."""

import json
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from giveaway.errors import DataError
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Rule, Statement
from giveaway.model.release.withheld import Withheld
from giveaway.sources.side_files.rule_lists import read_rules, released_rules, write_rules
from giveaway.sources.side_files.statement_lists import read_statements

PEOPLE = Table.from_rows(
    [
        {"sex": "f", "city": "Paris, France", "x=y": "1", "ill": "yes"},
        {"sex": "f", "city": "Paris", "x=y": "2", "ill": "yes"},
        {"sex": "f", "city": "Paris", "x=y": "2", "ill": "no"},
        {"sex": "m", "city": "a=b, sex=f", "x=y": "2", "ill": "a, b"},
    ],
    sensitive="ill",
)


def listed(folder: Path, text: str, name: str = "rules.csv") -> list[Rule]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_rules(folder / name, PEOPLE)


def published(*rules: Rule, table: Table = PEOPLE, **how: object) -> Release:
    return Release(table, rules=PublishedRules(rules, min_support=0, min_confidence=0, **how))


def test_a_list_of_mlxtend_is_read_as_pandas_writes_it(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "antecedents": [frozenset({"sex=f"}), frozenset({"city=Paris, France", "sex=f"})],
            "consequents": [frozenset({"ill=yes"}), frozenset({"ill=yes"})],
            "antecedent support": [0.75, 0.25],
            "support": [0.5, 0.25],
            "confidence": [2 / 3, 1.0],
        }
    )
    frame.to_csv(tmp_path / "a.csv")
    frame.to_json(tmp_path / "a.json", orient="records")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)

    for name in ("a.csv", "a.json", "a.jsonl"):
        first, second = read_rules(tmp_path / name, PEOPLE)
        assert first == Rule({"sex": "f"}, "yes", sensitive="ill")
        assert second == Rule({"sex": "f", "city": "Paris, France"}, "yes", sensitive="ill")
        assert (first.support, second.support) == ("0.50", "0.25")
        digits = len(str(first.confidence).split(".")[1])
        assert first.confidence == f"{2 / 3:.{digits}f}"
        assert second.confidence == "1." + "0" * digits


def test_lists_of_arules_are_read_in_both_of_their_forms(tmp_path: Path) -> None:
    whole = '"","rules","support","confidence","count"\n"1","{sex=f,city=Paris} => {ill=yes}",0.25,0.5,1\n'
    sides = "LHS;RHS;support;confidence\n{sex=f,city=Paris, France};{ill=yes};0.25;1\n{x=y=2};{ill=a, b};0.25;0.333\n"

    (rule,) = listed(tmp_path, whole)
    one, two = listed(tmp_path, sides)

    assert rule == Rule({"sex": "f", "city": "Paris"}, "yes", sensitive="ill")
    assert (rule.support, rule.confidence) == (Fraction(1, 4), "0.5")
    assert one == Rule({"sex": "f", "city": "Paris, France"}, "yes", sensitive="ill")
    assert two == Rule({"x=y": "2"}, "a, b", sensitive="ill")
    assert (one.confidence, two.confidence) == ("1.000", "0.333")


def test_a_score_has_the_digits_of_the_longest_in_its_column(tmp_path: Path) -> None:
    text = "antecedents,consequents,support,confidence\nsex=f,ill=yes,0.5,2/3\nsex=m,ill=yes,0.123,\nx=y=1,yes,1e-2,1\n"

    rules = listed(tmp_path, text)

    assert [rule.support for rule in rules] == ["0.500", "0.123", "0.010"]
    assert [rule.confidence for rule in rules] == [Fraction(2, 3), None, "1.000"]
    assert (
        listed(tmp_path, "antecedents,consequents,confidence\nsex=f,yes,1\n")[0].confidence == "1." + "0" * 12
    )


def test_numbers_that_machines_write_are_not_taken_to_their_last_digit(tmp_path: Path) -> None:
    (rule,) = listed(tmp_path, "antecedents,consequents,support\nsex=f,ill=yes,0.30000000000000004\n")

    assert rule.support == "0.300000000000"


def test_values_keep_the_type_they_have_in_the_table(tmp_path: Path) -> None:
    table = Table.from_rows([{"age": 30, "ill": True}, {"age": 31, "ill": False}], sensitive="ill")
    (tmp_path / "a.csv").write_text("antecedents,consequents\nage=30,ill=True\n")

    assert read_rules(tmp_path / "a.csv", table)[0] == Rule({"age": 30}, True, sensitive="ill")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("sxe=f,ill=yes", 'There is no column "sxe"'),
        ("sex=g,ill=yes", 'The value "g" does not occur in the column "sex"'),
        ("sex,ill=yes", '"sex" is not of the form column=value'),
        ("sex=f,ill=maybe", 'The value "maybe" does not occur'),
        ("sex=f,city=Paris", "ends in the column city, which is not sensitive"),
        ('sex=f,"ill=yes, city=Paris"', "does not end in one value"),
        (",ill=yes", "has no condition"),
        ("frozenset(),ill=yes", "has no condition"),
        ("ill=no,ill=yes", "ends in a column of its own condition"),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_with_its_line(row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Line 3") as caught:
        listed(tmp_path, f"antecedents,consequents\nsex=m,ill=no\n{row}\n")
    assert said in str(caught.value)
    assert "the rule" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "antecedents,consequents\nsex=f,yes\nsex=m,yes\nsex=f,ill=yes\n",
            "Line 4.* is listed twice.* Line 2",
        ),
        ("antecedents,consequents,support\nsex=f,yes,1.2\n", "Line 2.*support = 1.2 is not between 0 and 1"),
        (
            "antecedents,consequents,support\nsex=f,yes,much\n",
            "Line 2.*support = 'much' is not a finite number",
        ),
        ("rules,count\n{sex=f} => {ill=yes},5\n", "Line 2.*count = 5 is no number of records"),
        ("rules,count,support\n{sex=f} => {ill=yes},1,0.5\n", "count = 1 of 4 records is not support = 0.5"),
        ("antecedents,consequents\nsex=f,sex=m,ill=no\n", "Line 2.*3 fields instead of 2"),
        ("before,after\n1,2\n", "does not name the columns needed. It has: before, after"),
        ("rules\nsex=f\n", "holds no rule"),
        ("", "is empty"),
    ],
)
def test_a_list_that_does_not_fit_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said):
        listed(tmp_path, text)


def test_what_is_no_list_of_objects_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is no list of objects"):
        listed(tmp_path, '{"a": 1}', "a.json")
    with pytest.raises(DataError, match="is not JSON"):
        listed(tmp_path, "[", "a.json")


def test_a_condition_with_two_readings_is_refused_unless_quotes_tell_them_apart(tmp_path: Path) -> None:
    table = Table.from_rows(
        [{"a": "1", "b": "2", "ill": "yes"}, {"a": "1, b=2", "b": "3", "ill": "no"}], sensitive="ill"
    )
    (tmp_path / "a.csv").write_text('antecedents,consequents\n"a=1, b=2",ill=yes\n')
    (tmp_path / "b.csv").write_text('antecedents,consequents\n"""a=1, b=2""",ill=yes\n')

    with pytest.raises(DataError, match="can be read in two ways"):
        read_rules(tmp_path / "a.csv", table)
    assert read_rules(tmp_path / "b.csv", table)[0].condition == (("a", "1, b=2"),)


def test_a_part_of_two_columns_has_two_readings(tmp_path: Path) -> None:
    table = Table.from_rows([{"a": "b=1", "a=b": "1", "ill": "yes"}], sensitive="ill")
    (tmp_path / "a.csv").write_text("antecedents,consequents\na=b=1,ill=yes\n")

    with pytest.raises(DataError, match="can be read in two ways"):
        read_rules(tmp_path / "a.csv", table)


# Writing --------------------------------------------------------------------------------------------------------


def test_rules_are_written_with_the_scores_that_are_published(tmp_path: Path) -> None:
    rules = [Rule({"sex": "f"}, "yes"), Rule({"city": "Paris"}, "yes", support="0.3", confidence="0.5")]

    shown = {}
    for scores in ("withheld", "exact", 2):
        shown[scores] = write_rules(published(*rules, scores=scores), tmp_path).read_text().splitlines()

    assert shown["withheld"] == [
        "antecedents,consequents,support,confidence",
        "city=Paris,ill=yes,,",
        "sex=f,ill=yes,,",
    ]
    assert shown["exact"][1:] == ["city=Paris,ill=yes,1/4,1/2", "sex=f,ill=yes,1/2,2/3"]
    assert shown[2][1:] == ["city=Paris,ill=yes,0.3,0.5", "sex=f,ill=yes,0.50,0.67"]
    assert [path.name for path in tmp_path.iterdir()] == ["rules.csv"]


def test_the_order_of_the_rules_tells_nothing_of_their_scores(tmp_path: Path) -> None:
    rules = [Rule({"sex": sex}, value) for sex in ("m", "f") for value in ("yes", "no", "a, b")]

    texts = {write_rules(published(*order), tmp_path).read_text() for order in (rules, rules[::-1])}

    assert len(texts) == 1


def test_withheld_rules_are_not_written_and_the_rest_comes_back(tmp_path: Path) -> None:
    rules = [Rule({"sex": "f"}, "yes", sensitive="ill"), Rule({"city": "Paris"}, "yes", sensitive="ill")]
    release = published(*rules, scores="exact").withholding(Withheld(rules=rules[:1]))

    found = read_rules(write_rules(release, tmp_path), PEOPLE)

    assert found == released_rules(release) == rules[1:]
    assert [(rule.support, rule.confidence) for rule in found] == [(Fraction(1, 4), Fraction(1, 2))]


def test_the_distribution_is_written_when_it_is_published(tmp_path: Path) -> None:
    write_rules(published(distribution="published"), tmp_path)

    assert (tmp_path / "rules.csv").read_text() == "antecedents,consequents,support,confidence\n"
    assert (
        tmp_path / "distribution.csv"
    ).read_text() == 'column,value,count\nill,"a, b",1\nill,no,1\nill,yes,2\n'


texts = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufeff")
    | st.sampled_from('",= \n\r'),
    min_size=1,
    max_size=5,
)


@settings(max_examples=150)
@given(
    columns=st.lists(texts.map(str.strip).filter(bool), min_size=1, max_size=3, unique=True),
    values=st.lists(texts, min_size=2, max_size=4, unique=True),
    scores=st.sampled_from(["withheld", "exact", 3]),
)
def test_whatever_is_written_is_read_back(columns: list[str], values: list[str], scores: str | int) -> None:
    names = [*columns, "the sensitive one"]
    assume(not any(two.startswith(f"{one}=") for one in names for two in names))  # their parts may be alike
    rows = [dict.fromkeys(names, value) for value in values]
    table = Table.from_rows(rows, sensitive="the sensitive one", missing=[None])
    rules = [Rule(dict.fromkeys(columns, value), values[0]) for value in values]
    rules += [Rule({columns[0]: value}, values[1]) for value in values if len(columns) > 1]
    release = published(*rules, table=table, scores=scores)

    with TemporaryDirectory() as folder:
        found = read_rules(write_rules(release, Path(folder)), table)

    assert found == released_rules(release)
    assert [(rule.support, rule.confidence) for rule in found] == [
        (rule.support, rule.confidence) for rule in released_rules(release)
    ]


# Statements -----------------------------------------------------------------------------------------------------


LEAVES = Table.from_rows(
    [
        {"age": str(age), "job": job, "ill": ill}
        for age, job, ill in [(17, "a", "y"), (30, "b", "n"), (45, "a, c", "y")]
    ],
    sensitive="ill",
)


def test_leaves_of_a_tree_are_read(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text(
        'age,job,value,count\n17..30,,y,1\n17..30,,n,1\n45,"a, c",y,1\n,"a, b",n,1\n'
    )

    assert read_statements(tmp_path / "tree.csv", LEAVES) == [
        Statement(where={"age": "17..30"}, value="y", sensitive="ill", count=1),
        Statement(where={"age": "17..30"}, value="n", sensitive="ill", count=1),
        Statement(where={"age": "45", "job": "a, c"}, value="y", sensitive="ill", count=1),
        Statement(where={"job": ("a", "b")}, value="n", sensitive="ill", count=1),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("zip,value,count\n1,y,1\n", 'no column "zip"'),
        ("age,value,count\n99,y,1\n", 'Line 2.*"99" does not occur'),
        ("age,value,count\n30..17,y,1\n", "Line 2.*ends before it begins"),
        ("age,value,count\n17,z,1\n", 'Line 2.*"z" does not occur in the column "ill"'),
        ("age,value,count\n17,y,1.5\n", "Line 2.*count = 1.5 is no number of records"),
        ("age,value,count\n17,y,4\n", "Line 2.*count = 4 is no number of records"),
        ("age,value,count\n17,y,\n", "Line 2.*says one thing"),
        ("age,value,share\n17,y,1.5\n", "Line 2.*not between 0 and 1"),
        ("age,value,count\n17,y,1\n17,y,0\n", "Line 3.*twice"),
        ("age,count\n17,1\n", "does not name the columns needed"),
        ("age,value,count\n", "holds no statement"),
    ],
)
def test_statements_that_do_not_fit_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text(text)

    with pytest.raises(DataError, match=said):
        read_statements(tmp_path / "tree.csv", LEAVES)


def test_statements_come_back_as_they_were_published(tmp_path: Path) -> None:
    said = [
        Statement(where={"age": "17..30"}, value="y", sensitive="ill", count=1),
        Statement(where={"age": "45", "job": "a, c"}, value="y", sensitive="ill", share="0.50"),
        Statement(where={"job": ("a", "a, c")}, value="n", sensitive="ill", share="1/3"),
        Statement(value="n", sensitive="ill", at_least="0.1", at_most="1/3"),
    ]
    rules = PublishedRules([], min_support=0, min_confidence=0)

    write_rules(Release(LEAVES, rules=rules, statements=said), tmp_path)

    assert read_statements(tmp_path / "statements.csv", LEAVES) == said


def test_the_sensitive_column_of_a_statement_is_named_where_there_are_several(tmp_path: Path) -> None:
    table = Table.from_rows([{"age": "1", "ill": "y", "pay": "y"}], sensitive=["ill", "pay"])
    (tmp_path / "a.csv").write_text("age,column,value,count\n1,pay,y,1\n")
    (tmp_path / "b.csv").write_text("age,value,count\n1,y,1\n")

    assert read_statements(tmp_path / "a.csv", table)[0].sensitive == "pay"
    with pytest.raises(DataError, match="No sensitive column is named"):
        read_statements(tmp_path / "b.csv", table)


def test_rules_of_json_may_be_mappings(tmp_path: Path) -> None:
    rule = {"antecedents": {"sex": "f", "x=y": 2}, "consequents": {"ill": "yes"}, "support": 0.25}

    found = listed(tmp_path, json.dumps([rule]), "a.json")

    assert found == [Rule({"sex": "f", "x=y": "2"}, "yes", sensitive="ill")]
    assert found[0].support == "0.25"
