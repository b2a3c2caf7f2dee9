"""What stands behind the papers, from the command line: `giveaway explore`, and every word of them by `giveaway explain`."""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import ROOT
from typer.main import get_command

from giveaway.cli.main import app
from giveaway.papers.table import PAPERS
from giveaway.scenario import overridden

BASKETS = "a b e f s1\nc e f g s2\na b g s3\na b f g s2\na b d g s2\ne f g s1\nb e f g s3\n"
SHOP = "1 2 3\n1 2 3 4\n4 6\n3 4 5 6\n5 6\n6\n1 2\n1 3 4\n1 3 5\n2 4 6\n"
RECORDS = "zip,born,sex\nA,70,f\nA,71,f\nB,70,m\nB,71,m\nB,71,f\nA,70,m\n"
FIGURE_2 = ["abcs", "abcs", "abcs", "ab1s", "abds", "a2ds", "3bds", "4bds", "56d7"]
ITEMS = """
[release]
data = "baskets.dat"
private = ["s1", "s2", "s3"]
[tolerates]
identity = "1/3"
attribute = "1/2"
[[knows]]
attack = "items"
at_most = 3
[needs]
itemsets = { min_support = 4 }
"""
SHOP_OF = ("shop.dat", "--knows", "frequencies:belief={around=0.05},knows_method=false")
RECORDS_OF = ("records.csv", "--knows", "directory:columns=zip,born,sex,knows_method=false")
SECRETS = (
    "table.csv", "--knows", "attributes:columns=A,B,C,knows_method=false", "--tolerates", "attribute=0.55",
    "--set", "release.sensitive=S", "--set", "release.secrets=secrets.csv",
)  # fmt: skip
PAPERS_WORDS = """mole; nugget; cohesion; border; (h,k,p)-coherent; BPr; Score; belief function; alpha-compliant; O-estimate; OS;
alpha_max; crack; crack mapping; Propagate; tolerance requirement; dictionary; disclosure rule; MinRisk; minimax; Bayes risk;
R-graph; safe partial table; minconf; minsupp; SMC; NAR; AR-constraint; maximum entropy; divergence; similarity by sampling;
k; l; t; h; p; k'; p'; alpha; delta; theta; Jaro; removal rate; (alpha, k)-anonymity;
hacker; association rule; non-association rule; frequent itemset; vulnerable; individual divergence; perfect matching; prosecutor; journalist; marketer; Moles; R graph""".replace(
    "\n", " "
).split("; ")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"baskets.dat": BASKETS, "items.toml": ITEMS, "shop.dat": SHOP, "records.csv": RECORDS}
    texts["table.csv"] = "A,B,C,S\n" + "".join(f"{','.join(row)}\n" for row in FIGURE_2)
    texts["supports.csv"] = "item,support\na,2\nb,3\n"
    texts["secrets.csv"] = "row\n1\n5\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "part", "value"),
    [
        (("borders", "items.toml"), "suppressed", ["c", "d", "a", "b"]),
        (("borders", "items.toml"), "moles.count", 12),
        (("borders", "items.toml", "--set", "explore.having=a,g"), "moles.count", 3),
        (("borders", "items.toml", "--set", "explore.having=a,g"), "says", "8 edges cover 12 moles, 3 of them with a, g; the algorithm deletes 4 items."),
        (("borders", "baskets.dat", "--knows", "items:at_most=3", "--tolerates", "identity=1/3"), "says", "12 edges cover 22 moles; without needs.itemsets the algorithm is not run."),
        (("borders", "items.toml", "--set", "explore.having=a"), "moles.counts", {"b": 3, "e": 3, "f": 4, "g": 3}),
        (("borders", "items.toml"), "steps.1.counts.b", [4, 2]),
        (("borders", "shop.dat", "--knows", "items:at_most=2", "--tolerates", "identity=1/3", "--set", "explore.having=2"), "moles.count", 3),
        (("crack-space", *SHOP_OF), "candidates.1", ["1", "3", "4", "6"]),
        (("crack-space", *SHOP_OF), "groups.0.frequency_exact", "3/10"),
        (("simulation", *SHOP_OF, "--set", "explore.draws=200"), "chances.2", 1.0),
        (("similar-data", *SHOP_OF, "--set", "explore.sizes=0.9,1"), "samples.1.mean", 1.0),
        (("every-pair", *SHOP_OF), "says", "Somebody who knows how often every item and every pair occurs is expected to crack 6 of 6 items."),
        (("every-pair", "baskets.dat", *SHOP_OF[1:]), "interchangeable.2", {"items": ["c"], "least": 1.0, "least_exact": "1/1", "most": 1.0, "most_exact": "1/1"}),
        (("least-risk", *RECORDS_OF, "--set", "needs.columns={per_record=2}"), "risk_exact", "1/2"),
        (("least-risk", *RECORDS_OF, "--set", "needs.columns={per_record=2}"), "proved", True),
        (("least-risk", *RECORDS_OF, "--set", "needs.columns={per_record=2}", "--set", "explore.method=minrisk"), "risk_exact", "2/3"),
        (("r-graph", *SECRETS), "says", "11 rules, 9 of them unsafe, and 16 edges."),
        (("removal-rates", *SECRETS, "--set", "explore.limits=0.3,0.7"), "rates.1.hidden_entries", 1.0),
    ],
)  # fmt: skip
def test_what_python_shows_the_command_line_shows(
    invoke: Any, data: Path, words: tuple[str, ...], part: str, value: Any
) -> None:
    done = invoke("explore", *words, "--json", "-")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    for step in part.split("."):
        found = found[int(step)] if isinstance(found, list) else found[step]
    assert found == value
    # A log holds no values of the data.
    log = invoke("explore", *words).stdout.splitlines()
    assert len(log) == 2
    assert log[1] == "  values are not printed here; write them with --json FILE"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nugget",), "There is nothing called nugget to explore."),
        (("borders",), "Nothing says of which data borders is."),
        (("borders", *SHOP_OF, "--tolerates", "average=1/4"), "borders is of the attack items"),
        (("borders", "items.toml", "--set", "explore.with=a"), "There is no option explore.with."),
        (("borders", "items.toml", "--set", "explore.having=a,z"), "No transaction has z."),
        (("least-risk", *RECORDS_OF), "Nothing says how many values are disclosed."),
        (
            (
                "every-pair",
                "supports.csv",
                *SHOP_OF[1:],
                "--set",
                "release.kind=supports",
                "--set",
                "release.transactions=4",
            ),
            "Supports do not tell which items occur together.",
        ),
        (("similar-data", *SHOP_OF, "--set", "explore.sizes=2"), "sizes are parts of the transactions."),
    ],
)
def test_what_cannot_be_explored_is_one_clear_error(
    invoke: Any, data: Path, words: tuple[str, ...], said: str
) -> None:
    done = invoke("explore", *words)
    assert done.exit_code == 2
    assert f"No answer: {said}" in " ".join(done.output.split())


