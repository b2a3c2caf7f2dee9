"""The fields of a scenario about a table, and the files that it names."""

from fractions import Fraction
from pathlib import Path

import pytest

import giveaway as ga
from giveaway.scenario import Scenario, overridden, read_scenario, understand

TABLE = """\
id,sex,age,note,job
007,f,30,x,cook
8,f,31,y,cook
9,f,30,z,smith
10,m,30,x,smith
"""

RULES = """\
[release]
data = "people.csv"
id = "id"
sensitive = "job"
sensitive_values = ["cook", 7]
leave_out = ["note"]
rules = { min_support = 0.25, min_confidence = "2/3", scores = { digits = 2 }, complete = false }
statements = [
  { where = { age = 30, sex = ["f", "m"] }, value = "cook", share = 0.33 },
  { value = "smith", count = 2 },
]

[tolerates]
attribute = 0.9

[[knows]]
attack = "profiles"
columns = ["sex", "age"]
judges = true
ranges_for = [8, "007"]

[[knows.background]]
where = { sex = "f" }
value = "cook"
at_least = 0.6

[needs]
rules = { must_publish = "keep.csv" }
"""

ROWS = """\
[release]
data = "people.csv"
id = "id"
sensitive = "job"
publish_unjudged = "note"
secrets = "secrets.csv"
must_publish = "marks.csv"
order = "shuffled"

[tolerates]
attribute = 0.6

[[knows]]
attack = "attributes"
columns = ["sex", "age"]
trusts_support_above = 1

[needs]
cells = { hideable = "g" }

[protect.attributes]
method = "r-graph"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / "secrets.csv").write_text("id\n007\n10\n")
    (tmp_path / "marks.csv").write_text("row,column\n2,job\n1,sex\n")
    (tmp_path / "keep.csv").write_text("antecedents,consequents\nsex=f,job=cook\n")
    (tmp_path / "leaves.csv").write_text("sex,value,count\nf,cook,2\n")
    return tmp_path


def understood(folder: Path, text: str, *settings: str) -> Scenario:
    (folder / "scenario.toml").write_text(text)
    values, read = read_scenario(folder / "scenario.toml")
    return understand(overridden(values, settings), base=folder, name="scenario.toml", text=read)


def refused(folder: Path, text: str) -> str:
    """Return the only mistake of a scenario."""
    with pytest.raises(ga.WrongQuestion) as caught:
        _ = understood(folder, text).release
    assert len(caught.value.mistakes) == 1, caught.value
    return str(caught.value)


def test_rules_and_statements_are_read_by_the_types_of_their_fields(folder: Path) -> None:
    scenario = understood(folder, RULES)

    assert scenario.fields.sensitive_values == ("cook", "7")
    rules = scenario.fields.rules
    assert rules is not None
    made = rules.published(())
    assert (made.min_support, made.min_confidence) == (Fraction(1, 4), Fraction(2, 3))
    assert (made.scores, made.complete, made.inclusive) == (2, False, True)
    assert scenario.fields.statements == (
        ga.Statement(where={"age": "30", "sex": ("f", "m")}, value="cook", share="0.33"),
        ga.Statement(value="smith", count=2),
    )
    assert scenario.attackers == (
        ga.KnowsProfiles(
            columns=["sex", "age"],
            judges="true",
            ranges_for=["8", "007"],
            background=[ga.Statement(where={"sex": "f"}, value="cook", at_least="3/5")],
        ),
    )


def test_a_release_of_rules_is_loaded_with_its_needs(folder: Path) -> None:
    scenario = understood(folder, RULES, "release.statements_from=leaves.csv")

    release = scenario.release
    assert release.rules is not None
    assert {str(rule) for rule in release.rules.rules} == {
        "sex=f => job=cook",
        "age=31 => job=cook",
        "age=31, sex=f => job=cook",
        "sex=m => job=smith",
        "age=30 => job=smith",
        "age=30, sex=m => job=smith",
    }
    assert [said.count for said in release.statements] == [None, 2, 2]
    assert release.sensitive_values == ("cook", "7")
    assert scenario.needs == (ga.NeedsRules(must_publish=[ga.Rule({"sex": "f"}, "cook", sensitive="job")]),)


def test_rules_are_found_over_what_all_their_readers_know(folder: Path) -> None:
    columns = {
        name
        for rule in understood(folder, RULES, 'knows.0.columns=["sex"]').release.rules.rules
        for name, _ in rule.condition
    }
    second = '[[knows]]\nattack = "profiles"\ncolumns = ["age"]\n'
    both = understood(folder, RULES.replace('columns = ["sex", "age"]', 'columns = ["sex"]') + second)

    assert columns == {"sex"}
    assert {len(rule.condition) for rule in both.release.rules.rules} == {1, 2}


def test_rules_come_from_a_file_with_the_scores_it_gives(folder: Path) -> None:
    (folder / "rules.csv").write_text(
        "antecedents,consequents,support,confidence\nsex=f,job=cook,0.50,0.67\n"
    )

    (rule,) = understood(folder, RULES, "release.rules.from=rules.csv").release.rules.rules

    assert (str(rule), rule.support, rule.confidence) == ("sex=f => job=cook", "0.50", "0.67")


def test_a_release_of_rows_is_loaded_with_its_secrets_and_marks(folder: Path) -> None:
    scenario = understood(folder, ROWS)

    release = scenario.release
    assert list(release.secrets) == [(1, "job"), (4, "job")]
    assert list(release.must_publish) == [(1, "sex"), (2, "job")]
    assert (release.order, release.rules) == ("shuffled", None)
    assert scenario.attackers == (ga.KnowsAttributes(columns=["sex", "age"], trusts_support_above=1),)
    assert scenario.needs == (ga.NeedsCells(hideable=["sensitive of others", "conditions of others"]),)
    assert scenario.options == {"attributes": {"method": "r-graph"}}


def test_what_is_known_of_who_asked_is_read_exactly(folder: Path) -> None:
    known = 'attack = "attributes"\nasking = "independent"\ncells_of = 5\nodds = "3/2"'
    asked = understood(folder, ROWS.replace('attack = "attributes"', known)).attackers
    assert asked == (
        ga.KnowsAttributes(
            columns=["sex", "age"],
            trusts_support_above=1,
            asking="independent",
            cells_of=5,
            odds=Fraction(3, 2),
        ),
    )
    with pytest.raises(ga.ScenarioError, match="by value, independent"):
        understood(folder, ROWS.replace('attack = "attributes"', known.replace("independent", "maybe")))


def test_whole_columns_may_be_marked(folder: Path) -> None:
    marks = understood(folder, ROWS, 'release.must_publish=["age"]').release.must_publish

    assert list(marks) == [(row, "age") for row in range(1, 5)]


def test_an_attacker_on_tables_makes_a_table_of_columns_that_look_like_items(folder: Path) -> None:
    (folder / "people.csv").write_text("sex,ill\n0,1\n1,0\n0,0\n")
    text = ROWS.replace('id = "id"\n', "").replace('publish_unjudged = "note"\n', "")
    text = text.replace('"job"', '"ill"').replace('["sex", "age"]', '["sex"]')
    (folder / "secrets.csv").write_text("row\n1\n")
    (folder / "marks.csv").write_text("row,column\n1,sex\n")

    assert isinstance(understood(folder, text).release.original, ga.Table)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("min_support = 0.25", "min_support = -1"), "line 7: min_support = -1 is not between 0 and 1"),
        (('min_confidence = "2/3"', "min_confidence = 1.5"), "min_confidence = 3/2 is not between 0 and 1"),
        (('min_confidence = "2/3"', 'min_confidence = "x"'), "not a finite number"),
        (("digits = 2", "digits = -1"), "scores = -1 is unknown"),
        (("scores = { digits = 2 }", 'scores = "few"'), "withheld, exact, { digits = ... }"),
        (("scores = { digits = 2 }", "scores = { digits = 2, digit = 2 }"), "did you mean digits?"),
        (("complete = false", 'complete = "no"'), "line 7: complete = 'no' must be true or false"),
        (("count = 2", "count = 2, share = 0.5"), "line 8: A statement says one thing"),
        (("share = 0.33", "share = 1.33"), "share = 1.33 is not between 0 and 1"),
        (('value = "smith", ', ""), "release.statements.1 needs value"),
        (("where = { sex = ", "were = { sex = "), "did you mean where?"),
        (('where = { sex = "f" }', 'where = "f"'), "must name columns with their values"),
        (('where = { sex = "f" }', "where = { sex = true }"), 'write "true"'),
        (("at_least = 0.6", "at_least = 60"), "at_least = 60 is not between 0 and 1"),
        (("judges = true", 'judges = "all"'), "line 19: judges = 'all' is unknown"),
        (("judges = true", 'missing_profiles = "guess"'), "refuse, drop, value"),
        (("[8, ", "[false, "), 'write "false"'),
        (('columns = ["sex", "age"]', "columns = []"), "names no column"),
        (('columns = ["sex", "age"]', 'columns = ["sex", "sex"]'), "twice"),
        (('columns = ["sex", "age"]', 'columns = ["sex", "job"]'), 'line 18: Column "job" has more than one'),
        (('columns = ["sex", "age"]', 'columns = ["sex", "id"]'), "identifier and known to an attacker"),
        (('columns = ["sex", "age"]', 'columns = ["sex", "note"]'), "left out and known to an attacker"),
        (('columns = ["sex", "age"]', 'columns = ["sex", "agee"]'), 'line 18: There is no column "agee"'),
        (('sensitive = "job"', "# none"), "No sensitive column is named"),
        (("leave_out", "secrets = 'secrets.csv'\nleave_out"), "secrets belongs to published rows"),
        (
            ("leave_out", "hierarchies = { age = 'marks.csv' }\nleave_out"),
            "hierarchies belongs to published rows",
        ),
        (("leave_out", "sensitivity = 'constant'\nleave_out"), "sensitivity belongs to published rows"),
        (("attribute = 0.9", "identity = 0.9"), "line 13: The tolerance gives no limit"),
        (('must_publish = "keep.csv"', 'must_publish = ["keep.csv"]'), "must be text"),
        (('data = "people.csv"', 'data = "people.csv"\nprivate = ["x"]\nkind = "table"'), "use sensitive"),
    ],
)
def test_a_wrong_field_about_rules_is_one_clear_mistake(
    folder: Path, change: tuple[str, str], said: str
) -> None:
    changed = RULES.replace(*change)

    assert changed != RULES
    assert said in refused(folder, changed)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('secrets = "secrets.csv"\n', ""), "No secrets are named"),
        (('sensitive = "job"', 'sensitive = "jobb"'), 'did you mean "job"?'),
        (("trusts_support_above = 1", "trusts_support_above = -1"), "at least 0"),
        (("trusts_support_above = 1", "trusts_support_above = 1.5"), "= 1.5 must be a whole number"),
        (('hideable = "g"', 'hideable = ["everything"]'), "hideable = 'everything' is unknown"),
        (('method = "r-graph"', 'method = "magic"'), "auto, decoys, same columns, cover, r-graph, cr"),
        (('columns = ["sex", "age"]', 'columns = ["sex"]'), 'Column "age" has no role'),
        (('publish_unjudged = "note"\n', "missing = ['?']\n"), 'Column "note" has no role'),
        (('publish_unjudged = "note"', 'publish_unjudged = ["note", "job"]'), "sensitive and published unj"),
        (('must_publish = "marks.csv"', 'must_publish = ["job"]'), "is marked to be published"),
        (('must_publish = "marks.csv"', 'must_publish = ["pay"]'), 'There is no column "pay"'),
        (('secrets = "secrets.csv"', 'secrets = "nowhere.csv"'), "nowhere.csv"),
        (('attack = "attributes"', 'attack = "profiles"'), "has no field trusts_support_above"),
    ],
)
def test_a_wrong_field_about_rows_is_one_clear_mistake(
    folder: Path, change: tuple[str, str], said: str
) -> None:
    changed = ROWS.replace(*change)

    assert changed != ROWS
    assert said in refused(folder, changed)


def test_statements_without_rules_are_published_instead_of_rows_too(folder: Path) -> None:
    stated = "statements = [{ value = 'cook', count = 1 }]"
    with pytest.raises(ga.ScenarioError, match="belongs to published rows") as error:
        understood(folder, ROWS.replace('order = "shuffled"', stated))
    assert len(error.value.mistakes) == 2

    line = next(line for line in RULES.splitlines() if line.startswith("rules = { min_support"))
    alone = understood(folder, RULES.replace(f"{line}\n", "")).release
    assert alone.published.rules == ()
    assert len(alone.published_statements) == 2


def test_sensitive_columns_may_be_taken_together(folder: Path) -> None:
    text = RULES.replace('sensitive = "job"', 'sensitive = ["job", "note"]\nsensitive_together = true')
    text = text.replace('leave_out = ["note"]\n', "").replace('sensitive_values = ["cook", 7]\n', "")
    start, _, rest = text.partition("statements = [")
    text = start + rest.partition("]\n\n")[2]
    text = text.partition("[[knows.background]]")[0]
    assert understood(folder, text).release.original.sensitive == ("job & note",)
    assert "Only several sensitive columns" in refused(
        folder, RULES.replace("leave_out", "sensitive_together = true\nleave_out")
    )
    assert "rows are published" in refused(
        folder, ROWS.replace("publish_unj", "sensitive_together = true\npublish_unj")
    )


def test_all_columns_without_a_role_are_named_at_once(folder: Path) -> None:
    text = ROWS.replace('publish_unjudged = "note"\n', "").replace('["sex", "age"]', '["sex"]')

    assert 'Columns "age" and "note" have no role.' in refused(folder, text)


def test_columns_need_no_role_when_only_rules_are_published(folder: Path) -> None:
    release = understood(folder, RULES.replace('leave_out = ["note"]\n', "")).release

    assert "note" in release.original.columns


def test_readers_of_rules_and_of_rows_are_not_asked_about_together(folder: Path) -> None:
    second = '[[knows]]\nattack = "profiles"\ncolumns = ["sex"]\n'

    assert "a release publishes one of the two" in refused(folder, ROWS + second)
    assert "this release publishes rows" in refused(folder, ROWS.split("[[knows]]", maxsplit=1)[0] + second)


def test_rules_to_keep_are_no_need_of_transactions(folder: Path) -> None:
    (folder / "b.dat").write_text("a b\n")
    scenario = understood(
        folder,
        '[release]\ndata = "b.dat"\n[tolerates]\nidentity = 1\n[[knows]]\nattack = "items"\nat_most = 1\n'
        '[needs]\nrules = { must_publish = "keep.csv" }\n',
    )

    with pytest.raises(ga.ScenarioError, match="belongs to a table"):
        _ = scenario.needs
