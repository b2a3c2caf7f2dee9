"""Files: supports, and what scenario files say of an attacker who knows frequencies."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.cli.main import app
from giveaway.model.data.supports import Supports
from giveaway.scenario.words import from_words
from giveaway.sources import read_supports

BASKETS = "bread milk\nbread milk jam\nbread jam tea\nbread tea\nmilk\nbread jam\nbread milk\nbread tea\n"

SCENARIO = """\
[release]
data = "baskets.dat"

[tolerates]
identity = "1/2"
average = "3/5"

[[knows]]
attack = "frequencies"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "shop.toml").write_text(SCENARIO)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def limits_of(setting: str) -> list[str]:
    """Leave the average out where sets are the targets: it is no limit that they are judged by."""
    return ['tolerates={identity="1/2"}'] if "targets" in setting else []


def assessed(*settings: str) -> tuple[int, dict[str, object]]:
    words = [word for setting in settings for word in ("--set", setting)]
    done = run("assess", "shop.toml", "--json", "-", *words)
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_supports_are_read_from_every_kind_of_table(tmp_path: Path, ending: str) -> None:
    import polars as pl

    frame = pl.DataFrame({"support": [3, 0, 12], "item": ["b", "never", "007"]})
    path = tmp_path / f"supports.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    found = read_supports(path, transactions=20, domain=["silent"])

    assert found.labels == ("007", "b", "never", "silent")
    assert found.supports.tolist() == [12, 3, 0, 0]
    assert len(found) == 20
    assert found.origin is not None
    assert found.origin.sha256


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item,support\na,3\na,4\n", "appears twice"),
        ("item,support\na,-3\n", "not a whole number"),
        ("item,support\na,1.5\n", "not a whole number"),
        ("item,support\na,4000000000000000000\n", "too large"),
        ("item,support\n,3\n", "names no item"),
        ("item,count\na,3\n", 'no column "support"'),
        ("item,support\na,21\n", "is in 21 transactions, and there are 20"),
    ],
)
def test_bad_supports_are_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "s.csv").write_text(content)

    with pytest.raises(ga.WrongQuestion, match=said):
        read_supports(tmp_path / "s.csv", transactions=20)


def test_numbers_too_large_to_judge_are_called_so() -> None:
    for counts, transactions in (({"a": 4 * 10**18}, 10**17), ({"a": 3}, 4 * 10**18)):
        with pytest.raises(ga.WrongQuestion, match="too large"):
            Supports.from_counts(counts, transactions=transactions)


def test_a_scenario_of_supports(place: Path) -> None:
    (place / "s.csv").write_text("item,support\na,3\nb,3\nc,9\n")
    code, summary = assessed('release={data="s.csv", kind="supports", transactions=10, domain=["z"]}')

    (finding,) = summary["findings"]
    assert code == 1
    assert summary["data"] == {**summary["data"], "kind": "supports", "rows": 10, "items": 4}
    assert finding["figures"]["items"] == 4
    done = run(
        "protect",
        "shop.toml",
        "-o",
        "out",
        "--set",
        'release={data="s.csv", kind="supports", transactions=10}',
    )
    assert done.exit_code == 2
    assert "holds supports" in done.output
    assert not (place / "out").exists()


