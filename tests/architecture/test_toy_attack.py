"""A sixth attack, registered from here, goes all the way of the others without a change in `src`."""

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.architecture.toy_attack import KnowsSizes, NeedsOccurrences
from tests.architecture.toy_attack.registered import registered
from tests.report.reading import Page
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.checker import CHECKS, Promise, judge
from giveaway.cli.main import app
from giveaway.publish import draw, write_release
from giveaway.report import saved
from giveaway.scenario import read_scenario, understand
from giveaway.scenario.proposal.propose import propose_form
from giveaway.sources import look

BASKETS = "bread milk\nbread milk jam\nbread jam\nbread\nmilk\nbread milk jam rare odd\n\n"
SCENARIO = """\
[release]
data = "baskets.dat"

[tolerates]
identity = "1/2"

[[knows]]
attack = "sizes"
up_to = 9

[needs]
occurrences = { least_from = "least.txt" }

[protect.sizes]
first = "rarest"
"""

Invoke = Callable[..., Result]


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "least.txt").write_text("2")
    (tmp_path / "sizes.toml").write_text(SCENARIO)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def text_of(done: Result) -> str:
    return " ".join(done.output.split())


def test_it_is_listed_and_explained_with_all_its_fields() -> None:
    assert "Somebody saw how large a basket was" in text_of(run("explain"))
    told = text_of(run("explain", "sizes"))

    assert '[[knows]] attack = "sizes" up_to' in told
    assert "[needs] occurrences item occurrences to keep" in told
    assert "least_from a file that holds the least number" in told
    assert (
        '[protect.sizes] first the items that are withheld first ("rarest" or "commonest"; default "rarest")'
        in told
    )
    assert "private items that must not be inferred" in told, "fields of transactions"
    assert "secrets" not in told, "fields of tables"


def test_init_proposes_it_after_the_others(place: Path) -> None:
    text = propose_form(look(place / "baskets.dat"), place / "baskets.dat", place / "new.toml")
    found = tomllib.loads(text)

    assert text.index('# attack = "frequencies"') < text.index('# attack = "sizes"')
    assert '# occurrences = { least_from = "least.txt" }    # of 7 transactions\n' in text
    assert [entry["attack"] for entry in found["knows"]] == ["items"]
    assert run("init", "baskets.dat", "-o", "again.toml").exit_code == 0
    uncommented = (place / "again.toml").read_text().split("basket was:\n")[1].split("\n\n")[0]
    assert tomllib.loads(uncommented.replace("# ", ""))["knows"] == [{"attack": "sizes", "up_to": 3}]


def test_its_scenario_is_read_with_the_files_that_it_names(place: Path) -> None:
    (place / "far.txt").write_text("4")
    (place / "sizes.toml").write_text(SCENARIO.replace("up_to = 9", 'up_to_from = "far.txt"'))
    values, text = read_scenario(place / "sizes.toml")
    scenario = understand(values, base=place, name="sizes.toml", text=text)

    assert scenario.attackers == (KnowsSizes(up_to=4),)
    assert scenario.needs == (NeedsOccurrences(least=2),)
    assert scenario.options == {"sizes": {"first": "rarest"}}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("up_to = 9", "up_to = -1"), "line 9 up_to = -1 must be a whole number"),
        (("up_to = 9", "most = -1"), "line 9 most = -1 must be a whole number"),
        (("up_to = 9", "up_to = 9\nmost = 9"), "line 10 up_to and most are both given."),
        (("up_to = 9", "upto = 9"), "did you mean up_to?"),
        (("up_to = 9", 'up_to_from = "gone.txt"'), 'line 9 There is no file "gone.txt"'),
        (('identity = "1/2"', 'attribute = "1/2"'), "no limit that the attack sizes is judged by"),
        (("occurrences = {", "rules = {"), "needs.rules has no field least_from"),
        (('first = "rarest"', 'first = "best"'), "first = 'best' is unknown"),
    ],
)
def test_its_mistakes_are_told_with_their_lines(place: Path, wrong: tuple[str, str], told: str) -> None:
    (place / "sizes.toml").write_text(SCENARIO.replace(*wrong))
    done = run("assess", "sizes.toml")

    assert done.exit_code == 2
    assert told in text_of(done)


