"""Values of engines as labels: the same texts that a Parquet or delimited file with these values gives."""

from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec

import numpy as np

from giveaway.engines.part import PartColumn
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order, label_key
from giveaway.model.data.texts import Texts

MISSING_CODE = -1
_UNKNOWN_CODE = -2


def coded(column: PartColumn, missing: Collection[str]) -> tuple[Codes, tuple[Label, ...]]:
    """Return the code of each value of a column, -1 where it is missing, and the labels in their order."""
    places, texts = column.distinct()
    labels = tuple(in_order(text for text in texts if text is not None and text not in missing))
    code_of: dict[Label, int] = {label: code for code, label in enumerate(labels)}
    return _codes(places, texts, code_of, unknown=MISSING_CODE), labels


def known_codes(column: PartColumn, code_of: Mapping[Label, int]) -> Codes | None:
    """Return the code of each value of a column whose labels, missing ones too, are known; None where one is not."""
    places, texts = column.distinct()
    codes = _codes(places, texts, code_of, unknown=_UNKNOWN_CODE)
    return None if (codes == _UNKNOWN_CODE).any() else codes


def _codes(places: Ints, texts: Sequence[str | None], code_of: Mapping[Label, int], *, unknown: int) -> Codes:
    of_text = [MISSING_CODE if text is None else code_of.get(text, unknown) for text in texts]
    codes: Codes = np.array(of_text, np.int32)[places]
    return codes


def in_label_order(texts: Texts) -> tuple[Texts, Ints]:
    """Put texts in label order; return also the place that each had."""
    if find_spec("pyarrow"):
        from giveaway.engines import arrow

        return arrow.in_label_order(texts)
    listed = list(texts)
    order = sorted(range(len(listed)), key=lambda place: label_key(listed[place]))
    return Texts.of(listed[place] for place in order), np.array(order, np.int64)