def test_without_a_name_explore_lists_all_that_attacks_have(invoke: Any) -> None:
    listed = [line.split()[0] for line in invoke("explore").stdout.splitlines()]
    assert listed == [name for paper in PAPERS for name in paper.explores]


@pytest.mark.parametrize("word", PAPERS_WORDS)
def test_every_word_of_the_papers_is_explained(invoke: Any, word: str) -> None:
    done = invoke("explain", word)
    assert done.exit_code == 0, done.output
    assert "giveaway " in done.stdout or len(done.stdout.splitlines()) > 1


def test_an_unknown_word_names_the_nearest_and_no_verdict(invoke: Any) -> None:
    done = invoke("explain", "nuget")
    assert done.exit_code == 2
    assert "Not known: nuget is no attack and no word of the glossary." in " ".join(done.output.split())
    assert "near it are nugget" in " ".join(done.output.split())
    assert "CANNOT JUDGE" not in done.output


def test_the_commands_of_the_glossary_exist() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    commands = re.findall(r"`giveaway (\w+)(?: ([\w-]+))?", text)
    names = set(get_command(app).list_commands(None))
    things = {name for paper in PAPERS for name in paper.explores}
    assert len(commands) > 40
    assert {name for name, _ in commands} <= names
    assert {thing for name, thing in commands if name == "explore"} <= things


def test_a_shell_gives_the_commands_of_the_glossary_as_they_are_meant() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [shlex.split(command) for command in re.findall(r"`(giveaway [^`]+)`", text)]
    settings = [after for of in words for word, after in pairwise(of) if word == "--set"]
    assert len(settings) > 10
    for setting in settings:
        # Sections that lost their quotes stay a text.
        assert "{" not in str(list(_ends(overridden({}, [setting]))))


def _ends(values: Any) -> Iterator[Any]:
    if isinstance(values, dict):
        for value in values.values():
            yield from _ends(value)
    else:
        yield values


def test_the_next_line_can_be_pasted_where_secrets_are_named(invoke: Any, data: Path) -> None:
    last = invoke("assess", *SECRETS).stdout.splitlines()[-1]
    assert last.endswith("--set release.sensitive=S --set release.secrets=secrets.csv -o out")
