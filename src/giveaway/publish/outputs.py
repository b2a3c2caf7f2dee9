"""Everything that a command is going to write, checked as a whole before it does any work."""

import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from giveaway.errors import NotWritten
from giveaway.model.paths import was_read
from giveaway.publish.folder import check_target
from giveaway.publish.owners_file import check_key, is_owners_file
from giveaway.publish.storage import final_place, identity, is_named_here, is_stream, kind


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The places a command writes to; no two are the same, and none is an input."""

    files: Mapping[str, Path] = field(default_factory=dict)
    """Reports and the like, each under the option that names it."""
    folder: Path | None = None
    """The folder of the release."""
    key: Path | None = None
    """The owner's file, which is the one file that is added to."""
    database: Path | None = None
    """The file of the database that gets a table."""
    force: bool = False
    """Whether what stands there may be replaced."""
    _stood: list[Path] = field(default_factory=list, init=False)

    def check(self, inputs: Collection[Path]) -> None:
        """Refuse places that cannot or must not be written to; what stands there is remembered."""
        self._check_names()
        self._check_distinct()
        self._check_inputs(inputs)
        for name, path in self.files.items():
            _check_file(name, path)
        if not self.force:
            self._check_free()
        if self.folder is not None:
            check_target(final_place(self.folder), force=self.force)
            check_key(self.key, self.folder)
        for path in self._replaced():
            if identity(path) is not None:
                self._stood.append(path)

    def standing(self) -> list[str]:
        """Return which places hold what this run wrote; the owner's file and the table stand if the release does."""
        standing = [str(path) for path in self._replaced() if is_named_here(path)]
        if self.folder is None or str(self.folder) not in standing:
            return standing
        key = [] if self.key is None else [f"its entry in {self.key}"]
        return [*standing, *key, *([] if self.database is None else [f"its table in {self.database}"])]

    def missing(self) -> list[Path]:
        """Return which places held something when they were checked, and hold nothing now."""
        return [path for path in self._stood if identity(path) is None]

    def _named(self) -> list[tuple[str, Path]]:
        log = None if self.database is None else self.database.with_name(f"{self.database.name}.wal")
        others = (("-o", self.folder), ("--key", self.key), ("--to", self.database), ("the log of --to", log))
        return [*self.files.items(), *((name, path) for name, path in others if path is not None)]

    def _replaced(self) -> list[Path]:
        """What is replaced as a whole, not added to."""
        return [*([] if self.folder is None else [self.folder]), *self.files.values()]

    def _check_names(self) -> None:
        """Refuse names of our own, and the folder in which the command is run."""
        for name, path in self._named():
            if ".giveaway-" in path.name and path.name.startswith("."):
                raise NotWritten(f"{name} {path} is a name that giveaway uses itself.", hint="name another.")
        if self.folder is None:
            return
        try:
            final_place(self.folder).name.encode()  # the manifest holds it
        except UnicodeEncodeError:
            raise NotWritten(
                f"-o {self.folder} is a name that is not UTF-8 text.", hint="name another."
            ) from None
        if final_place(self.folder) in (Path.cwd(), *Path.cwd().parents):
            raise NotWritten(
                f"-o {self.folder} is the folder that you are in, or around it.",
                hint="name a folder of its own.",
            )

    def _check_distinct(self) -> None:
        seen: dict[Path | tuple[int, int], str] = {}
        for name, path in self._named():
            for place in {final_place(path), identity(path) or final_place(path)}:
                other = seen.setdefault(place, name)
                if other != name and not is_stream(path):
                    raise NotWritten(f"{other} and {name} are both {path}.", hint="name two places.")
        self._check_folder()

    def _check_folder(self) -> None:
        if self.folder is None:
            return
        inside = final_place(self.folder)
        for name, path in self._named():
            if final_place(path) in inside.parents:
                raise NotWritten(
                    f"{name} {path} would be a file, and {self.folder} lies in it.",
                    hint="name a file elsewhere.",
                )
            if inside in final_place(path).parents:
                raise NotWritten(
                    f"{name} {path} lies in the release folder, which holds the released files alone.",
                    hint="name a file elsewhere.",
                )

    def _check_inputs(self, inputs: Collection[Path]) -> None:
        for source in inputs:
            real, known = source.resolve(), identity(source)
            for name, path in self._named():
                final = final_place(path)
                same = final == real or (known is not None and identity(final) == known)
                if same and name == "--key":
                    continue  # an owner's file is added to, and any other file is refused
                if same:
                    raise NotWritten(
                        f"{name} {path} is read by this command and was left alone.",
                        hint="name another place.",
                    )
                if real in final.parents or (name == "-o" and final in real.parents):
                    inner, outer = (path, source) if real in final.parents else (source, path)
                    raise NotWritten(
                        f"{name}: {inner} lies in {outer}, which was left alone.", hint="name another place."
                    )

    def _check_free(self) -> None:
        for name, path in self.files.items():
            if kind(path) is not None and not is_stream(path):
                raise NotWritten(
                    f"{name} {path} exists and was left alone.",
                    hint="name another file, or --force to replace it.",
                )


def _check_file(name: str, path: Path) -> None:
    """Refuse what is not a file, and files that could not be made."""
    there, parent = kind(path), final_place(path).parent
    if there == stat.S_IFDIR:
        raise NotWritten(f"{name} {path} is a folder.", hint="name a file.")
    if is_stream(path):
        return
    if there not in (None, stat.S_IFREG):
        raise NotWritten(f"{name} {path} is not a file, and was left alone.", hint="name a file.")
    if was_read(path):
        raise NotWritten(
            f"{name} {path} is read by this command and was left alone.", hint="name another place."
        )
    if is_owners_file(path):
        raise NotWritten(
            f"{name} {path} is an owner's file, without which releases cannot be undone, and was left alone.",
            hint="name another place.",
        )
    if not parent.is_dir():
        raise NotWritten(
            f"{name} {path} cannot be written: its folder does not exist.", hint="make the folder first."
        )
    if not os.access(parent, os.W_OK):
        raise NotWritten(f"{name} {path} cannot be written: its folder is read-only.")