def test_the_words_of_a_scenario_become_an_attacker(place: Path) -> None:
    (place / "b.csv").write_text("item,low,high\nbread,0.8,1\njam,1/8,0.5\n")
    (place / "s.dat").write_text("bread milk\nbread\njam\n")
    (place / "p.csv").write_text("first,second\nbread,jam\n")
    (place / "own.csv").write_text(
        "known_first,known_second,first,second\nbread,jam,bread,jam\nbread,jam,bread,milk\nmilk,jam,jam,milk\n"
    )
    (place / "sets.txt").write_text("bread jam\nmilk\n")
    (place / "items.txt").write_text("bread\njam\n")
    told = {
        'knows.0.belief="exact"': ("belief", "exact"),
        'knows.0.belief="ignorant"': ("belief", "ignorant"),
        "knows.0.belief.around=0.25": ("belief", "around 1/4"),
        'knows.0.belief.around="mean gap"': ("belief", "around mean gap"),
        'knows.0.belief.intervals="b.csv"': ("belief", "intervals of 2 items"),
        'knows.0.belief.from_sample="s.dat"': ("belief", "from a sample of 3 transactions"),
        "knows.0.compliance=0.5": ("compliance", 0.5),
        'knows.0.order="worst"': ("order", "worst"),
        'knows.0.targets="pairs"': ("targets", "pairs"),
        'knows.0.targets.from="sets.txt"': ("targets", "2 itemsets"),
        "knows.0.known_pairs={top=2, candidates=3}": ("known_pairs", {"top": 2, "candidates": 3}),
        'knows.0.known_pairs={from="p.csv", use="refine"}': (
            "known_pairs",
            {"pairs": "1 pair", "use": "refine"},
        ),
        'knows.0.known_pairs={from="p.csv", candidate_pairs="p.csv"}': (
            "known_pairs",
            {"pairs": "1 pair", "candidate_pairs": "1 pair"},
        ),
        'knows.0.known_pairs={candidate_pairs="own.csv"}': (
            "known_pairs",
            {"pairs": "2 pairs", "candidate_pairs": "3 pairs"},
        ),
        "knows.0.known_pairs={top=2, candidates_at_least=0.125}": (
            "known_pairs",
            {"top": 2, "candidates_at_least": 0.125},
        ),
        'knows.0.known_pairs.never="p.csv"': ("known_pairs", {"never": "1 pair"}),
        'knows.0.of_interest="items.txt"': ("of_interest", "2 items"),
        'knows.0.of_interest=["bread"]': ("of_interest", "1 item"),
    }
    for setting, (field, value) in told.items():
        _, summary = assessed(setting, *limits_of(setting))
        shown = summary["findings"][0]["attacker"][field]
        assert ({**shown, **value} if isinstance(value, dict) else value) == shown, setting
    sets = "knows.0.targets={size=3, without_top=0.2, sample=2}"
    _, summary = assessed(sets, *limits_of(sets), "knows.0.knows_method=false")
    assert summary["findings"][0]["figures"]["targets"] == 2
    some = 'knows.0.targets={size=2, with_any=["jam"]}'
    _, summary = assessed(some, *limits_of(some))
    assert all("jam" in exposure["target"] for exposure in summary["findings"][0]["exposures"])


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("knows.0.compliance=1.5", "from 0 to 1"),
        ('knows.0={attack="frequencies", compliance=0.5, belief={intervals="b.csv"}}', "found out"),
        ('knows.0={attack="frequencies", compliance=0.5, belief={from_sample="b.csv"}}', "found out"),
        ('knows.0.belief="roughly"', "unknown"),
        ('knows.0.belief={around=0.1, intervals="b.csv"}', "one thing"),
        ("knows.0.belief={}", "one thing"),
        ("knows.0.belief={wide=1}", "no field wide"),
        ("knows.0.targets=[]", "unknown"),
        ("knows.0.targets={sample=3}", "size or a file"),
        ('knows.0.belief.intervals="none.csv"', "none.csv"),
        ('knows.0.belief.intervals="b.csv"', "goes from 0.6 to 0.5"),
        ('knows.0.belief.intervals="u.csv"', "The belief names 'gold'"),
        ('knows.0.targets.from="empty.txt"', "no itemset"),
        ('knows.0.of_interest="empty.txt"', "names no item"),
        ('knows.0.known_pairs.from="same.csv"', "two different items"),
        ('knows.0.known_pairs.candidate_pairs="p.csv"', "without known pairs"),
        ('knows.0.known_pairs={from="p.csv", candidate_pairs="own.csv"}', "the candidates of each"),
        ('knows.0.known_pairs={from="p.csv", candidate_pairs="half.csv"}', "one of the columns"),
        ('knows.0.known_pairs.candidate_pairs="none_own.csv"', "names no pair"),
        ('release.domain=["0", "0"]', 'names "0" twice'),
        ("release.transactions=8", "without supports"),
        ('release.kind="supports"', "transactions is missing"),
        ('release={data="baskets.dat", kind="supports", transactions=8, private=["jam"]}', "not to supports"),
        ("tolerates={attribute=0.5}", "average, identity"),
    ],
)
def test_bad_scenarios_get_one_clear_error_and_leave_nothing(place: Path, setting: str, said: str) -> None:
    (place / "b.csv").write_text("item,low,high\nbread,0.6,0.5\n")
    (place / "u.csv").write_text("item,low,high\ngold,0.4,0.5\n")
    (place / "empty.txt").write_text("\n")
    (place / "same.csv").write_text("first,second\nbread,bread\n")
    (place / "p.csv").write_text("first,second\nbread,jam\n")
    (place / "own.csv").write_text("known_first,known_second,first,second\nbread,jam,bread,jam\n")
    (place / "half.csv").write_text("known_first,first,second\nbread,bread,jam\n")
    (place / "none_own.csv").write_text("known_first,known_second,first,second\n")
    before = {path.name for path in place.iterdir()}
    words = [word for one in (setting, *limits_of(setting)) for word in ("--set", one)]
    done = run("protect", "shop.toml", "-o", "out", *words)

    assert done.exit_code == 2, done.output
    assert said in done.output
    assert {path.name for path in place.iterdir()} == before


