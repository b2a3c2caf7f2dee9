"""Files as they are stored: whether they can be read, one pass over their text, their checksum."""

import codecs
import difflib
import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from giveaway.errors import DataError, ScenarioError
from giveaway.model.paths import exists, note_read, shown, special, unusable
from giveaway.model.progress import tell
from giveaway.model.published import Published
from giveaway.sources.address import address
from giveaway.sources.formats import Format, endings, format_of

if TYPE_CHECKING:
    from hashlib import _Hash as Digest

CHUNK = 1 << 23
LONGEST_LINE = 1 << 27
"""Characters; longer lines are not rows of anything, and take gigabytes to cut."""
BLANKS = " \t"
_FIRST = 1 << 12


@dataclass(frozen=True)
class StoredFile:
    """A file that exists and can be read, and the encoding of its text."""

    path: Path
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return self.path.name

    @property
    def compressed(self) -> bool:
        """Whether the file is compressed with gzip."""
        return self.path.suffix.lower() == ".gz"

    @property
    def ending(self) -> str:
        """The ending of the name, `.gz` left aside."""
        return Path(self.path.stem if self.compressed else self.path.name).suffix.lower()

    @cached_property
    def format(self) -> Format | None:
        """The format that the ending stands for, or what the file begins with, if any."""
        return format_of(self)

    @property
    def has_columns(self) -> bool:
        """Whether some columns may be read without the others."""
        return self.format is None or self.format.form != "records"

    def first(self) -> bytes:
        """Return the first bytes; none where they cannot be read, of which whoever reads the file tells."""
        with (
            suppress(OSError, EOFError, zlib.error),
            gzip.open(self.path) if self.compressed else self.path.open("rb") as file,
        ):
            return file.read(_FIRST)
        return b""

    @property
    def size(self) -> int:
        """How many bytes are stored."""
        return self.path.stat().st_size

    def sha256(self) -> str:
        """Return the checksum of the bytes as stored."""
        digest = hashlib.sha256()
        size = max(self.size, 1)
        with self.path.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                tell("reading", min(file.tell(), size), size)
        return digest.hexdigest()

    def stamp(self) -> tuple[int, int, int]:
        """Return what changes when somebody writes to the file: its number, its size and its time."""
        status = self.path.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns

    def changed(self) -> DataError:
        """Make the error for a file whose bytes are no longer those that were judged."""
        return DataError(
            f'The file "{self.name}" has changed since it was read.',
            hint="read it again, and judge what it holds now.",
        )

    @contextmanager
    def read_before(self, sha256: str) -> Iterator[None]:
        """Take whatever fails while a file is read again for a change of the file, if its bytes have changed."""
        if not self.path.is_file():
            raise self.changed()
        try:
            yield
        except Exception:
            if not self.path.is_file() or self.sha256() != sha256:
                raise self.changed() from None
            raise

    def chunks(self, digest: "Digest | None" = None) -> Iterator[bytes]:
        """Give the decompressed bytes in chunks; a digest gets the bytes as they are stored."""
        size = max(self.size, 1)
        with self.path.open("rb") as stored:
            raw = stored if digest is None else _Hashed(stored, digest)
            file = gzip.GzipFile(fileobj=raw) if self.compressed else raw  # type: ignore[arg-type] # it reads like a file
            while chunk := self._read(file):
                yield chunk
                tell("reading", min(stored.tell(), size), size)

    def text(self, digest: "Digest | None" = None) -> Iterator[bytes]:
        """Give the text as UTF-8 in chunks that end anywhere between two characters, without byte order mark."""
        decoder = decoder_of(self.encoding)
        plain = decoder is None
        decoder = decoder or codecs.getincrementaldecoder("utf-8")()
        lines, first, waiting = 1, True, False
        for chunk in self.chunks(digest):
            if plain and not waiting and not first and chunk.isascii():
                yield chunk
                lines += chunk.count(b"\n")
                continue
            try:
                words = decoder.decode(chunk)
            except UnicodeDecodeError as error:
                raise self._undecodable(lines + error.object[: error.start].count(b"\n")) from None
            waiting = bool(decoder.getstate()[0])
            coded = words.removeprefix("\ufeff").encode() if first else words.encode()
            first = False
            lines += coded.count(b"\n")
            yield coded
        try:
            yield decoder.decode(b"", final=True).encode()
        except UnicodeDecodeError:
            raise self._undecodable(lines) from None

    def clean(self, digest: "Digest | None" = None) -> Iterator[bytes]:
        """Give the text, and refuse NUL bytes and files without any byte."""
        empty, lines = True, 1
        for chunk in self.text(digest):
            empty = empty and not chunk
            at = chunk.find(b"\0")
            if at >= 0:
                raise self.binary(lines + chunk.count(b"\n", 0, at))
            lines += chunk.count(b"\n")
            yield chunk
        if empty:
            raise DataError(f'The file "{self.name}" is empty.', hint="check where it was exported.")

    def binary(self, line: int) -> DataError:
        """Make the error for a file with bytes that no text has."""
        return DataError(
            f'Line {line} of "{self.name}" holds control characters: it is not a text file.',
            hint=f"giveaway reads {endings('and')}, compressed with gzip or not.",
        )

    def check_length(self, characters: int) -> None:
        """Refuse a line that is longer than any row."""
        if characters > LONGEST_LINE:
            raise DataError(
                f'A line of "{self.name}" has more than {LONGEST_LINE:,} characters.',
                hint="check that the file is text with one row a line, and that quotes are closed.",
            )

    def _undecodable(self, line: int) -> DataError:
        return DataError(
            f'Line {line} of "{self.name}" is not {self.encoding} text.',
            hint='say how the file is encoded, for example encoding = "latin-1".',
        )

    def _read(self, file: "BinaryIO | gzip.GzipFile | _Hashed") -> bytes:
        try:
            return file.read(CHUNK)
        except EOFError:
            raise DataError(
                f'The file "{self.name}" ends too early: its compressed data are cut off.',
                hint="copy or download it again.",
            ) from None
        except (gzip.BadGzipFile, zlib.error):
            raise DataError(
                f'The file "{self.name}" is damaged or not compressed with gzip.',
                hint="a name that ends in .gz stands for a gzip file.",
            ) from None


