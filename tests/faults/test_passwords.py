"""No password is shown, however it was spelled and whatever is said about it."""

import json
import string
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sizes import sized
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli import running
from giveaway.cli.main import app
from giveaway.masking import masked

SECRET = "tulip"  # noqa: S105 # made up
SHOWN = f"host=h password={SECRET} dbname=x"

letters = st.text(string.ascii_letters + string.digits + "!$*+,-.:;<>[]^_`{|}~&#%=\"'\\ ", min_size=1)
secrets = letters.map(lambda text: f"tu{text}lip")
names = st.sampled_from(
    ["password", "PASSWORD", "passwd", "pwd", "token", "sslpassword", "api_key", "PGPASSWORD"]
)


@st.composite
def encoded(draw: st.DrawFn) -> str:
    """A telling name, some letters of which are written as URLs may write them."""
    return "".join(f"%{ord(letter):02X}" if draw(st.booleans()) else letter for letter in draw(names))


def _quoted(secret: str) -> str:
    escaped = secret.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SPELLINGS: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "url": lambda _, secret: (f"postgres://ann:{secret}@host/db", secret),
    "leading blank": lambda _, secret: (f" postgres://ann:{secret}@host/db", secret),
    "blank inside": lambda _, secret: (f"postgres ://ann:{secret}@host/db", secret),
    "capitals": lambda _, secret: (f"POSTGRES://ann:{secret}@host/db", secret),
    "encoded colon": lambda _, secret: (f"postgres://ann%3A{quote(secret, safe='')}@host/db", quote(secret, safe="")),
    "no slashes": lambda _, secret: (f"postgres:ann:{quote(secret, safe='')}@host/db", quote(secret, safe="")),
    "no colon": lambda _, secret: (f"postgres//ann:{quote(secret, safe='')}@host/db", quote(secret, safe="")),
    "parameter": lambda name, secret: (f"postgres://host/db?{name}={quote(secret, safe='')}&a=b", quote(secret, safe="")),
    "raw parameter": lambda name, secret: (f"postgres://host/db?{name}={secret}", secret),
    "spark": lambda name, secret: (f"sc://host:15002/;{name}={quote(secret, safe='')};user_id=ann", quote(secret, safe="")),
    "words": lambda name, secret: (f"host=h {name}={secret} dbname=x", secret),
    "words with blanks": lambda name, secret: (f"host=h {name} = {secret}", secret),
    "colon": lambda _, secret: (f"host=h password:{secret.replace(' ', '')}", secret.replace(" ", "")),
    "encoded twice": lambda _, secret: (f"postgres://h/db?p%2561ssword={quote(secret, safe='')}", quote(secret, safe="")),
    "no host": lambda _, secret: (f"postgres://ann:{quote(secret, safe='')}", quote(secret, safe="")),
    "quoted words": lambda name, secret: (f"host=h {name}={_quoted(secret)} dbname=x", _quoted(secret)[1:-1]),
}  # fmt: skip
ENDS = ("tu", "lip")


def told(shown: str, secret: str) -> bool:
    return secret in shown or secret.strip() in shown or all(end in shown for end in ENDS)


@settings(max_examples=300)
@given(st.sampled_from(sorted(SPELLINGS)), encoded(), secrets)
def test_no_spelling_of_a_password_is_shown(spelling: str, name: str, secret: str) -> None:
    text, written = SPELLINGS[spelling](name, secret)

    for said in (text, f'There is no file "{text}".', f"({text})"):
        assert not told(masked(said), written)
        assert not told(str(ga.ScenarioError("wrong.", exists=said, hint=said)), written)
        assert not told(str(ga.NotWritten(said, hint=said)), written)


@sized(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(SPELLINGS)), encoded(), secrets)
def test_no_way_through_the_command_line_shows_it(
    tmp_path: Path, spelling: str, name: str, secret: str
) -> None:
    """As data, as target, as a setting and as a word too many: standard output, standard error and JSON."""
    text, written = SPELLINGS[spelling](name, secret)
    (tmp_path / "a.dat").write_text("a b\n")
    knows = ["--knows", "items:at_most=1", "--tolerates", "identity=1/2"]
    data = tmp_path / "a.toml"
    data.write_text(
        f"[release]\ndata = {json.dumps(text)}\n[tolerates]\nidentity = 1\n[[knows]]\nattack = 'items'\nat_most = 1\n"
    )
    ways = [
        ["assess", text, *knows, "--json", "-"],
        ["assess", str(data), "--json", "-", "--debug"],
        [
            "protect",
            str(tmp_path / "a.dat"),
            *knows,
            "-o",
            str(tmp_path / "out"),
            "--to",
            text,
            "--table",
            "t",
        ],
        ["assess", str(tmp_path / "a.dat"), *knows, "--set", f"release.private_from={text}"],
        ["assess", str(tmp_path / "a.dat"), text, *knows],
        ["assess", str(tmp_path / "a.dat"), *knows, "--seconds", text],
        [text],
    ]
    for words in ways:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 2, words
        assert not told(done.stdout.replace("\\", ""), written.replace("\\", "")), (words, done.stdout)
        assert not told(done.stderr, written), (words, done.stderr)


@pytest.mark.parametrize("failure", [OSError(2, "none", SHOWN), RuntimeError(SHOWN)])
def test_a_failure_inside_shows_none(failure: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the message nor the traceback of --debug."""

    def fail() -> int:
        raise failure

    with pytest.raises(SystemExit):
        running.run(fail, running.Output(debug=True))

    said = capsys.readouterr().err
    assert isinstance(failure, OSError) or "Traceback" in said
    assert "password=***" in said
    assert SECRET not in said


def test_a_program_that_fails_shows_none() -> None:
    try:
        ga.read_table(f"host=h password='{SECRET} and rose' dbname=x")
    except ga.GiveawayError as error:
        said = "".join(traceback.format_exception(error)[-1:]) + repr(error)
    assert "password=***" in said
    assert SECRET not in said


@pytest.mark.parametrize(
    "text",
    [
        "postgresql:///db?host=/run/pg&user=ann&passfile=/home/ann/.pgpass&require_auth=scram-sha-256",
        "duckdb:/home/ann@work/a.duckdb",
        "postgres://ann@[::1]:5432/db",
        "secrets = FILE names the hidden entries; duckdb:FILE, postgres://HOST/DATABASE, sc://HOST:PORT",
        'There is no file "people.csv". Hint: write at_most=3, or columns=sex,age.',
        "knows.0: the label ann@example.org is not an item.",
    ],
)
def test_what_is_not_secret_is_said(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("text", ["postgres://host/db?passw%6Frd=tulip", "sc://host/;x-api%2Dkey=tulip"])
def test_an_address_with_an_encoded_password_is_refused(text: str) -> None:
    with pytest.raises(ga.ScenarioError, match="holds a password or token"):
        ga.read_table(text, table="people", id="who")


def test_a_long_word_is_gone_through_once() -> None:
    """With the square of its letters as steps, this would take minutes."""
    word = "x" * 200_000

    assert masked(f"{word} {word}") == f"{word} {word}"
    assert masked(f"{word}pass = {SECRET}") == f"{word}pass = ***"
