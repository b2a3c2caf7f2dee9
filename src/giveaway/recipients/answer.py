"""The answer for several recipients: each release judged next to the others, who learns what when some collude, and files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from giveaway import publish
from giveaway._version import SCHEMA, __version__
from giveaway.assessment import LISTED, Assessment, Reported
from giveaway.attacks.wording import counted
from giveaway.errors import NoSafeRelease, NotWritten
from giveaway.model.answer.verdict import in_words, overall
from giveaway.model.answer.withheld import withheld
from giveaway.model.data.arrays import Ints
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import some_rows
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import SamePeople
from giveaway.model.release.withheld import Withheld
from giveaway.publish import Drawn, RecipientPart, Report, Written
from giveaway.recipients.matrix import Colluding


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Recipients(Reported):
    """Releases for several recipients who may collude, each judged next to all others."""

    people: SamePeople
    assessments: Mapping[str, Assessment]
    """The answer for each recipient, in which the others are releases that were given away too."""
    matrix: tuple[Colluding, ...]
    """For each attacker what recipients who collude learn; empty where nothing was protected."""
    before: Literal["by itself", "as planned"]
    """What the matrix compares with: the releases as they would be if each were protected by itself."""
    withheld_alone: Mapping[str, Withheld]
    """What would be withheld from each release if it were protected by itself."""
    details: tuple[str, ...]
    """How it was chosen what is withheld, and what is proved of it, for each attacker."""
    refusal: NoSafeRelease | None = None
    written: Mapping[str, Written] | None = None

    @property
    def safe(self) -> bool | None:
        """Whether every release is safe for every attacker, also for recipients who collude; None: that cannot be told."""
        if self.refusal is not None:
            return False
        return overall(one.safe for one in self.assessments.values()) if self.matrix else None

    @property
    def verdict(self) -> str:
        """The verdict in words: safe, at risk, or cannot judge."""
        return in_words(self.safe)

    @property
    def was_drawn(self) -> bool:
        """Whether it was drawn by lot whose entries are withheld, so that the draw must be kept."""
        return any(one.was_drawn for one in self.assessments.values())

    def __getitem__(self, name: str) -> Assessment:
        """Return the answer for one recipient."""
        return self.assessments[name]

    def to_dict(self, *, exposures: int | None = LISTED) -> dict[str, Any]:
        """Return everything as plain values: the matrix, and the Summary of each release."""
        return {
            "schema": SCHEMA,
            "giveaway": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "verdict": self.verdict,
            "joined_by": self.people.joined_by,
            "linked": self.people.linked,
            "before": self.before,
            "matrix": [one.to_dict() for one in self.matrix],
            "details": list(self.details),
            "recipients": [
                {
                    "name": name,
                    "withheld": _counts(one.release),
                    "withheld_alone": _counts(replace(one.release, withheld=self.withheld_alone[name]))
                    if name in self.withheld_alone
                    else None,
                    "summary": one.to_dict(exposures=exposures),
                }
                for name, one in self.assessments.items()
            ],
            "no_safe_release": self.refusal
            and {
                "reason": self.refusal.reason,
                "helps": [str(one) for one in self.refusal.helps],
                "proved": self.refusal.proved,
            },
        }

    def to_json(self, path: str | Path | None = None, *, exposures: int | None = LISTED) -> str:
        """Return everything as JSON text, and write it, for its owner alone, when a path is given."""
        text = json.dumps(self.to_dict(exposures=exposures), indent=1, ensure_ascii=False, allow_nan=False)
        return self._written(path, text + "\n", publish.OWNERS)

    def to_html(self, path: str | Path | None = None, *, public: bool = False) -> str:
        """Return the report as one HTML page, and write it when a path is given.

        The public edition holds nothing that was measured: recipients have numbers, and nothing is said of other plans.
        """
        from giveaway.report.html import recipients as page

        text = page.render(self.to_dict(), edition="public" if public else "owner")
        return self._written(path, text, publish.EVERYBODYS if public else publish.OWNERS)

    def write_reports(
        self,
        *,
        json: str | Path | None = None,
        html: str | Path | None = None,
        public_html: str | Path | None = None,
        exposures: int | None = LISTED,
        force: bool = False,
    ) -> None:
        """Write what is saved and the reports; files that stand there are replaced only with `force`, and data never."""
        reports = self._reports(json, html, public_html, exposures, force=force)
        self._check(reports, force=force)
        publish.write_texts([report.text(self.written) for report in reports])

    def publish(
        self,
        folder: str | Path,
        *,
        format: str | None = None,
        force: bool = False,
        key: str | Path | None = None,
        json: str | Path | None = None,
        html: str | Path | None = None,
        public_html: str | Path | None = None,
        exposures: int | None = LISTED,
    ) -> "Recipients":
        """Write each release into a folder of its own inside of one, once the independent checker has agreed to all of them.

        The checker reads the written files of all recipients and joins them by itself. Either everything is written or
        nothing is. The rest is as in `publish` of an assessment.
        """
        if self.safe is not True:
            raise NotWritten(
                f"The releases are not safe together ({self.verdict}), so nothing was written.",
                hint="protect them first: ga.protect_together(...).publish(folder).",
            )
        folder, places = Path(folder), publish.owners_files(folder, key)
        reports = self._reports(json, html, public_html, exposures, force=force)
        publish.recover(publish.final_place(folder))
        self._check(reports, force=force, folder=folder, key=places[0])
        shown = {
            name: one if format is None else one.in_format(format) for name, one in self.assessments.items()
        }
        _check_layouts(shown)
        drawn = {name: one.drawn(places) for name, one in self.assessments.items()}
        publish.refuse_second_draw(places, [(drawn[name], one.release) for name, one in shown.items()])
        streams = [report for report in reports if publish.is_stream(report.path)]
        written = publish.publish_several(
            folder,
            {name: self._part(name, shown, drawn) for name in shown},
            manifest=self._manifest(publish.final_place(folder).name),
            force=force,
            key=places[0],
            reports=[report for report in reports if report not in streams],
        )
        publish.write_texts([report.text(written) for report in streams])
        return self._with(written)

    def _part(self, name: str, shown: Mapping[str, Assessment], drawn: Mapping[str, Drawn]) -> RecipientPart:
        one = shown[name]

        def judge(files: Mapping[str, Path]) -> Mapping[str, int]:
            others = tuple(
                self._as_written(other, name, shown[other].release, drawn[other], files[other])
                for other in shown
                if other != name
            )
            release = replace(one.release, earlier=others)
            return replace(one, release=release).judge(files[name], drawn[name])

        return RecipientPart(
            write=lambda place: publish.write_release(one.release, place, drawn[name]),
            judge=judge,
            manifest=self._manifest_of(name),
            drawn=drawn[name],
            separator=one.separator,
        )

    def _as_written(self, other: str, now: str, release: Release, drawn: Drawn, file: Path) -> Earlier:
        """Return the release of another recipient as its file has it, in the order of its rows there."""
        rows = self.people.row_now(other, now)
        if drawn.order is not None:
            rows, release = rows[drawn.order], _in_order(release, drawn.order)
        origin = self.people.releases[other].original.origin
        missing = ("",) if origin is None else tuple(dict.fromkeys((*origin.layout.missing, "")))
        earlier = self.people.earlier(other, now)
        return Earlier(
            replace(release, earlier=()),
            name=other,
            linked=earlier.linked,
            facts=earlier.facts,
            changes=earlier.changes,
            rows=rows + 1,
            joined_by=earlier.joined_by,
            codes=drawn.codes,
            place=other,
            file=file,
            missing=missing,
        )

    def _manifest(self, name: str) -> dict[str, Any]:
        """Say what was promised of all releases together."""
        first = next(iter(self.assessments.values())).manifest(name)
        content = {word: first[word] for word in ("schema", "giveaway", "name", "verdict", "attackers")}
        return content | {"recipients": list(self.assessments)}

    def _manifest_of(self, name: str) -> dict[str, Any]:
        """Say what was promised of one release; its readers need not know who else has one."""
        many = len(self.assessments)
        content = self.assessments[name].manifest(name)
        judged = {
            "what": "other releases",
            "says": f"releases other than the {many} that were planned at once",
        }
        others = [one for one in content["not_judged"] if one["what"] != "other releases"]
        return content | {"not_judged": [*others, judged], "planned_at_once": many}

    def _with(self, written: Mapping[str, Written] | None) -> "Recipients":
        if written is None:
            return self
        assessments = {name: replace(one, written=written[name]) for name, one in self.assessments.items()}
        return replace(self, written=written, assessments=assessments)

    def _check(self, reports: list[Report], **places_and_force: Any) -> None:
        files = {f"report {place}": report.path for place, report in enumerate(reports, 1)}
        origins = [one.release.original.origin for one in self.assessments.values()]
        read = [origin.path for origin in origins if origin is not None and origin.path is not None]
        publish.Outputs(files=files, **places_and_force).check(read)

    def __repr__(self) -> str:
        return f"<Recipients: {self.verdict}, {counted(len(self.assessments), 'recipients')}>"

    def __str__(self) -> str:
        from giveaway.report.terminal import recipients as screen

        return screen.render(self.to_dict())

    def _repr_html_(self) -> str:
        from giveaway.report.html import recipients as page

        return page.matrix_alone(self.to_dict(exposures=0))


def _in_order(release: Release, order: Ints) -> Release:
    """Return a release whose rows stand in another order."""
    data = release.original
    if isinstance(data, Table):
        return some_rows(release, order)
    if not isinstance(data, Transactions) or data.record_of is None:
        return release
    return replace(release, original=replace(data, record_of=data.record_of[order]))


def _counts(release: Release) -> dict[str, int]:
    """Count what is withheld from a release."""
    counts = withheld(release, 0)
    return {
        "entries": counts["cells_total"],
        "coarser": counts["coarser_total"],
        "items": len(counts["items"]),
    }


def _check_layouts(shown: Mapping[str, Assessment]) -> None:
    """Refuse baskets that would be written in different forms: the checker reads all of them as it reads the first."""
    layouts = {}
    for name, one in shown.items():
        original = one.release.original
        if not isinstance(original, Table) and original.origin is not None:
            layouts[name] = replace(original.origin.layout, others={}, left_out=())
    if len(set(map(repr, layouts.values()))) > 1:
        raise NotWritten(
            "The releases would be written in different forms, and baskets of different forms are not checked together.",
            hint="--format names one form for all of them.",
        )