def test_another_word_for_a_field_means_the_same(place: Path) -> None:
    (place / "sizes.toml").write_text(SCENARIO.replace("up_to = 9", "most = 9"))

    assert run("assess", "sizes.toml").exit_code == 1


def test_it_is_assessed_from_the_command_line_too(place: Path) -> None:
    done = run("assess", "baskets.dat", "--knows", "sizes:up_to=9", "--tolerates", "identity=1/2")

    assert done.exit_code == 1
    assert "1 sizes knows how many items a transaction has, up to 9" in text_of(done)


def test_the_terminal_tells_it_in_its_own_words(place: Path) -> None:
    release, known = ga.Release(ga.read_transactions(place / "baskets.dat")), KnowsSizes(up_to=9)
    asked = {"attackers": known, "tolerance": ga.Tolerance(identity="1/2"), "need": NeedsOccurrences(least=2)}
    planned = " ".join(str(ga.assess(release, **asked)).split())
    safer = " ".join(str(ga.protect(release, **asked)).split())

    assert "3 of 7 transactions have a size of their own." in planned
    assert "size 0 and 2 similar sizes → the basket" in planned
    assert "needed at least 2 item occurrences" in safer
    assert "5 of 14 item occurrences" in safer


def test_it_is_protected_published_checked_and_drawn(place: Path) -> None:
    done = run(
        *("protect", "sizes.toml", "-o", "out", "--json", "s.json"),
        *("--html", "owner.html", "--public-html", "public.html"),
    )
    said = text_of(done)

    assert done.exit_code == 0, said
    assert "SAFE" in said
    assert "what is in the baskets" in said, "what was not judged"
    manifest = json.loads((place / "out" / "manifest.json").read_text())
    assert manifest["attackers"][0]["knows"] == "how many items a transaction has, up to 9"
    owner = Page((place / "owner.html").read_text())
    assert owner.broken == []
    for words in (
        "Chance per size",
        "If the attacker counts less far",
        "How large the baskets are",
        "3 of 7 baskets have a size of their own. After withholding, none is left.",
        "Somebody saw a basket of size",
        "the rarest left",
        "Occurrences gone with it",
        "Every size is common.",
        "You need at least 2 item occurrences.",
        "to tell whose basket it is",
    ):
        assert words in owner.text, words
    public = Page((place / "public.html").read_text())
    assert "could tell whose basket it is by its size" in public.text
    assert "bread" not in public.text
    saved.read(place / "s.json")
    assert run("report", "s.json").exit_code == 0


def test_a_file_that_breaks_its_promise_is_not_written(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    safer = ga.protect(
        ga.Release(ga.read_transactions(place / "baskets.dat")),
        KnowsSizes(up_to=9),
        ga.Tolerance(identity="1/2"),
        sizes={"first": "rarest"},
    )
    assert safer.publish(place / "out").written

    monkeypatch.delitem(CHECKS, "sizes")
    with pytest.raises(ga.CheckFailed, match="cannot judge attacker 1"):
        safer.publish(place / "unchecked")
    assert not (place / "unchecked").exists()


def test_it_stands_beside_another_attack(place: Path) -> None:
    release = ga.Release(ga.read_transactions(place / "baskets.dat"))
    both = ga.protect(release, [KnowsSizes(up_to=9), ga.KnowsItems(at_most=1)], ga.Tolerance(identity="1/2"))

    assert [finding.safe for finding in both.findings] == [True, True]
    assert "sizes" in str(both)


def test_next_to_an_earlier_release_it_is_neither_judged_nor_confirmed(place: Path) -> None:
    (place / "equal.dat").write_text("bread\nmilk\n")
    data, known, limit = (
        ga.read_transactions(place / "equal.dat"),
        KnowsSizes(up_to=1),
        ga.Tolerance(identity="1/2"),
    )
    release = ga.Release(data, earlier=[ga.Earlier(ga.Release(data), name="2025")])
    assert ga.assess(release, known, limit).verdict == "cannot judge"

    drawn, promise = draw(release), Promise(attack="sizes", attacker=vars(known), tolerance=limit)
    file = write_release(release, place, drawn)
    with pytest.raises(ga.NotConfirmed, match="Attacker 1 is not checked together with earlier releases"):
        judge(file, release, [promise], drawn.codes, drawn.order)
