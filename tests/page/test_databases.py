"""A table of a database on the page: the database counts, and the path is the same."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.page.screens import WAIT, prepare


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A folder with the patients of the clinic in a DuckDB database."""
    prepare(tmp_path)
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as database:
        patients = str(tmp_path / "patients.csv")
        database.execute(f"CREATE TABLE patients AS FROM read_csv('{patients}', all_varchar = true)")
        database.execute("CREATE TABLE nameless AS SELECT sex, job FROM patients")
    (tmp_path / "patients.csv").unlink()
    return tmp_path


def connect(page: Any, at: Any, address: str, table: str) -> None:
    page.goto(at.url)
    page.fill("input[name=address]", address)
    page.fill("input[name=table]", table)
    page.fill("input[name=password]", "tulip")
    page.locator("form:has(input[name=address]) button").click()


def test_a_table_of_a_database_becomes_a_checked_release(
    page: Any, served: Callable[..., Any], clinic: Path
) -> None:
    at = served()
    connect(page, at, "duckdb:clinic.duckdb", "patients")
    page.locator("h1:has-text('500 records with 6 columns')").wait_for(timeout=WAIT)
    release = tomllib.loads(at.session.text)["release"]
    assert (release["data"], release["table"], release["id"]) == (
        "duckdb:clinic.duckdb",
        "patients",
        "person",
    )
    page.get_by_label("job: Leave out").check()
    page.locator(".gone:has-text('job')").wait_for(timeout=WAIT)
    page.click("text=Go on")
    page.locator("#answer .chip:has-text('AT RISK')").first.wait_for(timeout=WAIT)
    page.goto(f"{at.url}result")
    page.locator("h1:has-text('withheld')").wait_for(timeout=WAIT)
    page.click("text=Go on to publish")
    page.click("text=Check and write")
    page.locator("h1:has-text('Written, read back')").wait_for(timeout=WAIT)
    assert (clinic / "release" / "manifest.json").is_file()
    everything = [path for path in clinic.rglob("*") if path.is_file()]
    assert not any(b"tulip" in path.read_bytes() for path in everything)
    assert "tulip" not in at.session.text + page.content()


def test_what_is_wrong_with_an_address_is_said(page: Any, served: Callable[..., Any], clinic: Path) -> None:
    (clinic / "out").symlink_to(clinic.parent)  # no file of the folder is asked for by the last address
    at = served()
    connect(page, at, "duckdb:clinic.duckdb", "doctors")
    page.locator(".fact:has-text('patients')").wait_for(timeout=WAIT)
    connect(page, at, "duckdb:clinic.duckdb", "nameless")
    page.locator(".fact:has-text('names its rows')").wait_for(timeout=WAIT)
    connect(page, at, "postgres://ann:rose@warehouse.example/clinic", "patients")
    page.locator(".fact:has-text('***')").wait_for(timeout=WAIT)
    assert "rose" not in page.inner_text("main")


def test_a_database_outside_the_folders_is_not_found(
    page: Any, served: Callable[..., Any], clinic: Path
) -> None:
    inside = clinic / "in"
    inside.mkdir()
    at = served(folder=inside)
    for address in ("duckdb:../clinic.duckdb", f"duckdb:{clinic / 'clinic.duckdb'}"):
        connect(page, at, address, "patients")
        page.locator("text=Not found.").wait_for(timeout=WAIT)
