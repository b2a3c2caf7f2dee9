"""Passwords and tokens masked in whatever is said, however they were spelled.

Messages pass through `masked` where they leave the program, which are these places and no others:

- `errors`: the text of every error, which programs, logs and the JSON of the command line show
- `report.mistakes`: the errors as the terminal shows them
- `cli.running`: the traceback of --debug
- `cli.main`: what is said about words of the command line that are not understood

Summary, manifest and pages name the places of data only: files that exist, and addresses, which are refused with a
password in them.
"""

import re
from urllib.parse import unquote

MASK = "***"

_AFTER_USER = re.compile(r"(?is)(://[^:/?#@]*(?::|%3a))(.*)(?=@)")
_AFTER_COLON = re.compile(r"(?i)((?<!duckdb):)(?!//)(\S+)(?=@)")
_WITHOUT_HOST = re.compile(r"(://[^:/?#@\s]*:)(?!\*\*\*@|PORT\b|\d{1,5}(?:[/?#\s\"').,;]|$))([^/?#\s]+)")
"""What follows the colon of a user when the host was forgotten; digits are a port, and PORT is said in hints."""
_AFTER_NAME = re.compile(r"(?i)(\b(?:password|passwd|pwd|token)\s*:\s*)(?!//)(\S+)")
_NAME = re.compile(r"(?i)(?:(?<![\w%.-])|(?<=%3d))([\w%.-]+?)\s*(?:=|%3d)\s*")
"""A name from its first letter on: one looked for from each of its letters takes the square of the time of a long word."""
_SECRET = re.compile(r"(?i)pass|pwd|token|secret|auth|credential|api[-_]?key")
_NO_SECRETS = ("passfile", "require_auth", "secrets", "release.secrets")
"""The last two are a field of scenario files, which names entries of a table."""
_QUOTED = re.compile(r"(?s)(['\"])(?:\\.|(?!\1)[^\\])*\1")
_MASKED = re.compile(r"\*\*\*(?=[\s&;\"'.,)]|$)")
_NEXT_IN_QUERY = re.compile(r"[&;][\w%.-]+=")
_NEXT_WORD = re.compile(r"\s+[\w%.-]+\s*=")


def masked(text: str) -> str:
    """Return a text in which everything that could be a password or token is replaced."""
    shown = without_secrets(text)
    for spelling in (_AFTER_COLON, _WITHOUT_HOST, _AFTER_NAME):
        shown = spelling.sub(rf"\1{MASK}", shown)
    return shown


def without_secrets(address: str) -> str:
    """Return an address without the password of its user and without the values of parameters with telling names.

    >>> without_secrets("postgres://ann:tulip@host/db?sslmode=require&passw%6Frd=rose")
    'postgres://ann:***@host/db?sslmode=require&passw%6Frd=***'
    >>> without_secrets("host=h password='tulip and rose' dbname=db")
    'host=h password=*** dbname=db'
    """
    return _named(_AFTER_USER.sub(rf"\1{MASK}", address))


def _named(text: str) -> str:
    parts, at = [], 0
    while match := _NAME.search(text, at):
        parts.append(text[at : match.end()])
        at = match.end()
        name = _plain(match[1])
        if _SECRET.search(name) and name not in _NO_SECRETS:
            parts.append(MASK)
            at = _end(text, match)
    return "".join([*parts, text[at:]])


def _plain(name: str) -> str:
    """Undo the encoding of URLs, as often as it was done."""
    while (once := unquote(name)) != name:
        name = once
    return name.lower()


def _end(text: str, name: re.Match[str]) -> int:
    """Return where a value ends: at its closing quote, or before the next name; it may hold blanks and more."""
    whole = _QUOTED.match(text, name.end()) or _MASKED.match(text, name.end())
    if whole is not None:
        return whole.end()
    in_query = text[: name.start()].endswith(("?", "&", ";"))
    after = (_NEXT_IN_QUERY if in_query else _NEXT_WORD).search(text, name.end())
    return len(text) if after is None else after.start()
