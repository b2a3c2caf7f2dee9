"""The answer the owner holds: every attacker judged on one release, and its conversions."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from giveaway import publish
from giveaway._version import SCHEMA, __version__
from giveaway.attacks.asked import by_itself, needs_in_words
from giveaway.attacks.not_judged import not_judged, unjudged
from giveaway.attacks.wording import counted
from giveaway.errors import NoSafeRelease, NotWritten, ScenarioError
from giveaway.finding import Exposures, Finding
from giveaway.model.answer.columns import grouped, variables
from giveaway.model.answer.nouns import speaking_of
from giveaway.model.answer.plain import plain
from giveaway.model.answer.verdict import in_words, overall
from giveaway.model.answer.withheld import as_stated, withheld
from giveaway.model.data.origin import StoredTable
from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.progress import is_watched, limited, watched
from giveaway.model.published import Published
from giveaway.model.question.effort import Effort
from giveaway.model.question.filing import Filing
from giveaway.model.question.need import Need
from giveaway.model.release.counts import counts, terms
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld
from giveaway.publish import Drawn, Report, Written

LISTED = 100

_COUNTED = ("rows", "columns", "items", "empty", "rules")
"""What the manifest counts: only what the released files themselves show."""


class Reported(ABC):
    """An answer that becomes files: saved as JSON, and drawn as pages."""

    def _written(self, path: str | Path | None, text: str, mode: int) -> str:
        """Write a text when a path is given, never over the data, and return it."""
        if path is not None:
            report = Report(path=Path(path), mode=mode, render=lambda _: text, replaces=True)
            self._check([report], force=True)
            publish.write_texts([report.text(None)])
        return text

    def _reports(
        self,
        json: str | Path | None,
        html: str | Path | None,
        public_html: str | Path | None,
        exposures: int | None,
        *,
        force: bool,
    ) -> list[Report]:
        """Return the reports that are asked for, to be drawn when it is known what was written."""
        asked = (
            (json, publish.OWNERS, lambda written: self._with(written).to_json(exposures=exposures)),
            (html, publish.OWNERS, lambda written: self._with(written).to_html()),
            (public_html, publish.EVERYBODYS, lambda written: self._with(written).to_html(public=True)),
        )
        return [
            Report(path=Path(path), mode=mode, render=render, replaces=force)
            for path, mode, render in asked
            if path is not None
        ]

    @abstractmethod
    def _with(self, written: Any) -> Any:
        """Return the same with what was written noted."""

    @abstractmethod
    def _check(self, reports: list[Report], **places_and_force: Any) -> None:
        """Refuse places that must not be written to."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Assessment(Reported):
    """All attackers judged on one release.

    >>> import giveaway as ga
    >>> baskets = ga.Transactions.from_lists([["a", "s"], ["a"], ["a", "b"]], private=["s"])
    >>> found = ga.assess(ga.Release(baskets), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    >>> found.safe, found.exposures[0].because
    (False, 'Exactly 1 of 3 transactions holds it.')
    """

    release: Release
    findings: tuple[Finding, ...]
    effort: Effort
    needs: tuple[Need, ...] = ()
    seconds: float
    before: tuple[Finding, ...] | None = None
    written: Written | None = None
    refusal: NoSafeRelease | None = None
    """Why protecting came to nothing."""
    filing: Filing | None = None
    """What the owner adds to the document for a review."""
    scenario: Mapping[str, Any] | None = None
    """The scenario file that was asked about: its name, text, sha256 and the settings that changed it."""
    suggestions: tuple[Any, ...] | None = None
    """The rungs of the ladder of limits, where they were asked for."""

    @property
    def safe(self) -> bool | None:
        """Whether every attacker is within tolerance; None when that cannot be told."""
        return overall(finding.safe for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The verdict in words: safe, at risk, or cannot judge."""
        return in_words(self.safe)

    @property
    def exposures(self) -> Exposures:
        """What the attackers learn, as a sequence that also makes frames."""
        return Exposures(self.findings)

    @property
    def withheld(self) -> Withheld:
        """What the release withholds."""
        return self.release.withheld

    @property
    def kept(self) -> dict[str, dict[str, int]]:
        """What is kept, by attack."""
        return {f.attack.name: dict(f.risk.kept) for f in self.findings if f.risk is not None}

    def released(self) -> Any:
        """Return the released data as the same kind of object as the original came in, or the released rules.

        The rows are in a new random order with each call, unless the order is kept; frames have no index.
        """
        if self.release.rules is not None:
            from giveaway.sources.side_files.rule_lists import released_rules

            return released_rules(self.release)
        if self.release.renamed:
            raise NotWritten(
                "A renamed release is given out as files only: in memory the items have their names.",
                hint="write it with publish(folder).",
            )
        if self.release.categories:
            raise NotWritten(
                "A release with categories is given out as files only: in memory the items have their own names.",
                hint="write it with publish(folder).",
            )
        origin = self.release.original.origin
        if origin is None:
            raise NotWritten("These data were built by hand and have no form to return to.")
        shown, order = publish.coarser_texts(self.release), publish.draw_order(self.release)
        rows = Published(self.withheld.items, order=order, cells=self.release.hidden, levels=shown)
        return origin.native(rows)

    @property
    def was_drawn(self) -> bool:
        """Whether it was drawn by lot whose entries are withheld, so that the draw must be kept."""
        return any(f.protection is not None and f.protection.drawn for f in self.findings)

    def to_dict(self, *, exposures: int | None = LISTED, lists: bool = True) -> dict[str, Any]:
        """Return the Summary, listing at most `exposures` exposures of each attacker (None: all).

        The lists among the figures, such as rules, are cut in the same way; `lists` says whether what figures count is named
        too, one by one. What only a report shows is worked out now, within the seconds that the effort allows; what they
        do not suffice for is named under `not_computed`.
        """
        summary = self._summary(exposures)
        with self._working_out():
            for finding, part in zip(self.findings, summary["findings"], strict=True):
                part.update(finding.details(exposures=exposures, lists=lists))
            for finding, part in zip(self.before or (), summary["before"] or (), strict=True):
                part.update(finding.details(exposures=exposures, lists=lists, after=self.release))
        return summary

    def for_screen(self, *, values: bool) -> dict[str, Any]:
        """Return what of the Summary a terminal shows, or a log, which shows no value: nothing else is worked out."""
        from giveaway.report.terminal.screen import parts

        listed = LISTED if values else 0
        summary = self._summary(listed)
        only = parts(summary, values=values)
        with self._working_out():
            for finding, part in zip(self.findings, summary["findings"], strict=True):
                part.update(finding.details(exposures=listed, lists=False, only=only))
        return summary

    def _summary(self, exposures: int | None) -> dict[str, Any]:
        with speaking_of(self.release.words):
            earlier = {"earlier": [one.told(self.release) for one in self.release.earlier]}
            return self.headline() | self._about(exposures) | earlier

    def headline(self) -> dict[str, Any]:
        """Return the part of the Summary that the lines of the verdict need; the rest is not worked out.

        >>> import giveaway as ga
        >>> release = ga.Release(ga.Transactions.from_lists([["a"], ["a"], ["b"]]))
        >>> ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")).headline()["verdict"]
        'at risk'
        """
        with speaking_of(self.release.words):
            return self._about(0) | {
                "findings": [finding.headline() for finding in self.findings],
                "before": self.before and [finding.headline() for finding in self.before],
            }

    @contextmanager
    def _working_out(self) -> Iterator[None]:
        """Work out what only a report shows, within the seconds allowed and told to whoever watches the assessment."""
        progress = self.effort.progress
        watcher = watched(progress) if callable(progress) and not is_watched() else nullcontext()
        with watcher, limited(seconds=self.effort.seconds), speaking_of(self.release.words):
            yield

    def _about(self, exposures: int | None) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "giveaway": __version__,
            "verdict": self.verdict,
            "not_judged": self._not_judged(),
            "date": datetime.now(UTC).date().isoformat(),
            "data": self._data(),
            "seed": self.effort.seed,
            "seconds": round(self.seconds, 3),
            "scenario": self.scenario and dict(self.scenario),
            "filing": self.filing and plain(self.filing),
            "suggestions": self.suggestions and [rung.to_dict() for rung in self.suggestions],
            "need": [plain(need) for need in self.needs] or None,
            "need_says": needs_in_words(self.needs),
            "withheld": withheld(self.release, exposures),
            "released": counts(self.release),
            "written": self.written and plain(self.written),
            "no_safe_release": self.refusal
            and {
                "reason": self.refusal.reason,
                "helps": [{"says": str(one), "set": list(one.set)} for one in self.refusal.helps],
                "proved": self.refusal.proved,
            },
        }

    def _not_judged(self, *, shared: bool = False) -> list[dict[str, Any]]:
        return not_judged(
            self.release, [(f.attack, f.attacker, f.tolerance) for f in self.findings], shared=shared
        )

    def _data(self) -> dict[str, Any]:
        original = self.release.original
        origin, others = original.origin, unjudged(self.release)
        facts: dict[str, Any] = (
            {"kind": "table", "rows": len(original), "columns": len(original.columns) + len(others)}
            if isinstance(original, Table)
            else {"kind": "transactions", "rows": len(original), "items": len(original.labels)}
        )
        if isinstance(original, Supports):
            facts["kind"] = "supports"
        return facts | {
            "unjudged": len(others),
            "sha256": origin and origin.sha256,
            "name": origin.name if origin else "memory",
            **({"words": words} if (words := self.release.words.to_dict()) else {}),
            **(self._of_table(original) if isinstance(original, Table) else {}),
        }

    def _of_table(self, table: Table) -> dict[str, Any]:
        """Tell what each column is, what was put into classes, and where nearly everybody is alone because nothing was."""
        crowd = max((finding.tolerance.smallest_crowd for finding in self.findings), default=1)
        known = {column for finding in self.findings for column in finding.attacker.looks_at(table)}
        columns = variables(table, known, unjudged(self.release))
        return {"variables": columns} | grouped(
            table, [name for name in table.columns if name in known], crowd
        )

    def to_json(self, path: str | Path | None = None, *, exposures: int | None = LISTED) -> str:
        """Return the Summary as JSON text, and write it, for its owner alone, when a path is given."""
        text = json.dumps(self.to_dict(exposures=exposures), indent=1, ensure_ascii=False, allow_nan=False)
        return self._written(path, text + "\n", publish.OWNERS)

    def to_html(self, path: str | Path | None = None, *, public: bool = False) -> str:
        """Return the report as one HTML page, and write it when a path is given.

        The owner's edition names exposures, and only its owner may read the file; the public edition holds no value
        of the data.
        """
        from giveaway.report.html import document as html

        page = html.render(self.to_dict(), edition="public" if public else "owner")
        return self._written(path, page, publish.EVERYBODYS if public else publish.OWNERS)

    def to_review(
        self, path: str | Path | None = None, *, filing: Filing | None = None, force: bool = False
    ) -> str:
        """Return the document for a review as one HTML page, and write it, as `.html` or `.docx`, when a path is given.

        `filing` is the owner's part, unless the assessment has one. The document names exposures: only its owner may
        read the file, which is replaced only with `force`.
        """
        from giveaway.report import review

        summary = replace(self, filing=filing or self.filing).to_dict()
        if path is not None:
            place, form = Path(path), review.form_of(Path(path))
            report = Report(path=place, mode=publish.OWNERS, render=lambda _: "", replaces=force)
            self._check([report], force=force)
            text = review.render(summary, form)
            publish.write_texts([publish.Text(path=place, text=text, mode=publish.OWNERS, replaces=force)])
        return str(review.render(summary, "html"))

    def write_withheld(self, path: str | Path) -> None:
        """Write what is withheld, for its owner alone, as the file that `withheld` in [release] of a scenario names.

        Of transactions that is one item a line, of a table one entry. A file that stands there is replaced.
        """
        self._written(path, as_stated(self.release), publish.OWNERS)

    def write_reports(
        self,
        *,
        json: str | Path | None = None,
        html: str | Path | None = None,
        public_html: str | Path | None = None,
        exposures: int | None = LISTED,
        force: bool = False,
    ) -> None:
        """Write the Summary, listing at most `exposures` exposures of each attacker, and the reports.

        Files that stand there are replaced only with `force`, and the data never.
        """
        reports = self._reports(json, html, public_html, exposures, force=force)
        self._check(reports, force=force)
        publish.write_texts([report.text(self.written) for report in reports])

    def to_pandas(self) -> Any:
        """Return the exposures as a pandas frame."""
        return self.exposures.to_pandas()

    def to_polars(self) -> Any:
        """Return the exposures as a polars frame."""
        return self.exposures.to_polars()

    def publish(
        self,
        folder: str | Path,
        *,
        format: str | None = None,
        to: Any = None,
        table: str | None = None,
        force: bool = False,
        key: str | Path | None = None,
        json: str | Path | None = None,
        html: str | Path | None = None,
        public_html: str | Path | None = None,
        exposures: int | None = LISTED,
    ) -> "Assessment":
        """Write the released files and their manifest into a folder, once the independent checker has agreed.

        `format` is "csv", "tsv", "parquet", "jsonl" or "dat" (baskets), as far as the rows can be written so; when left
        out, that of the data. With `to`, the address of a database or cluster or a Spark session, the release becomes
        the new table `table` there instead, and the folder holds the manifest. Nothing is written unless the release is
        safe; an existing release is replaced only with `force`, an existing table never. `key` is the owner's file,
        which gets what is drawn: whose entries are withheld, the codes of renamed items and the order of the rows; when left
        out, FOLDER.owner.json next to the folder. A release that it knows, of the same data with the same withheld, is
        written as it was; another one of the same people is refused, unless the one it knows is named as earlier. `json`, `html` and `public_html`
        are files for the Summary, with that many `exposures`, and the reports: they stand if the release does. Returns
        this assessment with the written files or the table named.
        """
        if self.safe is not True:
            raise NotWritten(
                f"The release is not safe ({self.verdict}), so nothing was written.",
                hint="protect it first: ga.protect(...).publish(folder).",
            )
        folder, places = Path(folder), publish.owners_files(folder, key)
        into, shown = None, self if format is None else self.in_format(format, to=to or table)
        if to is not None or table is not None:
            from giveaway.sources.elsewhere import engines

            into = engines("A new table").destination(to, table, self.release)
        reports = self._reports(json, html, public_html, exposures, force=force)
        publish.recover(publish.final_place(folder), into)
        self._check(
            reports, force=force, folder=folder, key=places[0], database=None if into is None else into.file
        )
        drawn = self.drawn(places)
        publish.refuse_second_draw(places, [(drawn, self.release)])
        streams = [report for report in reports if publish.is_stream(report.path)]
        written = publish.publish(
            folder,
            write=lambda place: publish.write_release(shown.release, place, drawn),
            judge=lambda file: shown.judge(file, drawn),
            manifest=self.manifest(publish.final_place(folder).name),
            into=into,
            force=force,
            key=places[0],
            drawn=drawn,
            reports=[report for report in reports if report not in streams],
            separator=shown.separator,
        )
        publish.write_texts([report.text(written) for report in streams])
        return replace(self, written=written)

    def in_format(self, format: str, *, to: object = None) -> "Assessment":
        """Return the same answer for a release that is written in another format."""
        return replace(self, release=_in_format(self.release, format, to=to))

    def drawn(self, places: Sequence[Path]) -> Drawn:
        """Draw codes and order, or take those of the same release that owner's files know."""
        drawn = replace(publish.draw(self.release), scenario=self.scenario)
        before = publish.drawn_before(places, drawn)
        return drawn if before is None else replace(drawn, codes=before.codes, order=before.order)

    @property
    def separator(self) -> str:
        """What stands between the cells of the released file."""
        origin = self.release.original.origin
        return "," if origin is None or self.release.rules is not None else origin.layout.separator

    def _with(self, written: Written | None) -> "Assessment":
        return replace(self, written=written)

    def _check(self, reports: list[Report], **places_and_force: Any) -> None:
        """Refuse places that must not be written to."""
        origin = self.release.original.origin
        files = {f"report {place}": report.path for place, report in enumerate(reports, 1)}
        places = publish.Outputs(files=files, **places_and_force)
        read = [None if origin is None else origin.path, *(one.file for one in self.release.earlier)]
        places.check([path for path in read if path is not None])

    def judge(self, file: Path | StoredTable, drawn: Drawn) -> dict[str, int]:
        """Let the checker read what was written; return the rows of each file, or raise what is wrong."""
        from giveaway import checker  # only who publishes needs it

        promises = [
            checker.Promise(
                attack=f.attack.name,
                attacker=vars(by_itself(f.attacker, self.release)),
                tolerance=f.tolerance,
                with_earlier=vars(f.attacker) if self.release.earlier else None,
            )
            for f in self.findings
        ]
        return checker.judge(file, self.release, promises, drawn.codes, drawn.order)

    def manifest(self, name: str) -> dict[str, Any]:
        """Say what was asked for and promised, and what a reader can count: no values, no hash of the original, no seed.

        Nothing that was measured is in it: all of it follows from the released files and from the question.
        """
        with speaking_of(self.release.words):
            return self._promised(name)

    def _promised(self, name: str) -> dict[str, Any]:
        findings = [
            {
                "attack": f.attack.name,
                "knows": f.attacker.knows_publicly(),
                "tolerance": f.limits(),
                "safe": f.safe,
            }
            for f in self.findings
        ]
        return {
            "schema": SCHEMA,
            "giveaway": __version__,
            "name": name,
            "verdict": self.verdict,
            "not_judged": self._not_judged(shared=True),
            "earlier": [one.sha256 for one in self.release.earlier if one.has_manifest],
            "attackers": findings,
            "counts": {name: count for name, count in counts(self.release).items() if name in _COUNTED},
            "order": self.release.order,
            "renamed": self.release.renamed,
            **terms(self.release),
        }

    def _repr_html_(self) -> str:
        from giveaway.report.html import notebook

        return notebook.render(self.to_dict())

    def __repr__(self) -> str:
        attackers = counted(len(self.findings), "attackers")
        return f"<Assessment: {self.verdict}, {attackers}, {self.withheld} withheld>"

    def __str__(self) -> str:
        from giveaway.report.terminal import screen

        return screen.render(self.for_screen(values=True), exposures=True, quiet=False)


def _in_format(release: Release, format: str, *, to: object) -> Release:
    from giveaway.sources.other_formats import in_format

    if to is not None:
        raise ScenarioError("format is of files, and the release becomes a table.", hint="leave format out.")
    return in_format(release, format)
