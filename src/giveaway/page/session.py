"""What one page is about: the scenario as it stands, what it was before, and what was found out so far."""

import os
import time
import tomllib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import giveaway as ga
from giveaway.page.places import file_of, inside

_TOGETHER = 0.8
"""Seconds within which changes of one field are one step."""
_TRIES = 12
_STEM = 60
"""Letters of a name to which an ending and a number can be added: with them it has at most 255 bytes."""
_TABS = 256
FIELD_ROLES = {"leave_out": "out", "publish_unjudged": "unjudged", "sensitive": "sensitive"}
"""The fields of [release] that name columns of a role."""
asking: ContextVar[str] = ContextVar("asking", default="")
"""The mark of the page that a request comes from."""


@dataclass(kw_only=True)
class Session:
    """The state of one page; the scenario text is the only truth about the question."""

    roots: tuple[Path, ...]
    """The folders in which files may be read and written."""
    uploads: Path
    text: str = ""
    base: Path = Path()
    file: Path | None = None
    """Where the scenario is saved."""
    saved: str = ""
    look: Mapping[str, Any] = field(default_factory=dict)
    past: list[str] = field(default_factory=list)
    future: list[str] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)
    """The scenarios of which a result was looked at, the newest first."""
    written: Any = None
    """What was published last."""
    shown: tuple[str, Any] | None = None
    """The last question of which an answer was drawn, with the answer, which is dimmed while a newer one is worked out."""
    opening: Any = None
    """The file that is being opened, and the task that does it."""
    writing: Any = None
    """The task that writes a release."""
    seq: int = 0
    """The number of the newest change by a slider; older ones come too late."""
    keeps: str | None = None
    """The withheld item that is tried out."""
    seen: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    """What each page shows, by its mark; one that shows something else than what stands may change nothing."""
    _field: str = ""
    _when: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether there is a question."""
        return bool(self.text)

    @property
    def values(self) -> dict[str, Any]:
        """The scenario as nested values."""
        return tomllib.loads(self.text) if self.text else {}

    @property
    def release(self) -> dict[str, Any]:
        """The section [release]."""
        release: dict[str, Any] = self.values.get("release", {})
        return release

    def columns_of(self, field: str) -> list[str]:
        """Return the columns that a field of [release] names, one or several."""
        names = self.release.get(field, [])
        return [names] if isinstance(names, str) else list(names)

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column that has one."""
        roles = dict.fromkeys((name for entry in self.attackers for name in known_of(entry)), "known")
        for name, role in FIELD_ROLES.items():
            roles |= dict.fromkeys(self.columns_of(name), role)
        if self.release.get("id"):
            roles[self.release["id"]] = "id"
        return roles

    @property
    def kind(self) -> str:
        """Whether the data are a table or transactions."""
        kind = self.release.get("kind") or self.look.get("kind")
        return "table" if kind == "table" else "transactions"

    @property
    def forms(self) -> Mapping[str, Any]:
        """How each attack on such data is asked about."""
        forms = ga.forms("table" if self.kind == "table" else "transactions")
        return {name: _in_words(form, self.nouns) for name, form in forms.items()}

    @property
    def nouns(self) -> ga.Nouns:
        """What rows and items are called."""
        return ga.Nouns.of(self.release.get("words"))

    @property
    def attackers(self) -> list[dict[str, Any]]:
        """The entries of [[knows]]."""
        return list(self.values.get("knows", []))

    @property
    def attack(self) -> str:
        """The attack of the first attacker, which says what is published."""
        return str(self.attackers[0]["attack"]) if self.attackers else next(iter(self.forms))

    @property
    def data_name(self) -> str:
        """The name of the data: of the file, or of the table of a database."""
        release = self.release
        return str(release.get("table") or Path(str(release.get("data", ""))).name)

    @property
    def released(self) -> str:
        """The name that a released file has: its format is that of the data."""
        ending = "".join(Path(self.data_name).suffixes[-2:]) or ".csv"
        return f"release{ending}"

    @property
    def home(self) -> Path:
        """The folder in which things are kept: that of the data, unless they were dropped on the page."""
        return self.roots[0] if self.is_dropped else self.base

    @property
    def is_dropped(self) -> bool:
        """Whether the data were dropped on the page."""
        return self.base.is_relative_to(self.uploads)

    @property
    def dropped(self) -> list[str]:
        """The names of files that were dropped here and that the question names."""
        files = (file_of(self.base, name) for name in sorted(_texts(self.values)) if name.strip("./"))
        there = (file for file in files if file is not None and os.path.lexists(file))
        return [file.name for file in there if inside(file, (self.uploads,), whole=False)]

    @property
    def name(self) -> str:
        """The name of the scenario file."""
        if self.file is not None:
            return self.file.name
        return f"{Path(self.data_name).name.strip('.').split('.')[0][:_STEM] or 'question'}.toml"

    @property
    def free_name(self) -> str:
        """A name for the scenario file that no file has."""
        stem, number = Path(self.name).stem[:_STEM], 2
        name = self.name
        while os.path.lexists(self.home / name):
            name, number = f"{stem}-{number}.toml", number + 1
        return name

    @property
    def state(self) -> Any:
        """What a page is about: the question, the data as they are now, and what is tried out."""
        return *self.asks().values(), self.keeps

    def drawn(self, mark: str) -> None:
        """Note that a page shows what stands."""
        self.seen[mark] = self.state
        while len(self.seen) > _TABS:
            self.seen.popitem(last=False)

    def _moved(self) -> None:
        """Note that the page that asks has changed what stands, and so knows it."""
        if asking.get() in self.seen:
            self.drawn(asking.get())

    def try_out(self, item: str | None) -> None:
        """Try out what happens when a withheld item is released."""
        self.keeps = item
        self._moved()

    def asks(self, text: str | None = None) -> dict[str, Any]:
        """Return what the worker is asked about: a scenario, and the files that it may name as they are now."""
        named = sorted(_texts(tomllib.loads(text) if text else self.values))
        files = [file_of(self.base, name) for name in named if name.strip("./")]  # the folder itself is none
        stamp = tuple(one for file in files for one in _stamps(file, self.folders))
        return {"text": text or self.text, "folder": str(self.base), "stamp": stamp}

    def begin(self, text: str, base: Path, *, file: Path | None, look: Mapping[str, Any]) -> None:
        """Begin with a scenario."""
        self.text, self.base, self.file, self.look = text, base, file, look
        self.saved = text if file is not None else ""
        self.past, self.future, self.tries = [], [], []
        self.written = self.shown = self.keeps = None
        self._moved()

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change fields; changes of one field in quick succession are one step back."""
        self.put(ga.edit_scenario(self.text, changes), " ".join(changes))

    def put(self, text: str, what: str = "") -> None:
        """Take another text for the scenario."""
        if text == self.text:
            return
        now = time.monotonic()
        if not (what and what == self._field and now - self._when < _TOGETHER and self.past):
            self.past.append(self.text)
        self.future = []
        self._take(text)
        self._field, self._when = what, now

    def _take(self, text: str) -> None:
        """Let another text stand; nothing is tried out of it yet, and the next change is a step of its own."""
        self.text, self.keeps, self._field = text, None, ""
        self._moved()

    def undo(self) -> None:
        """Go one step back."""
        if self.past:
            self.future.append(self.text)
            self._take(self.past.pop())

    def redo(self) -> None:
        """Take the last step back again."""
        if self.future:
            self.past.append(self.text)
            self._take(self.future.pop())

    def back_to(self, text: str) -> None:
        """Go back to an earlier question; what was asked since then can be taken again as one step."""
        if text == self.text:
            return
        self.future.append(self.text)
        if text in self.past:
            del self.past[len(self.past) - 1 - self.past[::-1].index(text) :]
        self._take(text)

    def tried(self) -> None:
        """Note that a result of the scenario as it stands was looked at."""
        self.tries = [self.text, *(text for text in self.tries if text != self.text)][:_TRIES]

    def limit(self, name: str, place: int = 0) -> str | None:
        """Return a limit of an attacker, its own or the common one."""
        attackers = self.attackers
        own = attackers[place].get("tolerates", {}) if place < len(attackers) else {}
        limit = own.get(name, self.values.get("tolerates", {}).get(name))
        return None if limit is None else str(limit)

    def places(self, name: str) -> Sequence[str]:
        """Return the places of the slider of a limit; what the scenario states otherwise becomes one more."""
        usual: Sequence[str] = sliders()[name].places
        now = self.limit(name)
        if now is None or any(Fraction(now) == Fraction(one) for one in usual):
            return usual
        return sorted({*usual, now}, key=Fraction, reverse=Fraction(usual[0]) > Fraction(usual[-1]))

    def bring(self, name: str) -> None:
        """Have a file of the folder of the page at hand next to data that were dropped."""
        there, here = self.home / Path(name).name, self.base / Path(name).name
        if name and self.is_dropped and there.is_file() and not here.exists() and self.may_use(there):
            here.symlink_to(there)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the owner, and the one of dropped files."""
        return (*self.roots, self.uploads)

    def files(self, folders: Iterable[Path], endings: Sequence[str]) -> list[Path]:
        """Return the files of folders that may be used and shown, by how their names end; none of a folder that is gone."""
        files: list[Path] = []
        for folder in folders:
            with suppress(OSError):
                files += [
                    path
                    for path in sorted(folder.iterdir())
                    if str(path).isprintable()  # other names may be no text, of which no page can be made
                    and path.suffix.lower() in endings
                    and path.is_file()
                    and self.may_use(path)
                ]
        return files

    def may_use(self, path: Path) -> bool:
        """Tell whether a file lies in a folder that may be used, once links are followed."""
        return inside(path, self.folders)