def test_protect_writes_a_renamed_release_and_the_key_only_on_request(place: Path) -> None:
    done = run(
        "protect", "shop.toml", "-o", "out", "--key", "key.json", "--html", "owner.html", "--seed", "1"
    )

    assert done.exit_code == 0, done.output
    released = (place / "out" / "release.dat").read_text()
    (entry,) = json.loads((place / "key.json").read_text())["releases"]
    named = entry["codes"]
    manifest = json.loads((place / "out" / "manifest.json").read_text())
    assert manifest["renamed"]
    assert set(released.split()) == set(named)
    rows = [{named[code] for code in line.split()} for line in released.splitlines()]
    original = [set(line.split()) & {*named.values()} for line in BASKETS.splitlines()]
    assert rows == [original[place - 1] for place in entry["rows"]]
    assert sorted(path.name for path in (place / "out").iterdir()) == ["manifest.json", "release.dat"]
    assert "recognise" in (place / "owner.html").read_text()


def test_commas_inside_brackets_belong_to_the_value(place: Path) -> None:
    words = from_words("b.dat", ["frequencies:targets={size=3,sample=5},order=best", "items:a=1,2"], [])

    assert words["knows"] == [
        {"attack": "frequencies", "targets": {"size": 3, "sample": 5}, "order": "best"},
        {"attack": "items", "a": [1, 2]},
    ]
    done = run(
        "assess",
        "baskets.dat",
        "--knows",
        "frequencies:belief={around=0.2},compliance=0.5",
        "--tolerates",
        "average=0.9",
    )
    assert done.exit_code == 0, done.output


@given(
    parts=st.lists(st.sampled_from(["a=1", 'b="x,y"', "c=[1,2]", "d={e=1,f=2}", "2"]), min_size=1, max_size=5)
)
def test_words_are_cut_outside_of_brackets_and_quotes(parts: list[str]) -> None:
    from giveaway.scenario.words import _parts

    assert _parts(",".join(parts)) == parts


def test_explain_tells_the_fields_and_the_forms() -> None:
    told = run("explain", "frequencies").output

    assert all(
        word in told for word in ("from_sample", "without_top", "candidates", "of_interest", "transactions")
    )


def test_what_the_checker_cannot_confirm_is_not_written(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "baskets.dat").write_text("".join(f"{' '.join('abcdef'[row:])}\n" for row in range(6)))
    words = ("protect", "shop.toml", "--set", 'tolerates={identity="9/10"}', "-o")
    assert run(*words, "out").exit_code == 0
    monkeypatch.setattr("giveaway.checker.attacks.frequencies.mappings.WORK", 0)
    done = run(*words, "other")

    assert done.exit_code == 2
    assert "only be bounded" in done.output
    assert not (place / "other").exists()
