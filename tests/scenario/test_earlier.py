"""Earlier releases in a scenario: their words, and how their files become what their readers have."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.report.schema import misfits

SIX = ["30,cook,flu", "30,smith,flu", "30,smith,hiv", "40,cook,flu", "40,cook,ulcer", "40,smith,hiv"]
HEAD = "age,job,illness"


def write(folder: Path, name: str, *lines: str) -> Path:
    (folder / name).parent.mkdir(exist_ok=True, parents=True)
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def scenario(
    folder: Path, earlier: str, *, release: str = "", limit: str = "1/2", **text: str
) -> ga.Scenario:
    """Ask about jobs and illnesses now, where ages were given away before; the attacker knows age and job."""
    known = text.get("knows", 'attack = "directory"\ncolumns = ["age", "job"]\nknows_method = false')
    written = f"""
[release]
data = "people.csv"
sensitive = "illness"
leave_out = ["age"]
{release}
[[earlier]]
{earlier}
[tolerates]
identity = "{limit}"
[[knows]]
{known}
"""
    write(folder, "now.toml", written)
    return ga.Scenario.read(folder / "now.toml")


@pytest.fixture
def six(tmp_path: Path) -> Path:
    write(tmp_path, "people.csv", HEAD, *SIX)
    return tmp_path


def given_before(folder: Path, *, columns: str = "age", key: bool = True, **release: Any) -> Path:
    """Publish ages and illnesses as an earlier release, with giveaway itself."""
    options = {"leave_out": ["job"], "sensitive": "illness"} | release.pop("read", {})
    data = folder / "people.csv"
    then = ga.Release(ga.read_table(data, **options), **release)
    attacker = ga.KnowsDirectory(columns=[columns], knows_method=False)
    done = ga.assess(then, attacker, ga.Tolerance(identity="1/2"))
    done.publish(folder / "2025", key=folder / "ledger.json" if key else None)
    return folder / "2025"


def shown(earlier: ga.Earlier, *names: str) -> list[tuple[Any, ...]]:
    table = earlier.shown
    assert isinstance(table, ga.Table)
    return [
        tuple(
            table.labels[name][code] if (code := table.columns[name][record]) >= 0 else None for name in names
        )
        for record in table.record_of
    ]


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(ga.WrongQuestion) as error:
        call()
    return str(error.value)


# What is read ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["2025", "2025/manifest.json"])
def test_a_release_of_giveaway_is_joined_by_its_ledger(six: Path, place: str) -> None:
    given_before(six)
    found = scenario(six, f'release = "{place}"\nlinked = "rows"\nledger = "ledger.json"')
    (one,) = found.earlier
    assert (one.name, one.joined_by, one.order, one.has_manifest) == ("2025", "ledger", "shuffled", True)
    assert one.rows is not None
    truth = [tuple(line.split(",")) for line in SIX]
    ages = shown(one, "age", "illness")
    assert [ages[place] for place in one.rows.argsort()] == [(age, ill) for age, _, ill in truth]


def test_the_six_people_are_safe_alone_and_not_together(six: Path) -> None:
    given_before(six)
    found = scenario(six, 'release = "2025"\nlinked = "rows"\nledger = "ledger.json"').assess()
    (finding,) = found.findings
    assert finding.risk is not None
    assert (finding.risk.over, found.verdict) == (0, "at risk")
    assert finding.together[0].risk is not None
    assert finding.together[0].risk.over == 2
    summary = found.to_dict()
    assert not misfits(summary)
    (view,) = summary["findings"][0]["together"]
    assert (view["releases"], view["only_together"], view["exposures_total"]) == (["2025"], 2, 2)
    first = view["exposures"][0]
    assert (first["chance"], first["alone_exact"], first["releases"]) == (1, "1/3", ["2025"])
    assert first["because"].startswith("With the file of 2025: ")
    told = summary["earlier"][0]
    assert (told["rows"], told["joined_by"], told["population"]) == (
        6,
        "ledger",
        {"both": 6, "joined": 0, "left": 0},
    )
    assert {"what": "other releases", "says": "releases other than 2025"} in summary["not_judged"]


def test_what_is_protected_is_safe_together_and_its_manifest_names_what_was_before(six: Path) -> None:
    given_before(six)
    made = scenario(six, 'release = "2025"\nlinked = "rows"\nledger = "ledger.json"').protect()
    assert sorted(made.withheld.cells) == [(1, "job"), (6, "job")]
    done = ga.assess(made.release, made.findings[0].attacker, made.findings[0].tolerance)
    assert done.verdict == "safe"


def test_left_out_columns_that_an_earlier_release_shows_are_known_from_the_data(six: Path) -> None:
    write(six, "2025.csv", "age,illness", ",flu", *(f"{line[:2]},{line.rsplit(',')[-1]}" for line in SIX[1:]))
    (one,) = scenario(six, 'release = "2025.csv"\nlinked = "rows"').earlier
    assert (one.joined_by, one.name, one.has_manifest) == ("row number", "2025", False)
    assert shown(one, "age")[:2] == [(None,), ("30",)]
    assert isinstance(one.original, ga.Table)
    assert one.original.columns["age"][one.original.record_of].tolist() == [0, 0, 0, 1, 1, 1]


def test_rows_are_joined_by_an_id(six: Path) -> None:
    write(six, "people.csv", f"who,{HEAD}", *(f"p{number},{line}" for number, line in enumerate(SIX)))
    older = [f"p{number},{line.split(',')[0]}" for number, line in reversed(list(enumerate(SIX)))]
    write(six, "then.csv", "who,age", "gone,70", *older)
    said = 'release = "then.csv"\nname = "2025"\nid = "who"\nlinked = "rows"'
    found = scenario(six, said, release='id = "who"')
    (one,) = found.earlier
    rows, joined_by = one.row_now(found.release)
    assert rows is not None
    assert (joined_by, rows.tolist()) == ("id", [-1, 5, 4, 3, 2, 1, 0])
    assert found.assess().to_dict()["earlier"][0]["population"] == {"both": 6, "joined": 0, "left": 1}
    wrong = scenario(six, f"{said}\npopulation = {{ joined = 3, left = 1 }}", release='id = "who"')
    assert "says that 3 joined, and by their ids 0 did" in refused(lambda: wrong.earlier)


def test_a_ledger_keeps_ids_so_that_other_data_can_be_joined(six: Path) -> None:
    write(six, "people.csv", f"who,{HEAD}", *(f"p{number},{line}" for number, line in enumerate(SIX)))
    given_before(six, read={"id": "who"})
    write(six, "people.csv", f"who,{HEAD}", *reversed([f"p{n},{line}" for n, line in enumerate(SIX)]))
    found = scenario(six, 'release = "2025"\nledger = "ledger.json"', release='id = "who"')
    (one,) = found.earlier
    rows, joined_by = one.row_now(found.release)
    assert joined_by == "ledger"
    assert rows is not None
    ages = shown(one, "age")
    now = [line.split(",")[0] for line in reversed(SIX)]
    assert [ages[place][0] for place in rows.argsort()] == now


def test_who_joined_and_left_is_named_by_rows_where_both_kept_their_order(six: Path) -> None:
    write(six, "then.csv", "age", "30", "30", "70", "30", "40", "40")
    write(six, "joined.csv", "row", "6")
    write(six, "left.csv", "row", "3")
    said = 'release = "then.csv"\nlinked = "rows"\npopulation = { joined = "joined.csv", left = "left.csv" }'
    (one,) = scenario(six, said).earlier
    assert one.rows is not None
    assert one.rows.tolist() == [0, 1, -1, 2, 3, 4]


def test_nobody_knows_whose_row_it_was_without_a_ledger(six: Path) -> None:
    given_before(six)
    (one,) = scenario(six, 'release = "2025"\nlinked = "rows"').earlier
    assert (one.rows, one.joined_by) == (None, None)
    assert one.told(scenario(six, 'release = "2025"').release)["joined_by"] == "bound"
    assert isinstance(one.original, ga.Table)
    assert one.original.columns["age"][one.original.record_of].tolist() == [0, 0, 0, 1, 1, 1]


def test_who_joined_and_left_is_not_told_where_nobody_says_it(six: Path) -> None:
    write(six, "then.csv", "age", "30", "30", "70")
    found = scenario(six, 'release = "then.csv"\nlinked = "unknown"')
    assert found.earlier[0].told(found.release)["population"] == {"both": None, "joined": None, "left": None}
    assert found.assess().verdict != "safe"


def test_classes_are_compared_by_their_labels(six: Path) -> None:
    write(six, "people.csv", HEAD, *(f"{line[:1]}{number}{line[2:]}" for number, line in enumerate(SIX)))
    given_before(six, read={"classes": {"age": [20, 40]}})
    (one,) = scenario(six, 'release = "2025"\nledger = "ledger.json"').earlier
    assert sorted(set(shown(one, "age"))) == [("20-39",), ("40+",)]
    assert isinstance(one.original, ga.Table)
    assert one.original.labels["age"] == ("20-39", "40+")


def test_codes_get_their_names_from_the_ledger(tmp_path: Path) -> None:
    write(tmp_path, "shop.dat", "a b", "a b", "a c", "a c", "b c", "b c")
    then = ga.Release(ga.read_transactions(tmp_path / "shop.dat"), renamed=True)
    ga.assess(then, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")).publish(
        tmp_path / "2025", key=tmp_path / "ledger.json"
    )
    text = """