class _Hashed:
    """A file whose bytes are hashed as they are read."""

    def __init__(self, file: BinaryIO, digest: "Digest") -> None:
        self._file, self._digest = file, digest

    def read(self, size: int) -> bytes:
        """Read some bytes."""
        chunk = self._file.read(size)
        self._digest.update(chunk)
        return chunk


class TextPass:
    """One pass over the text of a file: its start may be looked at first, and its bytes are hashed on the way."""

    def __init__(self, file: StoredFile) -> None:
        self.file = file
        self._digest = hashlib.sha256()
        self._coming = file.clean(self._digest)
        self._held: list[bytes] = []
        self._failure: DataError | None = None
        self._ended = False

    def start(self) -> Iterator[bytes]:
        """Give the text from its beginning, as often as is asked; no more is read than is looked at."""
        place = 0
        while place < len(self._held) or self._hold():
            yield self._held[place]
            place += 1

    def chunks(self) -> Iterator[bytes]:
        """Give the whole text, once."""
        while self._held or self._hold():
            yield self._held.pop(0)
        self._ended = True

    @property
    def sha256(self) -> str:
        """The checksum of the bytes as stored, once all of them were read."""
        if not self._ended:
            raise RuntimeError("the pass has not come to its end")
        return self._digest.hexdigest()

    def _hold(self) -> bool:
        """Read another chunk; false at the end. What once failed fails again."""
        if self._failure is not None:
            raise self._failure
        try:
            chunk = next(self._coming, None)
        except DataError as error:
            self._failure = error
            raise
        if chunk is not None:
            self._held.append(chunk)
        return chunk is not None


