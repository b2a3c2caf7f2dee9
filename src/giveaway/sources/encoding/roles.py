"""The roles of items and columns: private, domain, published without judgement, left out."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar, get_args

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.data.labels import Label, near_labels
from giveaway.model.data.origin import Rest
from giveaway.sources.files.stored import BLANKS, TextPass, lines_of, stored

Named = TypeVar("Named", bound=Label)

_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which items are private, which belong to the domain, and what becomes of further columns."""

    private: tuple[Label, ...] = ()
    domain: tuple[Label, ...] = ()
    publish_unjudged: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    rest: Rest | None = None
    """What becomes of columns without a role; None refuses them."""

    def private_codes(self, code_of: Mapping[Label, int], domain: Collection[Label]) -> frozenset[int]:
        """Return the codes of the private items; those that never occur must at least be in the domain."""
        unknown = [label for label in self.private if label not in code_of and label not in domain]
        if unknown:
            raise ScenarioError([_unknown_item(label, code_of) for label in unknown])
        return frozenset(code_of[label] for label in self.private if label in code_of)

    def columns(self, id: str | None) -> list[str]:
        """Return the columns that are named by a role, the identifier first."""
        return [*([] if id is None else [id]), *self.publish_unjudged, *self.leave_out]

    def settled(
        self, columns: Sequence[Label], used: Iterable[str | None], *, rest_are_items: bool = False
    ) -> Self:
        """Return the roles with each column in one, as `rest` says where no other is given.

        Refuses roles for columns that do not exist, two roles for one column, and columns without a role.
        """
        named = [name for name in used if name is not None]
        stated = [*named, *self.publish_unjudged, *self.leave_out]
        check_names(stated, columns)
        bare = tuple(str(name) for name in columns if name not in stated)
        if rest_are_items:
            if self.rest is not None:
                raise ScenarioError("rest is given, and every further column is an item.", hint=_ITEMS)
            return self
        if bare and self.rest is None:
            raise ScenarioError([Mistake(f'Column "{name}" has no role.', hint=_NO_ROLE) for name in bare])
        return self.resting(bare)

    def resting(self, columns: Sequence[str]) -> Self:
        """Return the roles with some columns in that of the rest."""
        if self.rest == "leave_out":
            return replace(self, leave_out=(*self.leave_out, *columns))
        return replace(self, publish_unjudged=(*self.publish_unjudged, *columns))


_NO_ROLE = (
    "list it in publish_unjudged to publish it as it is, or in leave_out to keep it out of the release; "
    'rest = "leave_out" does so with all such columns.'
)
_ITEMS = "leave rest out, or say item."


def roles(
    private: Iterable[Label] = (),
    domain: Iterable[Label] = (),
    *,
    private_from: str | os.PathLike[str] | None = None,
    domain_from: str | os.PathLike[str] | None = None,
    publish_unjudged: Iterable[str] = (),
    leave_out: Iterable[str] = (),
    rest: Rest | None = None,
) -> Roles:
    """Gather the roles, reading lists of items from files where told to."""
    if rest is not None and rest not in get_args(Rest):
        raise ScenarioError(f"rest = {rest!r} is unknown.", exists=", ".join(get_args(Rest)))
    return Roles(
        private=(*several("private", private), *_items_in(private_from)),
        domain=(*_each_once("domain", domain), *_items_in(domain_from)),
        publish_unjudged=several("publish_unjudged", publish_unjudged),
        leave_out=several("leave_out", leave_out),
        rest=rest,
    )


def several(name: str, values: Iterable[Named]) -> tuple[Named, ...]:
    """Return the values as a tuple, and refuse a single text, whose letters would be taken for values."""
    if isinstance(values, str | bytes):
        raise ScenarioError(f"{name} is a list of names, not one text.", hint=f'write {name} = ["..."].')
    return tuple(dict.fromkeys(values))


def _each_once(name: str, values: Iterable[Label]) -> tuple[Label, ...]:
    """Return the values as a tuple, and refuse those that are given twice."""
    listed: list[Label] = list(values)
    once = several(name, values if isinstance(values, str | bytes) else listed)
    if len(once) < len(listed):
        twice = next(label for label in once if listed.count(label) > 1)
        raise ScenarioError(f"{name} names {twice!r} twice.", hint="name each item once.")
    return once


def check_names(names: Sequence[str], columns: Sequence[Label]) -> None:
    """Refuse names of columns that do not exist or are given twice."""
    mistakes = []
    for name in dict.fromkeys(names):
        if name not in columns:
            shown = ", ".join(f'"{column}"' for column in columns[:_SHOWN])
            more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
            near = near_labels(name, columns)
            hint = f'did you mean "{near[0]}"?' if near else "names are compared letter by letter."
            mistakes.append(Mistake(f'There is no column "{name}".', f"{shown}{more}", hint))
        elif names.count(name) > 1:
            mistakes.append(Mistake(f'Column "{name}" has two roles.', hint="give it one."))
    if mistakes:
        raise ScenarioError(mistakes)


def _unknown_item(label: Label, known: Mapping[Label, int]) -> Mistake:
    near = near_labels(label, known)
    exists = ", ".join(f'"{other}"' for other in near) or f"{len(known)} other items"
    if near and near[0] != label and str(near[0]) == str(label):
        hint = f"the item in the data is of type {type(near[0]).__name__}, not {type(label).__name__}."
    else:
        hint = "private items are written as in the data; an item that may never occur belongs in domain too."
    return Mistake(f'The private item "{label}" does not occur in the data.', exists, hint)


def _items_in(path: str | os.PathLike[str] | None) -> tuple[str, ...]:
    return () if path is None else read_items(path)


def read_items(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read a list of items, one a line."""
    trimmed = (line.strip(BLANKS) for line in lines_of(TextPass(stored(path))))
    return tuple(dict.fromkeys(item for item in trimmed if item))