[release]
data = "shop.dat"
[[earlier]]
release = "2025"
ledger = "ledger.json"
[tolerates]
identity = "1/2"
[[knows]]
attack = "items"
at_most = 1
"""
    (one,) = ga.Scenario.from_text(text, tmp_path).earlier
    assert isinstance(one.shown, ga.Transactions)
    assert (one.shown.labels, one.shown.supports.tolist()) == (("a", "b", "c"), [4, 4, 4])
    assert one.codes is not None
    assert (set(one.codes), one.renamed) == ({"a", "b", "c"}, True)
    (bare,) = ga.Scenario.from_text(text.replace('ledger = "ledger.json"\n', ""), tmp_path).earlier
    assert (bare.shown.labels, bare.codes, bare.renamed) == (("1", "2", "3"), None, True)  # type: ignore[union-attr] # transactions
    assert one.rows is not None
    rows = [line.split() for line in (tmp_path / "shop.dat").read_text().splitlines()]
    ends, data = one.shown.offsets, one.shown
    assert data.record_of is not None
    for place, now in enumerate(one.rows):
        record = data.record_of[place]
        assert sorted(data.labels[code] for code in data.codes[ends[record] : ends[record + 1]]) == rows[now]


RULES = """
[release]
data = "people.csv"
sensitive = "illness"
leave_out = ["job"]
rules = { min_support = 0.2, min_confidence = 0.6 }
[[earlier]]
release = "RELEASE"
[tolerates]
attribute = "99/100"
[[knows]]
attack = "profiles"
columns = ["age"]
"""


def test_rules_come_with_what_their_readers_know(six: Path) -> None:
    text = RULES.replace('[[earlier]]\nrelease = "RELEASE"\n', "")
    ga.Scenario.from_text(text, six).assess().publish(six / "2025")
    told = json.loads((six / "2025" / "manifest.json").read_text())
    assert told["rules"]["min_support"] == "1/5"
    (one,) = ga.Scenario.from_text(RULES.replace("RELEASE", "2025"), six).earlier
    assert one.rules is not None
    assert (one.rules.min_confidence, one.rules.scores) == (
        ga.Tolerance(attribute="3/5").attribute,
        "withheld",
    )
    assert len(one.rules.rules) == told["counts"]["rules"]
    write(six, "list.csv", "antecedents,consequents", "age=30,illness=flu")
    bare = RULES.replace("RELEASE", "list.csv")
    assert "Nothing says above which thresholds" in refused(lambda: ga.Scenario.from_text(bare, six).earlier)
    said = bare.replace("[tolerates]", "rules = { min_support = 0.1, min_confidence = 0.6 }\n[tolerates]")
    (other,) = ga.Scenario.from_text(said, six).earlier
    assert other.rules is not None
    assert list(map(str, other.rules.rules)) == ["age=30 => illness=flu"]


def test_statements_are_read_without_rules(six: Path) -> None:
    write(six, "told.csv", "age,value,count", "30,flu,2")
    (one,) = ga.Scenario.from_text(RULES.replace("RELEASE", "told.csv"), six).earlier
    assert [said.count for said in one.statements] == [2]


# What is refused ------------------------------------------------------------------------------------------------

FOREIGN = 'release = "2025.csv"'


@pytest.fixture
def foreign(six: Path) -> Path:
    write(six, "2025.csv", "age,illness", *(f"{line[:2]},{line.rsplit(',')[-1]}" for line in SIX))
    return six


@pytest.mark.parametrize("chance", ["0.3", '"1/3"', '"30 %"', "1"])
def test_a_stated_chance_of_being_in_both_is_refused(foreign: Path, chance: str) -> None:
    said = refused(lambda: scenario(foreign, f"{FOREIGN}\nlinked = {chance}"))
    assert "line 9: linked = " in said
    assert "may know who is" in said
    assert 'linked = "unknown"' in said
    with pytest.raises(ga.ScenarioError, match="may know who is"):
        ga.Earlier(ga.Table.from_rows([{"a": 1}]), linked=0.3)  # type: ignore[arg-type] # wrong on purpose


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ('linked = "row"', "line 9: linked = 'row' is unknown. It has: rows, people, unknown, nobody"),
        ("nam = 1", "line 9: earlier.0 has no field nam."),
        ('ledger = "nothing.json"', "nothing.json"),
        ('already = "maybe"', "already = 'maybe' is unknown"),
        ("population = { joined = -1 }", "must be a number of people"),
        ('id = "age"\nledger = "now.toml"', "id and ledger both say whose row it was"),
    ],
)
def test_a_wrong_word_is_told_with_its_line(foreign: Path, said: str, fact: str) -> None:
    assert fact in refused(lambda: scenario(foreign, f"{FOREIGN}\n{said}"))


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ('changes = ["height"]', 'line 9: changes names "height"'),
        ('id = "age"', "the data now have no id"),
        ('ledger = "people.csv"', "people.csv is not a ledger"),
    ],
)
def test_what_the_files_contradict_is_told_with_its_line(foreign: Path, said: str, fact: str) -> None:
    assert fact in refused(lambda: scenario(foreign, f"{FOREIGN}\n{said}").earlier)


def test_a_file_that_is_not_the_one_of_the_manifest_is_refused(six: Path) -> None:
    folder = given_before(six)
    (folder / "release.csv").write_text((folder / "release.csv").read_text().replace("hiv", "flu"))
    said = refused(lambda: scenario(six, 'release = "2025"').earlier)
    assert "its sha256 is not the one of the manifest" in said
    (folder / "release.csv").unlink()
    assert "lacks release.csv" in refused(lambda: scenario(six, 'release = "2025"').earlier)


def test_a_folder_without_a_manifest_and_a_release_that_a_ledger_does_not_know_are_refused(six: Path) -> None:
    given_before(six)
    (six / "empty").mkdir()
    assert "holds no manifest.json" in refused(lambda: scenario(six, 'release = "empty"').earlier)
    told = json.loads((six / "2025" / "manifest.json").read_text())
    (six / "2025" / "manifest.json").write_text(json.dumps(told | {"date": "2025"}))
    again = scenario(six, 'release = "2025"\nledger = "ledger.json"')
    assert "The ledger does not know the release" in refused(lambda: again.earlier)


def test_people_are_refused_where_both_keep_their_order(foreign: Path) -> None:
    then = ga.read_table(foreign / "2025.csv", sensitive="illness")
    now = ga.Release(
        ga.read_table(foreign / "people.csv", sensitive="illness", leave_out=["age"]), order="kept"
    )
    one = ga.Earlier(then, name="2025", linked="people", order="kept")
    attacker = ga.KnowsDirectory(columns=["job"], knows_method=False)
    with pytest.raises(ga.ScenarioError, match=r'joined by their numbers.*linked = "rows"'):
        ga.assess(now, attacker, ga.Tolerance(identity="1/2"), earlier=one)


def test_rows_that_unjudged_columns_join_are_not_people_who_cannot_be_joined(six: Path) -> None:
    write(six, "people.csv", f"{HEAD},weight", *(f"{line},{60 + n}" for n, line in enumerate(SIX)))
    write(six, "then.csv", "age,weight", *(f"{line[:2]},{60 + n}" for n, line in enumerate(SIX)))
    said = 'release = "then.csv"\nlinked = "people"'
    unjudged = 'publish_unjudged = ["weight"]'
    fact = "6 rows can be joined by weight, which both releases publish unjudged"
    assert fact in refused(lambda: scenario(six, said, release=unjudged).earlier)
    (one,) = scenario(six, said.replace("people", "unknown"), release=unjudged).earlier
    assert (one.joinable, "weight" in one.columns) == (6, False)


def test_changed_values_that_are_not_said_to_change_are_refused_with_their_rows(six: Path) -> None:
    write(six, "then.csv", "job", "cook", "baker", "smith", "cook", "cook", "baker")
    said = 'release = "then.csv"\nlinked = "rows"'
    fact = refused(lambda: scenario(six, said, knows='attack = "directory"\ncolumns = ["job"]').assess())
    assert "row 2, 6" in fact
    assert 'changes = ["job"]' in fact


def test_other_classes_than_now_are_refused(six: Path) -> None:
    write(six, "then.csv", "age", "30-49", "30-49", "30-49", "30-49", "30-49", "50+")
    write(six, "people.csv", HEAD, *SIX)
    now = 'classes = { age = [35, 50] }\nrest = "leave_out"'
    text = f"""
