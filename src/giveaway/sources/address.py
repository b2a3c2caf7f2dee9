"""Addresses of data that live in a database or on a cluster; none of them may hold a password, which is given apart."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from giveaway.errors import ScenarioError
from giveaway.masking import without_secrets

Kind = Literal["duckdb", "postgres", "spark"]

_SCHEME = re.compile(r"(?i)([a-z][a-z0-9+.-]+):")
_KINDS: dict[str, Kind] = {
    "duckdb:": "duckdb",
    "postgres://": "postgres",
    "postgresql://": "postgres",
    "sc://": "spark",
}
_INSTEAD = {
    "duckdb": "a DuckDB file needs none.",
    "postgres": "leave it out; PGPASSWORD, ~/.pgpass or a service file give it to the driver.",
    "spark": "leave it out; SPARK_CONNECT_AUTHENTICATE_TOKEN gives the token to Spark.",
}

_PASSWORDS: dict[str, str] = {}
"""Each for one address, in the memory of this program alone."""


@dataclass(frozen=True)
class Address:
    """Where data live; `shown` is what messages, the Summary and the manifest may say of it."""

    kind: Kind
    text: str
    shown: str
    path: Path | None = None
    """The file of a DuckDB database."""


def address(text: str, base: Path) -> Address | None:
    """Understand an address, or return None where the text names a file; relative files start from `base`."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        return None
    kind = next((kind for start, kind in _KINDS.items() if text.startswith(start)), None)
    if kind is None:
        raise ScenarioError(
            f"{scheme[0]} begins no address that giveaway knows.",
            exists="duckdb:FILE, postgres://HOST/DATABASE, sc://HOST:PORT",
            hint="name a file or one of these; ./ before a file name makes clear that it is one.",
        )
    shown = without_secrets(text)
    if shown != text:
        raise ScenarioError(f"The address {shown} holds a password or token.", hint=_INSTEAD[kind])
    path = base / text.removeprefix("duckdb:") if kind == "duckdb" else None
    return Address(kind, text, shown, path)


def unlock(address: str, password: str) -> None:
    """Use a password for one address as long as this program runs; it is written nowhere, and no other process sees it.

    >>> import giveaway as ga
    >>> ga.unlock("postgres://ann@warehouse.example/hr", "tulip and rose")
    """
    _PASSWORDS[address] = password


def password_of(address: str) -> str | None:
    """Return the password of an address; None leaves it to the driver to find one."""
    return _PASSWORDS.get(address)
