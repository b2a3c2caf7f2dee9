"""The way in: a word that lets one browser in, once, and the cookie that this browser has from then on."""

import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

COOKIE = "giveaway"
_USED = "This address lets nobody in any more: each does so once. The next one is where giveaway runs."
CLOSED = "This page belongs to the browser that was let in. Another address is where giveaway runs."


def _word() -> str:
    return secrets.token_urlsafe(24)


@dataclass
class Entrance:
    """Who is let in: each word is good for one browser, and the one on the terminal is followed by the next.

    Cookies are shown to every server of a machine, whatever its port. So the place is as secret as they are, and a
    browser shows this one below the place alone.
    """

    port: int
    folder: Path | None = None
    """A folder that only the owner can enter, for files that lead a browser in."""
    say: Callable[[str], None] = print
    place: str = field(default_factory=_word)
    secret: str = field(default_factory=_word)
    _words: dict[str, Path | None] = field(default_factory=dict)
    _shown: str = ""

    def address(self) -> str:
        """Return an address that lets one browser in."""
        word = _word()
        self._words[word] = None
        return f"http://127.0.0.1:{self.port}/enter/{word}"

    def file(self) -> Path:
        """Write a file that leads one browser in, and is gone then; nobody else can read it, as they can a command line."""
        assert self.folder is not None  # noqa: S101 # given where there is a browser or no terminal
        path, address = self.folder / f"{secrets.token_hex(4)}.html", self.address()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_leading(address))
        self._words[address.rpartition("/")[2]] = path
        return path

    def show(self) -> str:
        """Return what lets the next browser in: an address on a terminal; elsewhere, where others may read it, a file with it."""
        way = self.address() if sys.stdout.isatty() else self.file().as_uri()
        self._shown = next(reversed(self._words))
        return way

    def lets_in(self, word: str) -> bool:
        """Use a word; it was good if it was never used before."""
        known = next(
            (one for one in self._words if secrets.compare_digest(one.encode(), word.encode())), None
        )
        if known is None:
            return False
        path = self._words.pop(known)
        if path is not None:
            path.unlink(missing_ok=True)
        if known == self._shown:
            self.say(f"A browser was let in. The next one is let in at {self.show()}")
        return True

    def answer(self, word: str) -> tuple[int, str, list[tuple[bytes, bytes]]]:
        """Answer a browser that comes with a word: status, text and headers.

        It goes on by itself rather than by a redirect, with which a browser that came from a file shows no cookie.
        """
        if not self.lets_in(word):
            return 403, _USED, [(b"content-type", b"text/plain; charset=utf-8")]
        cookie = f"{COOKIE}={self.secret}; Path=/{self.place}/; HttpOnly; SameSite=Strict"
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"set-cookie", cookie.encode())]
        return 200, _leading(f"/{self.place}/"), headers

    def knows(self, cookies: str) -> bool:
        """Tell whether a browser was let in, by the cookies that it shows."""
        pairs = (part.strip().partition("=") for part in cookies.split(";"))
        return any(
            name == COOKIE and secrets.compare_digest(value.encode(), self.secret.encode())
            for name, _, value in pairs
        )


def _leading(address: str) -> str:
    """Write a page that leads on."""
    to = escape(address)
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={to}">'
        f'<title>giveaway</title><p><a href="{to}">Go on</a>'
    )
