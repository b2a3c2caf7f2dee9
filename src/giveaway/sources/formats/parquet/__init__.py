"""Parquet: columns of values with types, in one file or in parts."""

from giveaway.model.layout import Layout
from giveaway.sources.formats.format import LIST, Format, FormatWork


def _work() -> FormatWork:
    from giveaway.sources.formats.parquet.work import WORK

    return WORK


PARQUET = Format(
    name="parquet",
    work=_work,
    endings=(".parquet",),
    title="Parquet",
    form="columns",
    is_text=False,
    lists=Layout(shape="lists", format="parquet", item=LIST),
)
