"""Addresses: which texts are some, and that no password is ever told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import giveaway as ga
from giveaway.errors import ScenarioError
from giveaway.masking import masked
from giveaway.sources.address import address

BASE = Path("folder")


@pytest.mark.parametrize("text", ["a.csv", "folder/a.csv", "C:\\data\\a.csv", "c:/a.csv", "./a:b.csv", "a b"])
def test_files_are_no_addresses(text: str) -> None:
    assert address(text, BASE) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("postgres://host/db", "postgres"),
        ("postgresql://user@host:5432/db?sslmode=require", "postgres"),
        ("postgresql:///db?host=/run/pg&user=ann&passfile=/home/ann/.pgpass", "postgres"),
        ("postgres://ann@[::1]:5432/db", "postgres"),
        ("sc://host:15002", "spark"),
        ("sc://host:15002/;user_id=ann;use_ssl=true", "spark"),
        ("duckdb:held.duckdb", "duckdb"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    found = address(text, BASE)

    assert found is not None
    assert (kind, text, text) == (found.kind, found.text, found.shown)
    assert found.path == (BASE / "held.duckdb" if kind == "duckdb" else None)


@pytest.mark.parametrize(
    "text", ["mysql://host/db", "POSTGRES://u:hush@h/db", "postgres:hush", "s3://hush/a.csv"]
)
def test_other_addresses_are_refused_unseen(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"begins no address.*duckdb:FILE, postgres://HOST") as raised:
        address(text, BASE)

    assert "hush" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgres://ann:hush@host/db", "postgres://ann:***@host/db"),
        ("postgres://:hush@host/db", "postgres://:***@host/db"),
        ("postgres://ann:hu@s/h?@host/db", "postgres://ann:***@host/db"),
        ("postgres://host/db?user=ann&password=hush", "postgres://host/db?user=ann&password=***"),
        ("postgres://host/db?SSLPassword=hush&a=b", "postgres://host/db?SSLPassword=***&a=b"),
        ("sc://host:15002/;token=hush;user_id=ann", "sc://host:15002/;token=***;user_id=ann"),
        ("sc://host/;x-api-key=hush", "sc://host/;x-api-key=***"),
    ],
)
def test_passwords_are_refused_and_masked(text: str, shown: str) -> None:
    with pytest.raises(ScenarioError, match="holds a password or token") as raised:
        address(text, BASE)

    assert shown in str(raised.value)
    assert "hush" not in str(raised.value)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1))
def test_any_password_is_masked(password: str) -> None:
    secret = f"<{password}>"

    assert secret not in masked(f"postgres://ann:{secret}@host/db")


@pytest.mark.parametrize(
    "read",
    [
        lambda text: ga.read_table(text, table="people", id="who"),
        lambda text: ga.read_transactions(text, table="sales", id="basket", item="product"),
        lambda text: ga.read_transactions("a.dat", private_from=text),
    ],
)
def test_passwords_are_never_told(read: Callable[[str], Any], caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ScenarioError) as raised:
        read("postgres://ann:hush@nowhere.invalid/db")

    assert "hush" not in str(raised.value) + caplog.text


def test_files_need_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("who,ill\n1,no\n")

    with pytest.raises(ScenarioError, match=r'table belongs to an address, and ".*a.csv" is a file'):
        ga.read_table(tmp_path / "a.csv", table="people")


@pytest.mark.parametrize("what", [{}, {"table": "people", "query": "SELECT 1"}])
def test_an_address_needs_either_table_or_query(what: dict[str, str]) -> None:
    with pytest.raises(ScenarioError, match="needs either table or query"):
        ga.read_table("postgres://host/db", id="who", **what)


def test_a_side_file_cannot_be_an_address() -> None:
    with pytest.raises(ScenarioError, match="is an address, and a file is needed here"):
        ga.read_transactions("a.dat", private_from="postgres://host/db")
