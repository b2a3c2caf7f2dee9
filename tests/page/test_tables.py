"""Tables on the page: roles, classes, registers, and one path for each attack on them."""

import runpy
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga

EXAMPLES = Path(__file__).parents[2] / "examples"
WAIT = 90_000


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Make the data of an example in a folder of the test."""

    def make(name: str) -> Path:
        for file in (EXAMPLES / name).glob("*.*"):
            if file.suffix in (".py", ".toml"):
                shutil.copy(file, tmp_path)
        monkeypatch.setattr("sys.argv", ["make.py"])
        runpy.run_path(str(tmp_path / "make.py"), run_name="__main__")
        return tmp_path

    return make


def title(page: Any, words: str) -> None:
    page.locator(f"h1:has-text('{words}')").wait_for(timeout=WAIT)
    page.wait_for_load_state()  # from here on the page hears keys


def test_a_role_is_changed_with_a_click(
    page: Any, served: Callable[..., Any], example: Callable[[str], Path]
) -> None:
    example("clinic")
    at = served("patients.csv")
    page.goto(f"{at.url}data")
    title(page, "500 records with 6 columns")
    page.get_by_label("job: Leave out").check()
    page.locator(".gone:has-text('job')").wait_for(timeout=WAIT)
    release = tomllib.loads(at.session.text)
    assert release["release"]["leave_out"] == ["job"]
    assert "job" not in release["knows"][0]["columns"]
    page.click("text=Go on")
    page.locator("#answer h1").wait_for(timeout=WAIT)


def test_what_is_chosen_before_the_script_stands_is_sent_and_nothing_else(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    rows = "".join(f"p{i},{20 + i % 3},{'cook' if i % 4 else 'smith'},{i % 2}\n" for i in range(12))
    (tmp_path / "few.csv").write_text(f"who,age,job,ill\n{rows}")
    at = served("few.csv")
    held: list[Any] = []
    page.goto(f"{at.url}data")
    title(page, "12 records with 4 columns")
    asked = at.session.text
    for choose in (lambda: None, lambda: page.get_by_label("job: Leave out").check()):
        page.route("**/page.js", lambda route: held.insert(0, route))
        page.reload(wait_until="commit")
        page.locator("text=Every column has a role").wait_for(timeout=WAIT)
        choose()
        assert at.session.text == asked
        held.pop().continue_()
        page.unroute("**/page.js")
        page.wait_for_load_state("networkidle")
    assert "job" in tomllib.loads(at.session.text)["release"]["leave_out"]
    page.locator(".gone:has-text('job')").wait_for(timeout=WAIT)
    assert len(at.session.past) == 1


def test_a_column_without_a_role_is_named_and_stops(
    page: Any, served: Callable[..., Any], example: Callable[[str], Path]
) -> None:
    folder = example("clinic")
    text = (folder / "clinic.toml").read_text()
    (folder / "bare.toml").write_text(
        ga.edit_scenario(text, {"knows.0.columns": ["district", "birth", "sex"]})
    )
    at = served()
    page.goto(at.url)
    page.click("text=bare.toml")
    page.locator(".fact:has-text('job')").first.wait_for(timeout=WAIT)


def test_a_role_taken_away_stops_on_the_page(
    page: Any, served: Callable[..., Any], example: Callable[[str], Path]
) -> None:
    example("clinic")
    at = served("patients.csv")
    page.set_viewport_size({"width": 390, "height": 844})  # where roles are chosen from a list
    page.goto(f"{at.url}data")
    title(page, "500 records with 6 columns")
    page.select_option("select[aria-label='Role of job']", "")
    page.locator(".next:has-text('job has no role yet')").wait_for(timeout=WAIT)
    assert page.locator("button:text-is('Go on')").is_disabled()
    assert page.locator(".gone:has-text('job')").count() == 1


def test_a_register_is_dropped_next_to_the_data(
    page: Any, served: Callable[..., Any], example: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = example("clinic")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "register.csv").rename(elsewhere / "register.csv")
    at = served()
    page.goto(at.url)
    page.set_input_files("#chosen", folder / "patients.csv")
    title(page, "500 records with 6 columns")
    page.goto(f"{at.url}question")
    page.set_input_files("#beside-1", elsewhere / "register.csv")
    page.locator("option:checked:has-text('register.csv')").wait_for(state="attached", timeout=WAIT)
    assert at.session.attackers[0]["people"] == "register.csv"


def test_classes_tell_what_they_do(
    page: Any, served: Callable[..., Any], example: Callable[[str], Path]
) -> None:
    folder = example("clinic")
    at = served("patients.csv")
    page.goto(f"{at.url}data")
    title(page, "500 records with 6 columns")
    expected = {}
    for width in (0, 10):
        text = ga.edit_scenario(at.session.text, {"release.classes.birth": width or None})
        found = ga.Scenario.from_text(text, folder).assess()
        expected[width] = ga.sentences(found.to_dict())["attackers"][0]["row"]["planned_says"]
    for width, said in expected.items():
        page.locator(f"label:has(input[value='{width}']) :text('{said}')").wait_for(timeout=WAIT)
    page.get_by_label("Classes of 10").check()
    page.locator("b:has-text('is put into 8 classes')").wait_for(timeout=WAIT)
    assert tomllib.loads(at.session.text)["release"]["classes"] == {"birth": 10}


@pytest.mark.parametrize(
    ("name", "scenario", "planned", "after"),
    [
        ("clinic", "clinic.toml", "393 of 500", "entries are withheld"),
        ("teachers", "teachers.toml", "12 of 12 secret entries", "11 entries are withheld"),
        ("salaries", "salaries.toml", "256 of 2,000", "rules are withheld"),
    ],
)
def test_each_attack_on_tables_has_its_path(
    page: Any,
    served: Callable[..., Any],
    example: Callable[[str], Path],
    name: str,
    scenario: str,
    planned: str,
    after: str,
) -> None:
    folder = example(name)
    at = served(scenario)
    page.goto(f"{at.url}question")
    title(page, planned)
    page.click("#remedy >> text=Make it safe", timeout=WAIT)
    title(page, after)
    page.click("text=Go on to publish")
    page.fill("input[name=folder]", str(folder / "out"))
    page.click("text=Check and write")
    title(page, "Written, read back and judged again: safe")
    assert (folder / "out" / "manifest.json").is_file()


def test_codes_in_the_place_of_items_are_another_question(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    page.get_by_label("the transactions, with codes in the place of items").check()
    page.locator("#says-0:has-text('A competitor with sales figures')").wait_for(timeout=WAIT)
    page.locator("#answer .chip").first.wait_for(timeout=WAIT)
    values = tomllib.loads(at.session.text)
    assert values["knows"][0]["attack"] == "frequencies"
    assert values["tolerates"] == {"average": "1/4"}
    found = ga.Scenario.from_text(at.session.text, pharmacy).assess()
    page.locator(f".chip:has-text('{found.verdict.upper()}')").first.wait_for(timeout=WAIT)


def test_the_decision_of_the_recipe_is_a_button(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    rows = ["1 2 3", "1 2 3 4", "4 6", "3 4 5 6", "5 6", "6", "1 2", "1 3 4", "1 3 5", "2 4 6"]
    (tmp_path / "shop.dat").write_text("\n".join(rows) + "\n")
    (tmp_path / "shop.toml").write_text(
        '[release]\ndata = "shop.dat"\n[tolerates]\naverage = "1/4"\n'
        '[[knows]]\nattack = "frequencies"\nbelief = { around = 0.05 }\nknows_method = false\n'
    )
    at = served("shop.toml")
    page.goto(f"{at.url}question")
    page.locator("text=Decision: comfortable up to 50 %").wait_for(timeout=WAIT)
    page.click("text=Use knows.0.compliance = 0.217")
    page.locator("#answer .chip:has-text('SAFE')").first.wait_for(timeout=WAIT)
    assert tomllib.loads(at.session.text)["knows"][0]["compliance"] == "0.217"
