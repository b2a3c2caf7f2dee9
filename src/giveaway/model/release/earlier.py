"""A release that was given away before, as its readers have it, and how its rows belong to the rows of the release now."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.data.alike import joinable_rows
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.fields import check_word
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement

Linked = Literal["rows", "people", "unknown", "nobody"]
"""Whether the rows of a person can be joined, only the people are known to be the same, nobody knows, or nobody is in both."""
Facts = Literal["other", "same"]
"""Whether transactions are of another period, or the same ones with other items withheld."""
JoinedBy = Literal["ledger", "id", "row number"]

_WORDS: dict[str, tuple[str, ...]] = {
    "linked": ("rows", "people", "unknown", "nobody"),
    "facts": ("other", "same"),
    "already": ("refuse", "accept"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Population:
    """Who joined and who left since an earlier release: as records where they are known, else how many.

    Numbers alone say how many; `joined` then names records of the release now, `left` records of the earlier one.
    """

    joined: tuple[Label, ...] | int = 0
    left: tuple[Label, ...] | int = 0


@dataclass(frozen=True, eq=False, init=False)
class Earlier:
    """A release that was given away before, or is planned for somebody else.

    Parameters:
        shown: what its readers have: a Release, or a Table or Transactions with what was withheld missing, or
            PublishedRules.
        name: how sentences call it, as in "2025".
        linked: "rows" where the rows of one person can be joined, "people" where only the people are known to be
            the same, "nobody" where no person is in both, "unknown" where that is not known ("unknown").
        facts: of transactions: "other" if they are of another period, "same" if they are the same ones ("other").
        changes: the columns of a table whose values may differ between the two.
        rows: for each of its rows the row of the release now, counted from 1, and 0 for whoever has left; without
            it rows are joined by the identifiers of both tables, or by number where both have kept their order.
        original: the data that it was made of, row by row, where a column of it is not among the data now; where
            nobody knows whose row is whose, row by row of the release now; of rules, a table of those who left.
        statements: what was published with its rules.
        renamed: whether it published codes instead of items.
        codes: the code of each item, where it did and where they are known; `shown` then has the items themselves.
        same_codes: whether the release now publishes the codes of this one again, so that whoever has both can tell which
            codes stand for the same item; `shown` then has the items themselves (False).
        order: of its rows: "kept" as in its original, or "shuffled".
        population: who joined and who left since (nobody).
        joinable: how many rows can be joined by what both show, where columns that are not judged tell it.
        already: whether what it gave away already is refused, or accepted and told ("refuse").

    >>> import giveaway as ga
    >>> people = ga.Table.from_rows([{"age": 30, "job": "cook"}, {"age": 40, "job": "cook"}])
    >>> ga.Earlier(ga.Release(people), name="2025", linked="rows").shown.columns["job"].tolist()
    [0, 0]
    """

    shown: Table | Transactions | Supports | None
    """The rows that its readers have, what was withheld missing; None where rules were published instead."""
    rules: PublishedRules | None
    statements: tuple[Statement, ...]
    name: str
    linked: Linked
    facts: Facts
    changes: tuple[str, ...]
    rows: Ints | None
    """For each row the row of the release now, counted from 0, or -1; None where ids tell it, or nobody does."""
    joined_by: JoinedBy | None
    """What said so, where something did."""
    original: Table | Transactions | Supports | None
    in_order_of_now: bool
    """Whether `original` stands row by row of the release now where nobody knows whose row is whose."""
    renamed: bool
    codes: Mapping[Label, str] | None
    same_codes: bool
    order: Literal["kept", "shuffled"] | None
    population: Population
    joinable: int | None
    already: Literal["refuse", "accept"]
    place: str
    """Where it was read from."""
    file: Path | None
    """Its main file, where it was read from one."""
    missing: tuple[str, ...]
    """What counts as missing in it."""
    sha256: str | None
    """The hash of its manifest, or of its file where it has none."""
    has_manifest: bool

    def __init__(
        self,
        shown: Release | Table | Transactions | Supports | PublishedRules,
        *,
        name: str = "the earlier release",
        linked: Linked = "unknown",
        facts: Facts = "other",
        changes: Iterable[str] = (),
        rows: Iterable[int] | None = None,
        original: Table | Transactions | Supports | None = None,
        statements: Iterable[Statement] = (),
        renamed: bool = False,
        codes: Mapping[Label, str] | None = None,
        same_codes: bool = False,
        order: Literal["kept", "shuffled"] | None = None,
        population: Population | None = None,
        joinable: int | None = None,
        already: Literal["refuse", "accept"] = "refuse",
        joined_by: JoinedBy | None = None,
        place: str = "memory",
        file: Path | None = None,
        missing: tuple[str, ...] = ("",),
        sha256: str | None = None,
        has_manifest: bool = False,
    ) -> None:
        refuse_chance(linked)
        for word, answer in {"linked": linked, "facts": facts, "already": already}.items():
            check_word(word, answer, _WORDS[word])
        statements = tuple(statements)
        in_order_of_now = original is not None
        if isinstance(shown, Release):
            original, order = original or shown.original, order or shown.order
            statements = statements or shown.published_statements
            seen, renamed = shown.published, renamed or shown.renamed
        else:
            seen = shown
        numbers = None if rows is None else np.fromiter(rows, np.int64) - 1
        vars(self).update(
            shown=None if isinstance(seen, PublishedRules) else seen,
            rules=seen if isinstance(seen, PublishedRules) else None,
            statements=statements,
            name=name,
            linked=linked,
            facts=facts,
            changes=tuple(changes),
            rows=numbers,
            joined_by=joined_by if numbers is None or joined_by is not None else "row number",
            original=original,
            in_order_of_now=in_order_of_now,
            renamed=renamed,
            codes=codes,
            same_codes=same_codes,
            order=order,
            population=population or Population(),
            joinable=joinable,
            already=already,
            place=place,
            file=file,
            missing=missing,
            sha256=sha256,
            has_manifest=has_manifest,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it shows, where it is a table."""
        return tuple(self.shown.columns) if isinstance(self.shown, Table) else ()

    @property
    def ways(self) -> tuple[Literal["rows", "people"], ...]:
        """How its rows and those of the release now are looked at together: neither way bounds the other."""
        if self.linked == "nobody":
            return ()
        return ("rows", "people") if self.linked == "unknown" else (self.linked,)

    def check(self, now: Release) -> None:
        """Refuse what is said of it and a release now where that cannot be, or cannot be judged."""
        same_form = (self.rules is None) == (now.rules is None) and (
            self.shown is None or isinstance(self.shown, Table) == isinstance(now.original, Table)
        )
        if not same_form:
            forms = [_form(self.shown), _form(None if now.rules is not None else now.original)]
            raise ScenarioError(
                f"{self.name} is {forms[0]}, and the release now is {forms[1]}.",
                hint="releases of the same kind are judged together; leave the other out.",
                field="release",
            )
        if self.same_codes and not (self.renamed and now.renamed):
            raise ScenarioError(
                f"{self.name} {'and the release now do' if not now.renamed else 'does'} not publish codes that could be used again.",
                hint='leave codes = "same" out.',
                field="codes",
            )
        both_kept = self.order == "kept" and now.shows_order
        if (
            self.linked == "people"
            and both_kept
            and self.shown is not None
            and len(self.shown) == len(now.original)
        ):
            raise ScenarioError(
                f"{self.name} and the release now keep the order of their rows and have as many: rows can be joined by their "
                "numbers.",
                hint='say linked = "rows", or order = "shuffled" for the release now.',
                field="linked",
            )
        if (
            now.renamed
            and not self.renamed
            and self.shown is not None
            and self.facts == "same"
            and self.linked != "nobody"
        ):
            raise ScenarioError(
                f"{self.name} shows the names of the items of the same transactions, and now codes are published: nearly all "
                "codes could be undone.",
                hint='publish names, or say facts = "other" if they are of another period.',
                field="facts",
            )

    def told(self, now: Release) -> dict[str, Any]:
        """Return its part of the Summary."""
        joined_by = self.joins_by(now)
        judged_by_rows = "rows" in self.ways and self.shown is not None
        return {
            "name": self.name,
            "release": self.place,
            "sha256": self.sha256,
            "linked": self.linked,
            "facts": self.facts if isinstance(self.shown, Transactions) else "same",
            "changes": list(self.changes),
            "already": self.already,
            "rows": None if self.shown is None else len(self.shown),
            "joined_by": joined_by or ("bound" if judged_by_rows and isinstance(self.shown, Table) else None),
            "joinable_rows": self._joinable(now),
            "population": self._counted(now),
        }

    def _joinable(self, now: Release) -> int | None:
        """Count the rows that everybody can join; None where the two have no rows of the same facts."""
        shown, published = self.shown, now.published
        if self.joinable is not None or self.linked == "nobody":
            return self.joinable
        if isinstance(shown, Table) and isinstance(published, Table):
            return joinable_rows(shown, published)
        if self.facts == "same" and isinstance(shown, Transactions) and isinstance(published, Transactions):
            return joinable_rows(shown, published)
        return None

    def _counted(self, now: Release) -> dict[str, int | None]:
        """Count who is in both, who joined and who left: by the rows, or by what is said."""
        from giveaway.model.release.whose_rows import who_changed  # which knows earlier releases

        size = len(now.original)
        changed = who_changed(now, self)
        if changed is not None:
            return {"both": size - changed[0], "joined": changed[0], "left": changed[1]}
        if self.linked == "nobody":
            return {"both": 0, "joined": None, "left": None}
        moved = self.population
        joined, left = (who if isinstance(who, int) else len(who) for who in (moved.joined, moved.left))
        if self.shown is not None and len(self.shown) - left != size - joined:
            return dict.fromkeys(("both", "joined", "left"))  # nobody says who joined and who left
        return {"both": size - joined, "joined": joined, "left": left}

    def joins_by(self, now: Release) -> JoinedBy | None:
        """Tell by what its rows are joined with those of the release now; None where nobody says whose they are."""
        table, earlier = now.original, self.shown
        if self.rows is not None:
            return self.joined_by
        if isinstance(table, Table) and isinstance(earlier, Table) and table.id and earlier.id:
            return self.joined_by or "id"
        kept = self.order == "kept" and earlier is not None and len(earlier) == len(table)
        return "row number" if kept else None

    def row_now(self, now: Release) -> tuple[Ints | None, JoinedBy | None]:
        """Return for each of its rows the row of the release now, counted from 0 or -1, and by what they were joined."""
        by, table, earlier = self.joins_by(now), now.original, self.shown
        if self.rows is not None or by is None:
            return self.rows, by
        if by == "row number":
            return np.arange(len(table)), by
        assert isinstance(table, Table) and isinstance(earlier, Table)  # noqa: S101, PT018 # they have ids

        def by_id() -> Ints:
            return table.ids_as_texts(table.called).places(earlier.ids_as_texts(self.name))

        return table.remember(f"rows of {self.name}", self, by_id), by


def refuse_chance(linked: object) -> None:
    """Refuse a stated chance of being in both releases: whoever attacks may know better."""
    number = re.sub(r"[\s%/.,]", "", str(linked))
    if number.isdigit():
        raise ScenarioError(
            f"linked = {linked!r} is a chance that somebody is in both releases, and whoever attacks may know who is.",
            exists=", ".join(_WORDS["linked"]),
            hint='linked = "unknown" judges what could be known; population says how many joined and left.',
            field="linked",
        )


def _form(shown: object) -> str:
    return "rules" if shown is None else "a table" if isinstance(shown, Table) else "transactions"