[release]
data = "people.csv"
sensitive = "illness"
{now}
[[earlier]]
release = "then.csv"
EXTRA
[tolerates]
identity = "1/2"
[[knows]]
attack = "directory"
columns = ["age"]
"""
    said = refused(lambda: ga.Scenario.from_text(text.replace("EXTRA", ""), six).earlier)
    assert 'shows 30-49 in the column "age", which are not classes of the release now' in said
    changes = text.replace("EXTRA", 'changes = ["age"]')
    assert ga.Scenario.from_text(changes, six).earlier[0].changes == ("age",)


def test_names_earlier_and_codes_now_of_the_same_transactions_are_refused() -> None:
    shop = ga.Transactions.from_lists([["a", "b"], ["a"], ["b"]])
    one = ga.Earlier(ga.Release(shop), name="2025", facts="same")
    with pytest.raises(ga.ScenarioError, match="nearly all codes could be undone"):
        ga.assess(
            ga.Release(shop, renamed=True),
            ga.KnowsItems(at_most=1),
            ga.Tolerance(identity="1/2"),
            earlier=one,
        )


def test_a_table_and_transactions_are_not_judged_together() -> None:
    shop = ga.Transactions.from_lists([["a", "b"], ["a"], ["b"]])
    one = ga.Earlier(ga.Table.from_rows([{"a": 1}]), name="2025")
    with pytest.raises(ga.ScenarioError, match="2025 is a table, and the release now is transactions"):
        ga.assess(ga.Release(shop), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"), earlier=one)


def test_two_earlier_releases_have_names_of_their_own(foreign: Path) -> None:
    found = scenario(foreign, f"{FOREIGN}\n[[earlier]]\n{FOREIGN}")
    assert "Two earlier releases are called '2025'" in refused(found.assess)


def test_a_column_that_nobody_shows_is_refused_with_its_line(foreign: Path) -> None:
    knows = 'attack = "directory"\ncolumns = ["age", "height"]'
    said = refused(lambda: scenario(foreign, FOREIGN, knows=knows).release)
    assert 'There is no column "height"' in said
    assert "line" in said


# The rest -------------------------------------------------------------------------------------------------------


def test_what_earlier_releases_gave_away_is_refused_unless_it_is_accepted(foreign: Path) -> None:
    said = f'{FOREIGN}\nlinked = "rows"'
    with pytest.raises(ga.NoSafeRelease, match="already gave away"):
        scenario(foreign, said, limit="1/4").protect()


def test_withholding_as_before_shows_nothing_that_was_not_shown() -> None:
    people = ga.Table.from_rows([{"a": 1, "b": 1}, {"a": 1, "b": 2}])
    then = ga.Release(people, ga.Withheld(cells=[(2, "b")]))
    from giveaway.model.release.as_before import as_before

    assert list(as_before(ga.Release(people, earlier=[ga.Earlier(then, rows=[1, 2])])).withheld.cells) == [
        (2, "b")
    ]
    assert list(as_before(ga.Release(people, earlier=[ga.Earlier(then, rows=[2, 1])])).withheld.cells) == [
        (1, "b")
    ]


def test_protect_withholds_again_what_was_withheld_before(six: Path) -> None:
    """The jobs of 1 and 6 would do; the one of 2 was withheld before and stays so."""
    then = write(six, "then.csv", HEAD, *SIX).read_text().replace("30,smith,flu", "30,,flu")
    write(six, "then.csv", *then.splitlines())
    said = 'release = "then.csv"\nlinked = "rows"'
    known = 'attack = "directory"\ncolumns = ["job"]\nknows_method = false'
    least = scenario(six, said, knows=known)
    assert not least.protect().withheld
    text = (six / "now.toml").read_text() + '\n[protect]\nprefer = "as before"\n'
    again = ga.Scenario.from_text(text, six).protect()
    assert (again.verdict, list(again.withheld.cells)) == ("safe", [(2, "job")])


def test_scenarios_are_edited_with_their_earlier_releases(foreign: Path) -> None:
    scenario(foreign, FOREIGN)
    text = (foreign / "now.toml").read_text()
    changed = ga.edit_scenario(text, {"earlier.0.linked": "nobody", "protect.prefer": "as before"})
    again = ga.Scenario.from_text(changed, foreign)
    assert (again.earlier[0].linked, again.prefer) == ("nobody", "as before")
    added = ga.edit_scenario(text, {"earlier": [{"release": "2025.csv", "name": "last year"}]})
    assert [one.name for one in ga.Scenario.from_text(added, foreign).earlier] == ["last year"]
    wrong = ga.edit_scenario(text, {"protect.prefer": "most"})
    assert "prefer = 'most' is unknown. It has: least, as before" in refused(
        lambda: ga.Scenario.from_text(wrong, foreign)
    )
