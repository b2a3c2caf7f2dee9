"""The data of the benchmarks: Adult, FEBRL, EPA vehicles, and generated tables and directories of any size."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from benchmarks.attributes import data as census

import giveaway as ga
from giveaway.attacks.directory.candidates.agreement import exact, near
from giveaway.attacks.directory.candidates.count import Matching
from giveaway.attacks.directory.disclosure.best import Case
from giveaway.attacks.directory.disclosure.weights import Form, Weights
from giveaway.attacks.directory.protecting.alike_records import masked
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People

SHARED = census.SHARED
COMPARED = tuple(
    name for name in (*census.CONDITIONS, census.SENSITIVE) if name not in ("education_num", "salary")
)
"""Twelve columns of Adult: all but the weight of the sample, the number of the education and the salary."""
REGISTERS = {
    "four": {"zip": 1_000, "birth": 90, "sex": 2, "family": 5},
    "six": {"zip": 5_000, "birth": 90, "sex": 2, "family": 5, "job": 60, "children": 6},
}
"""The columns of generated registers, and how many values each has."""

_MISSING = 0.03
_USUAL = 0.7


@dataclass(frozen=True, eq=False)
class Coded:
    """Rows of codes, -1 where a value is missing, with the name and the labels of each column."""

    names: tuple[str, ...]
    codes: Codes
    labels: tuple[tuple[Label, ...], ...]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "Coded":
        table = ga.Table.from_frame(frame)
        codes = np.stack([table.columns[name][table.record_of] for name in table.columns], axis=1)
        return cls(tuple(table.columns), codes, tuple(table.labels[name] for name in table.columns))

    def rows(self, chosen: Ints | slice) -> "Coded":
        return Coded(self.names, self.codes[chosen], self.labels)

    def drawn(self, number: int, seed: int) -> Ints:
        return np.random.default_rng(seed).choice(len(self.codes), number, replace=False)

    def table(self) -> ga.Table:
        every = np.arange(len(self.codes))
        return ga.Table(
            columns={
                name: np.ascontiguousarray(self.codes[:, place]) for place, name in enumerate(self.names)
            },
            labels=dict(zip(self.names, self.labels, strict=True)),
            weights=np.ones(len(every), np.int64),
            record_of=every,
        )

    def matching(self, jaro: Fraction | None = None) -> Matching:
        """Return these rows as a directory of people, for records with the same labels."""
        people = People.from_table(self.table(), self.names)
        compare = exact if jaro is None else lambda ours, theirs: near(ours, theirs, jaro)
        agreements = tuple((compare(labels, labels),) for labels in self.labels)
        return Matching(people=people, names=self.names, agreements=agreements, gaps="agree")

    def available(self) -> np.ndarray:
        return masked(self.codes >= 0)


def cases(records: Coded, matching: Matching, each: np.ndarray, form: Form) -> Iterator[Case]:
    """Put the question what each record had best disclose."""
    for signature, weights, available in zip(
        matching.signatures(records.codes), each, records.available().tolist(), strict=True
    ):
        yield Case(
            signatures=(signature,), prior=None, weights=Weights(form, weights), available=int(available)
        )


def adult_path(folder: Path) -> Path:
    return census.path_of(folder)


def febrl_path(folder: Path, number: int) -> Path:
    return folder / "dictionary" / f"febrl{number}.csv.gz"


def epa_path(folder: Path) -> Path:
    return folder / "dictionary" / "epa_vehicles.csv.gz"


def adult(folder: Path) -> Coded:
    return _chosen(census.people(folder), COMPARED)


def adult_frame(folder: Path) -> pd.DataFrame:
    """Read Adult as its file has it, `?` as a value like others."""
    names = ["age", "workclass", "weight", "education", "education_num", "marital_status", "occupation"]
    names += ["relationship", "race", "sex", "capital_gain", "capital_loss", "hours", "native_country"]
    return pd.read_csv(adult_path(folder), names=[*names, "salary"], skipinitialspace=True)


def febrl_frame(folder: Path, number: int) -> pd.DataFrame:
    frame = pd.read_csv(
        febrl_path(folder, number), skipinitialspace=True, dtype=str, keep_default_na=False, na_values=[""]
    )
    return frame.drop(columns="rec_id")


def febrl(folder: Path) -> Coded:
    """Read the three sets as one."""
    return Coded.of(pd.concat([febrl_frame(folder, number) for number in (1, 2, 3)], ignore_index=True))


def epa(folder: Path, columns: int) -> Coded:
    """Read the first columns of the vehicles that have more than one value, without the identifier."""
    frame = pd.read_csv(epa_path(folder), dtype=str, keep_default_na=False, na_values=[""])
    every = Coded.of(frame.drop(columns="id"))
    several = [place for place, labels in enumerate(every.labels) if len(labels) > 1][:columns]
    return Coded(
        tuple(every.names[place] for place in several),
        every.codes[:, several],
        tuple(every.labels[place] for place in several),
    )


def like_adult(rows: int) -> Coded:
    return _chosen(census.generated(rows), COMPARED)


def correlated(rows: int, columns: int, *, seed: int = 11) -> Coded:
    """Draw columns that hang together by a hidden kind of person, 3 % of the values missing."""
    random = np.random.default_rng(seed)
    kinds = max(20, rows // 200)
    kind = random.integers(0, kinds, rows)
    codes = np.empty((rows, columns), np.int32)
    sizes = random.integers(2, 40, columns).tolist()
    for place, size in enumerate(sizes):
        usual = random.integers(0, size, kinds)[kind]
        other = np.minimum(random.geometric(0.3, rows) - 1, size - 1)
        codes[:, place] = np.where(random.random(rows) < _USUAL, usual, other)
        codes[random.random(rows) < _MISSING, place] = -1
    names = tuple(f"c{place}" for place in range(columns))
    return Coded(names, codes, tuple(tuple(map(str, range(size))) for size in sizes))


def write_register(folder: Path, sizes: Mapping[str, int], people: int, every: int) -> tuple[Path, Path]:
    """Write a directory of people, and one in so many of them as records; the same numbers in every run."""
    columns = ", ".join(_column(place, name, size) for place, (name, size) in enumerate(sizes.items()))
    made = (
        f"SELECT i AS person, {columns} FROM (SELECT i, hash(i) % 20000 AS kind FROM range({people}) AS r(i))"  # noqa: S608 # numbers only
    )
    directory, records = folder / "people.parquet", folder / "records.parquet"
    with duckdb.connect() as engine:
        engine.execute(f"COPY ({made}) TO '{directory}' (FORMAT parquet)")
        engine.execute(
            f"COPY (SELECT * FROM '{directory}' WHERE person % {every} = 3) TO '{records}' (FORMAT parquet)"  # noqa: S608 # own paths
        )
    return directory, records


def _column(place: int, name: str, size: int) -> str:
    """Let a column mostly follow the kind of person; one value in a hundred is missing."""
    chance = f"hash(i * 64 + {place}) % 100"
    usual, other = f"hash(kind * 64 + {place}) % {size}", f"hash(i * 64 + {place + 32}) % {size}"
    return f"CASE WHEN {chance} = 0 THEN NULL WHEN {chance} < 60 THEN {usual} ELSE {other} END AS {name}"


def _chosen(people: census.People, names: Sequence[str]) -> Coded:
    return Coded(
        tuple(names),
        np.stack([people[name][0] for name in names], axis=1),
        tuple(people[name][1] for name in names),
    )
