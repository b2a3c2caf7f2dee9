"""Releases of which something is stated to be withheld: judged as stated, protected further, and stated again."""

from pathlib import Path

import pytest

import giveaway as ga

SHOP = [["bread", "jam"]] * 5 + [["bread", "tea"]] * 5 + [["bread", "jam", "tea"], ["wine"]]
ASKED = """
tolerates = { identity = "1/2" }
knows = [{ attack = "items", at_most = 2 }]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.dat").write_text("".join(" ".join(row) + "\n" for row in SHOP))
    (tmp_path / "gone.txt").write_text("tea\nwine\n")
    return tmp_path


@pytest.mark.parametrize("written", ['["tea", "wine"]', '"gone.txt"'])
def test_items_are_judged_as_stated(shop: Path, written: str) -> None:
    text = f'release = {{ data = "shop.dat", withheld = {written} }}{ASKED}'

    found = ga.Scenario.from_text(text, shop).assess()

    assert found.verdict == "safe"
    assert found.withheld.items == ("tea", "wine")
    assert found.release.published.labels == ("bread", "jam")


def test_protect_starts_from_it_and_adds(shop: Path) -> None:
    text = f'[release]\ndata = "shop.dat"\nwithheld = ["tea"]\n{_sections()}'

    planned = ga.Scenario.from_text(text, shop)
    made = planned.protect()

    assert planned.assess().verdict == "at risk"
    assert made.withheld.items == ("tea", "wine")
    again = ga.edit_scenario(text, {"release.withheld": list(made.withheld.items)})
    assert ga.Scenario.from_text(again, shop).assess().verdict == "safe"
    made.write_withheld(shop / "made.txt")
    named = ga.edit_scenario(text, {"release.withheld": "made.txt"})
    assert ga.Scenario.from_text(named, shop).release.withheld == made.withheld


def _sections() -> str:
    return '[tolerates]\nidentity = "1/2"\n[[knows]]\nattack = "items"\nat_most = 2\n'


def test_an_item_that_is_not_there_is_refused_with_its_line(shop: Path) -> None:
    text = f'[release]\ndata = "shop.dat"\nwithheld = ["tee"]\n{_sections()}'

    with pytest.raises(ga.ScenarioError, match=r"line 3.*'tee' is withheld, and is not in the data.*'tea'"):
        ga.Scenario.from_text(text, shop).release  # noqa: B018 # reads the files


def test_supports_are_stated_too(tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("item,support\na,1\nb,4\nc,4\n")
    text = """
        release = { data = "counts.csv", kind = "supports", transactions = 9, withheld = ["a"] }
        tolerates = { identity = "3/4" }
        knows = [{ attack = "frequencies", belief = "exact" }]
        """

    assert ga.Scenario.from_text(text, tmp_path).assess().verdict == "safe"
    without = text.replace(', withheld = ["a"]', "")
    assert ga.Scenario.from_text(without, tmp_path).assess().verdict == "at risk"


PEOPLE = "id,age,sex,ill\n" + "".join(
    f"p{n},{age},{sex},{ill}\n"
    for n, (age, sex, ill) in enumerate(
        [("20", "f", "flu"), ("20", "f", "cold"), ("30", "f", "flu"), ("30", "m", "cold")], 1
    )
)


def table(folder: Path, withheld: str, *, limits: str = 'identity = "1/2"', more: str = "") -> ga.Scenario:
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "age.csv").write_text("20,young\n30,young\n")
    (folder / "gone.csv").write_text("id,column\np3,sex\np4,sex\n")
    (folder / "coarser.csv").write_text(
        "row,column,level\n3,sex,\n4,sex,\n1,age,1\n2,age,1\n3,age,1\n4,age,1\n"
    )
    text = f"""
        [release]
        data = "people.csv"
        id = "id"
        sensitive = "ill"
        withheld = {withheld}
        hierarchies = {{ age = "age.csv" }}
        [tolerates]
        {limits}
        [[knows]]
        attack = "directory"
        columns = ["age", "sex"]
        {more}
        """
    return ga.Scenario.from_text(text, folder)


@pytest.mark.parametrize(
    ("withheld", "verdict", "says"),
    [
        ('"gone.csv"', "safe", "2 entries"),
        ('["sex"]', "safe", "4 entries"),
        ('"coarser.csv"', "safe", "2 entries and 4 entries given less exactly"),
        ("[]", "at risk", "nothing"),
    ],
)
def test_entries_of_a_table_are_judged_as_stated(
    tmp_path: Path, withheld: str, verdict: str, says: str
) -> None:
    found = table(tmp_path, withheld).assess()

    assert (found.verdict, str(found.withheld)) == (verdict, says)
    found.write_withheld(tmp_path / "again.csv")
    if says != "nothing":
        assert table(tmp_path, '"again.csv"').release.withheld == found.withheld


def test_what_is_stated_is_written_and_checked(tmp_path: Path) -> None:
    made = table(tmp_path, '"gone.csv"').protect().publish(tmp_path / "out")

    assert made.withheld.cells == ga.Withheld(cells=[(3, "sex"), (4, "sex")]).cells
    rows = sorted((tmp_path / "out" / "release.csv").read_text().splitlines()[1:])
    assert rows == ["20,f,cold", "20,f,flu", "30,,cold", "30,,flu"]


@pytest.mark.parametrize(
    ("withheld", "more", "verdict"),
    [
        ('"gone.csv"', "", "cannot judge"),
        ('"gone.csv"', "knows_method = false", "safe"),
        ('["sex"]', "", "safe"),
        ("[]", "", "at risk"),
    ],
)
def test_entries_chosen_by_hand_are_not_called_safe_where_the_choice_may_tell_of_values(
    tmp_path: Path, withheld: str, more: str, verdict: str
) -> None:
    scenario = table(tmp_path, withheld, limits='attribute = "1/2"', more=more)

    assert scenario.assess().verdict == verdict


def test_entries_given_in_python_are_chosen_by_hand_and_those_of_protect_are_not() -> None:
    """Somebody who knows that just the ill were blanked reads the blanks: no crowd of blanks hides them."""
    rows = [
        ("20", "flu"),
        ("20", "flu"),
        ("20", "well"),
        ("20", "well"),
        ("30", "well"),
        ("30", "well"),
        ("40", "flu"),
    ]
    people = ga.Table.from_rows([{"age": a, "ill": i} for a, i in (*rows, ("40", "well"))], sensitive="ill")
    blanks = ga.Withheld(cells=[(1, "age"), (2, "age"), (5, "age"), (6, "age")])
    knows, limits = ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/2", attribute="9/10")

    by_hand = ga.Release(people, blanks)
    assert by_hand.stated == blanks
    assert ga.assess(by_hand, knows, limits).verdict == "cannot judge"
    assert ga.assess(ga.Release(people, stated=blanks), knows, limits).verdict == "cannot judge"
    chosen = ga.protect(ga.Release(people), ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/4"))
    assert chosen.release.withheld.cells
    assert not chosen.release.withholds_by_hand
    assert ga.assess(chosen.release, knows, limits).verdict == "safe", (
        "by its own rule, which sees no illness"
    )


def test_blanks_by_hand_that_an_earlier_release_shows_hide_nothing() -> None:
    people = ga.Table.from_rows([{"age": age} for age in ("20", "20", "30", "40")])
    now = ga.Release(people, ga.Withheld(cells=[(3, "age"), (4, "age")]))
    knows, limits = ga.KnowsDirectory(columns=["age"], knows_method=False), ga.Tolerance(identity="1/2")
    before = ga.Earlier(ga.Release(people), name="2025", linked="rows", rows=range(1, 5))

    assert ga.assess(now, knows, limits).verdict == "safe"
    (seen,) = ga.assess(now, knows, limits, earlier=before).findings[0].together
    assert (seen.safe, seen.risk.over) == (False, 2)


def test_entries_next_to_secrets_are_not_called_safe(tmp_path: Path) -> None:
    people = ga.Table.from_rows([{"job": "cook", "ill": str(n % 2)} for n in range(6)], sensitive="ill")
    by_hand = ga.Withheld(cells=[(2, "ill")])
    asked = ga.KnowsAttributes(columns=["job"]), ga.Tolerance(attribute="2/3")

    assert ga.assess(ga.Release(people, secrets=[1], stated=by_hand), *asked).verdict == "cannot judge"


@pytest.mark.parametrize(
    ("withheld", "says"),
    [
        ('["size"]', 'no column "size"|has no column|size'),
        ('"late.csv"', "no coarser labels of level 2"),
        ('"other.csv"', 'There is no row "9"'),
    ],
)
def test_what_cannot_be_withheld_is_refused(tmp_path: Path, withheld: str, says: str) -> None:
    (tmp_path / "late.csv").write_text("row,column,level\n1,age,2\n")
    (tmp_path / "other.csv").write_text("row,column\n9,age\n")

    with pytest.raises(ga.WrongQuestion, match=says):
        table(tmp_path, withheld).release  # noqa: B018 # reads the files


def test_rules_are_not_stated_so(tmp_path: Path) -> None:
    with pytest.raises(ga.ScenarioError, match="withheld belongs to published rows"):
        ga.Scenario.from_text(
            """
            release = { data = "people.csv", sensitive = "ill", withheld = ["age"], rules = { min_support = 0.1, min_confidence = 0.5 } }
            tolerates = { attribute = "1/2" }
            knows = [{ attack = "profiles", columns = ["age"] }]
            """,
            tmp_path,
        )
