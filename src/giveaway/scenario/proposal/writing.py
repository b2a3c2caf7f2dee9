"""Values, comments and lists of columns as a proposed scenario file writes them."""

import json
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from giveaway.scenario.proposal.guess_roles import RoleGuess
from giveaway.sources import ColumnLook, Look

MANY_VALUES = 100
"""This many different values nearly identify people."""
_WIDEST = 28


@dataclass(frozen=True, kw_only=True)
class Words:
    """How the data and the scenario file are called in commands, and the data in the file itself."""

    data: str
    target: str
    place: str

    @classmethod
    def of(cls, data: Path | str, target: Path) -> "Words":
        """Quote two paths as they were given, so that commands work where they are typed; an address stays as it is."""
        place = os.path.relpath(data.resolve(), target.resolve().parent) if isinstance(data, Path) else data
        return cls(
            data=comment(shlex.quote(str(data))), target=comment(shlex.quote(str(target))), place=place
        )


def toml(value: str | Iterable[str]) -> str:
    """Write a text or a list of them; JSON's escapes are TOML's."""
    plain = value if isinstance(value, str) else list(value)
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(value: str) -> str:
    """Keep a value on its comment line."""
    return "".join(letter if letter.isprintable() else "?" for letter in value)


def facts(column: ColumnLook, rows: int, known: str = "") -> str:
    """Say what was counted in a column; what is known of it need not be said."""
    if column.lists:
        return "lists"
    kind = column.looks or ("numbers" if column.numeric else "numbers with commas" if column.commas else "")
    kind = "" if kind.removesuffix("s") in known else kind
    says = [kind] if kind else []
    says.append("a value of its own in every row" if column.identifier else _count(column.distinct, "value"))
    if column.missing:
        says.append(f"{int(column.missing * rows):,} missing")
    return ", ".join(says)


def about(column: ColumnLook, rows: int) -> str:
    """Comment on a column that is left out."""
    return f"# {comment(column.name)}: {facts(column, rows)}"


def listed(name: str, guesses: Sequence[RoleGuess], rows: int) -> str:
    """Write a list of columns, a line for each with what it was taken for."""
    return "\n".join([f"{name} = [", *lines(guesses, rows), "]"])


def lines(guesses: Sequence[RoleGuess], rows: int) -> list[str]:
    """Write a line for each column: its name, what it was taken for and how surely, and what was counted in it."""
    names = [f"{toml(guess.column.name)}," for guess in guesses]
    width = min(max(map(len, names), default=0), _WIDEST)
    return [
        f"    {name:<{width}}  # {_taken(guess, rows)}" for name, guess in zip(names, guesses, strict=True)
    ]


def _taken(guess: RoleGuess, rows: int) -> str:
    about = f"{guess.about} ({guess.sure}): " if guess.about else ""
    many = guess.role == "known" and not guess.column.identifier and guess.column.distinct > MANY_VALUES
    return about + facts(guess.column, rows, guess.about) + (": nearly identifies people" if many else "")


def reading(seen: Look, place: str, kind: str) -> str:
    """Write how the data are read, as far as it is not what giveaway does by itself."""
    lines = [f"data = {toml(place)}", f'kind = "{kind}"']
    lines += [f"table = {toml(seen.table)}"] if seen.table is not None else []
    lines += [f"query = {toml(seen.query)}"] if seen.query is not None else []
    guess = "    # a guess: the file is not UTF-8"
    if seen.encoding != "utf-8":
        lines.append(f"encoding = {toml(seen.encoding)}{guess if seen.encoding_guessed else ''}")
    if seen.separator is not None and not seen.sniffed:
        lines.append(f"separator = {toml(seen.separator)}")
    if not seen.header:
        lines.append("header = false    # a guess: the first line holds values, not names")
    if len(seen.missing) > 1:
        lines.append(f"missing = {toml(seen.missing)}    # what marks a gap")
    return "\n".join(lines)


def _count(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"