def known_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the columns that an entry of [[knows]] says are known."""
    columns: list[str] = entry.get("columns", entry.get("on", []))
    return columns


def sliders() -> dict[str, Any]:
    """Return how each limit is asked about, of those that are."""
    return {name: row.slider for name, row in ga.Tolerance.limits().items() if row.slider is not None}


def at(places: Sequence[str], value: str | None) -> int:
    """Return the place of a value on its slider."""
    if value is None:
        return 0
    return next((i for i, one in enumerate(places) if Fraction(one) == Fraction(value)), 0)


def _texts(value: Any) -> set[str]:
    """Return the texts in nested values."""
    if isinstance(value, dict | list):
        return {
            text for one in (value.values() if isinstance(value, dict) else value) for text in _texts(one)
        }
    return {value} if isinstance(value, str) else set()


def _stamps(place: Path | None, folders: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Return by what a change of a file, or of what lies in a folder, is noticed; nothing where there is neither."""
    try:
        is_ours = place is not None and place.is_dir() and inside(place, folders, whole=False)
        within = [] if place is None else [place, *(place.iterdir() if is_ours else ())]
        return [(str(one), info.st_size, info.st_mtime_ns) for one in sorted(within) for info in [one.stat()]]
    except (OSError, ValueError):
        return []


def _in_words(form: Any, nouns: ga.Nouns) -> Any:
    """Return how an attack is asked about, with the owner's nouns in every sentence."""
    say = nouns.told
    return replace(
        form,
        publishes=say(form.publishes),
        another=say(form.another),
        asks=say(form.asks),
        who=say(form.who),
        choices=tuple(replace(choice, says=say(choice.says)) for choice in form.choices),
        files={
            name: replace(file, asks=say(file.asks), without=say(file.without))
            for name, file in form.files.items()
        },
    )
