"""Delimited text: rows of columns, separated by a comma, a tab or something else."""

from giveaway.sources.formats.format import Format, FormatWork


def _work() -> FormatWork:
    from giveaway.sources.formats.delimited.work import WORK

    return WORK


CSV = Format(
    name="csv", work=_work, endings=(".csv",), title="Table", form="columns", nothing="", separator=","
)
TSV = Format(
    name="tsv",
    family=CSV.name,
    work=_work,
    endings=(".tsv",),
    title="Table between tabs",
    offered=False,
    form="columns",
    nothing="",
    separator="\t",
)
