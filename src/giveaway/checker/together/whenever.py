"""Sensitive values at some time: of joined rows, which values their files show in any column of a fact that changes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.release.release import Release

Held = frozenset[str]
"""What somebody may have had: texts of values."""


@dataclass(frozen=True, kw_only=True)
class AtSomeTime:
    """One more sensitive column: for each row what its files show, and the classes of that in which each target is."""

    texts: Sequence[str | None]
    classes: Mapping[str, tuple[str, ...]]
    labels: Collection[str]
    """All texts that some row has, or has with fewer files."""


def at_some_time(
    release: Release,
    name: str,
    values: Collection[str],
    rows: Sequence[Sequence[Held]],
    fewer: Sequence[Sequence[Held]],
) -> AtSomeTime:
    """Make the column of rows, each with what each of its files may tell; `fewer` has the same of some of the files."""
    known = {_text(held): held for held in [*rows, *fewer] if any(held)}
    classes = {
        number: tuple(text for text, held in known.items() if any(target & one for one in held))
        for number, target in _targets(release, name, {*values})
    }
    return AtSomeTime(
        texts=[_text(held) if any(held) else None for held in rows],
        classes={number: texts for number, texts in classes.items() if texts},
        labels=[*known],
    )


def meant(value: str, level: int, values: Collection[str], hierarchy: Hierarchy | None) -> Held:
    """Return the values that may be behind a true value that is shown at a level."""
    if not level or hierarchy is None:
        return frozenset([value])
    of = {str(one): labels for one, labels in hierarchy.of.items()}
    return frozenset(one for one in values if one in of and of[one][level - 1] == of[value][level - 1])


def _text(held: Sequence[Held]) -> str:
    return repr(sorted({tuple(sorted(one)) for one in held if one}))


def _targets(release: Release, name: str, values: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Give what must not be told: sensitive values, classes of them, and coarser labels that hold several but not all."""
    classes = release.sensitive_classes.get(name, {})
    chosen = release.sensitive_values
    named = {str(value) for value in chosen or ()}
    for value in sorted(values & named if chosen or (classes and chosen is not None) else values):
        yield f"value {value}", {value}
    for called, members in classes.items():
        yield f"class {called}", {str(member) for member in members}
    hierarchy = release.hierarchies.get(name)
    for level in range(0 if hierarchy is None else hierarchy.depth):
        assert hierarchy is not None  # noqa: S101 # it has levels
        for label in {labels[level] for labels in hierarchy.of.values()}:
            held = {str(one) for one, labels in hierarchy.of.items() if labels[level] == label} & values
            if 1 < len(held) < len(values):
                yield f"level {level} {label}", held
