"""Run the examples, tables and figures of the papers again, and compare them with what is printed."""

import csv
import gzip
import io
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from giveaway import flow
from giveaway.errors import ScenarioError
from giveaway.model.progress import tell
from giveaway.papers.paper import Paper
from giveaway.papers.study import Ran, Study
from giveaway.papers.table import PAPERS

T = TypeVar("T")


class Bench:
    """What a study may use: the product from outside, and the files of a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._known: dict[str, Any] = {}

    def once(self, what: str, work: Callable[[], T]) -> T:
        """Return what was worked out before under a name."""
        if what not in self._known:
            self._known[what] = work()
        known: T = self._known[what]
        return known

    def assess(self, release: Any, attackers: Any, tolerance: Any, **how: Any) -> Any:
        """Measure and judge."""
        return flow.assess(release, attackers, tolerance, **how)

    def protect(self, release: Any, attackers: Any, tolerance: Any, **how: Any) -> Any:
        """Withhold until it is within tolerance."""
        return flow.protect(release, attackers, tolerance, **how)

    def table(self, file: str, **how: Any) -> Any:
        """Read a table of the folder."""
        from giveaway.sources import read_table

        return read_table(self._path(file), **how)

    def rows(
        self, file: str, *, names: Sequence[str] | None = None, separator: str = ","
    ) -> list[dict[str, str]]:
        """Read the lines of a file of the folder; it has a header unless the names of its columns are given."""
        path = self._path(file)
        whole = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = io.StringIO(whole.decode("utf-8"))
        return list(csv.DictReader(lines, names, delimiter=separator, skipinitialspace=True))

    def transactions(self, file: str, **how: Any) -> Any:
        """Read transactions of the folder."""
        from giveaway.sources import read_transactions

        return read_transactions(self._path(file), **how)

    def _path(self, file: str) -> Path:
        path = self.find(file)
        if path is None:
            raise ScenarioError(f"{file} is not in the folder with the data of the paper.")
        return path

    def find(self, file: str) -> Path | None:
        """Return where a file of the folder is: below it as named, or in it."""
        if self.folder is None:
            return None
        places = (self.folder / file, self.folder / Path(file).name)
        return next((path for path in places if path.is_file()), None)


def in_order() -> list[Paper]:
    """Return the papers by their numbers."""
    return sorted(PAPERS, key=lambda paper: paper.number)


def paper_of(name: str) -> Paper:
    """Find a paper by its number or by its attack."""
    for paper in PAPERS:
        if name in (paper.number, paper.attack.name):
            return paper
    known = ", ".join(f"{paper.number} ({paper.attack.name})" for paper in in_order())
    raise ScenarioError(f"There is no paper {name}.", exists=known)


def studies_of(paper: Paper, figure: str | None = None) -> Sequence[Study]:
    """Return the studies of a paper, or those with a name such as "figure 5", "5a" or "section 7"; words are matched whole."""
    every = paper.studies()
    if figure is None:
        return every
    kind, number = _name(figure)
    named = [(one, *_name(one.where)) for one in every]
    alike = [(one, its) for one, of, its in named if kind in ("", of)]
    if not kind and any(of == "figure" and _within(its, number) for _, of, its in named):
        alike = [(one, its) for one, of, its in named if of == "figure"]
    chosen = [one for one, its in alike if its == number] or [
        one for one, its in alike if _within(its, number)
    ]
    if not chosen:
        raise ScenarioError(
            f"Paper {paper.number} has no {figure} that can be run again.",
            exists=", ".join(one.where for one in every),
        )
    return chosen


def _name(where: str) -> tuple[str, str]:
    """Return what something of a paper is, a figure or an example, and its number; a number alone is of any kind."""
    first, _, rest = where.casefold().strip(" .").partition(" ")
    kind = {"fig": "figure", "sec": "section"}.get(first.rstrip("."), first)
    return (
        (kind, rest.strip())
        if rest and not re.match(r"\d|[ivx]+\b", first)
        else ("", where.casefold().strip())
    )


def _within(number: str, wanted: str) -> bool:
    """Tell whether something is a part of what is wanted: 5a and "5, left" of 5, and 7.1 of 7, but not 50 of 5 nor VI of V."""
    rest = number.removeprefix(wanted)
    return number.startswith(wanted) and re.match(r"\d|[a-z]{2}|[ivx]", rest or " ") is None


def run(studies: Sequence[Study], folder: Path | None) -> Iterator[Ran]:
    """Run studies one after the other; without their data on stand-ins, or they say which files they need."""
    bench = Bench(folder)
    for place, study in enumerate(studies):
        tell(study.where, place, len(studies))
        missing = tuple(file for file in study.data if bench.find(file) is None)
        started = time.monotonic()
        outcome = None
        if not study.reason and (study.stand_in or not missing):
            outcome = study.run(bench)
        if outcome is not None and missing:
            outcome = outcome.on_other_data()
        yield Ran(study=study, outcome=outcome, missing=missing, seconds=time.monotonic() - started)