@contextmanager
def passed_again(file: StoredFile, sha256: str) -> Iterator[TextPass]:
    """Read a text once more, and refuse it when its bytes are no longer those that were read before."""
    with file.read_before(sha256):
        text = TextPass(file)
        yield text
        if text.sha256 != sha256:
            raise file.changed()


def stored(path: str | os.PathLike[str], encoding: str = "utf-8") -> StoredFile:
    """Find a file that can be read, or say why not."""
    where = Path(path)
    decoder_of(encoding)
    elsewhere = address(str(path), Path())
    if elsewhere is not None:
        raise ScenarioError(f"{elsewhere.shown} is an address, and a file is needed here.")
    check_file(where)
    try:
        with where.open("rb", buffering=0) as file:
            start = file.read(2)
    except OSError as error:
        raise DataError(
            f'The file "{where}" cannot be opened: {error.strerror}.', hint="check who may read it."
        ) from None
    if start == b"\x1f\x8b" and where.suffix.lower() != ".gz":
        raise DataError(f'The file "{where.name}" is compressed with gzip.', hint="let its name end in .gz.")
    note_read(where)
    return StoredFile(where, encoding)


def check_file(where: Path) -> None:
    """Refuse a path at which there is no file."""
    why = unusable(where)
    if why is not None:
        raise DataError(f'The file "{shown(where)}" cannot be opened: {why}.', hint="name another file.")
    if not exists(where):
        raise DataError(
            f'There is no file "{where}".',
            exists=_neighbours(where),
            hint="relative names start from the folder you are in, in scenario files from the scenario's folder.",
        )
    if where.is_dir():
        raise DataError(f'"{where}" is a folder, not a file.', hint="name the file inside it.")
    kind = special(where)
    if kind is not None:
        raise DataError(
            f'"{where}" is {kind}, not a file.',
            hint="data are read several times: write them to a file first.",
        )


def decoder_of(encoding: str) -> codecs.IncrementalDecoder | None:
    """Return a decoder, or None for UTF-8, which needs a check but no conversion."""
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)
    except (LookupError, ValueError):
        raise ScenarioError(
            f'encoding = "{encoding}" is not known.', hint='common ones are "utf-8", "latin-1" and "cp1252".'
        ) from None
    return None if codec.name in ("utf-8", "utf-8-sig", "ascii") else codec.incrementaldecoder()


@dataclass(frozen=True, kw_only=True)
class FromFile:
    """Data that came from a file, from which their release is written again."""

    file: StoredFile
    sha256: str

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.file.path

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    def native(self, published: Published) -> object:  # noqa: ARG002 # as all origins
        """Return nothing: a file has no form in memory."""
        raise ScenarioError(
            f'The data came from the file "{self.name}", not from a frame.',
            hint="publish writes the release as a file; Transactions.from_frame gives frames back.",
        )


@contextmanager
def opened(target: Path) -> Iterator[IO[bytes]]:
    """Open a file to write, compressed when its name says so, without name or time inside; remove it if that fails."""
    try:
        with target.open("wb") as plain:
            if target.suffix != ".gz":
                yield plain
                return
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=plain, mtime=0) as zipped:
                yield zipped  # type: ignore[misc] # it writes like a file
    except Exception:
        target.unlink(missing_ok=True)
        raise


def lines_of(text: TextPass) -> Iterator[str]:
    """Give the lines of a text file without their ends."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8")(), translate=True)
    rest = ""
    for chunk in text.chunks():
        *full, rest = (rest + decoder.decode(chunk)).split("\n")
        yield from full
        text.file.check_length(len(rest))
    *full, rest = (rest + decoder.decode(b"", final=True)).split("\n")
    yield from full
    if rest:
        yield rest


def _neighbours(path: Path) -> str | None:
    try:
        names = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    except OSError:
        return None
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.5)
    return ", ".join(f'"{name}"' for name in near) or None
