"""Sparse matrices of scipy, one row a transaction and one column an item."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout
from giveaway.model.release.published import Published
from giveaway.sources.encoding.coded import Gather, transactions
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.frames.lists import CodedLists


@dataclass(frozen=True, eq=False)
class SparseOrigin:
    """A sparse matrix that was read; its release is written as lists, since dense columns could be huge."""

    matrix: Any
    labels: tuple[Label, ...]
    lists: CodedLists
    name: str = "memory"
    sha256: str | None = None
    path: None = None

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return self.lists.layout

    def native(self, published: Published) -> Any:
        """Return a matrix of the same format without the columns of the withheld items."""
        kept = np.array([label not in published.without for label in self.labels], np.bool_)
        matrix = self.matrix.tocsc()[:, np.flatnonzero(kept)]
        matrix = matrix if published.order is None else matrix.tocsr()[published.order]
        return matrix.asformat(self.matrix.format)

    def write(self, folder: Path, published: Published) -> Path:
        """Write one list of items for each row."""
        return self.lists.write(folder, published)


def is_sparse(data: Any) -> bool:
    """Tell whether something is a sparse matrix, without importing scipy."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocsr")


def from_sparse(matrix: Any, roles: Roles, labels: Iterable[Label] | None) -> Transactions:
    """Make transactions from a matrix; without labels the numbers of its columns are the items."""
    if roles.leave_out or roles.publish_unjudged or roles.rest:
        raise ScenarioError("A sparse matrix has no columns besides its items.", hint="take them out first.")
    names = tuple(range(matrix.shape[1])) if labels is None else tuple(labels)
    if len(names) != matrix.shape[1]:
        raise ScenarioError(f"{len(names)} labels are given for {matrix.shape[1]} columns.")
    if len(set(names)) != len(names):
        raise DataError("Two columns of the matrix have the same label.", hint="give each its own.")
    held = matrix.copy()
    rows = held.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if not bool((rows.data == 1).all()):
        raise DataError(
            "The matrix has values other than 0 and 1; an item can only be there or not.",
            hint="matrix = (matrix > 0) makes quantities 0 or 1.",
        )
    offsets, codes = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    gather = Gather()
    gather.add(offsets, codes)
    origin = SparseOrigin(held, names, CodedLists(offsets, codes, names, (list,)))
    return transactions(gather.merged(), names, roles, origin, names)
