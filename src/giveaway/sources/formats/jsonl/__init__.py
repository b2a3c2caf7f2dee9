"""JSON lines: one object or one list a line."""

from giveaway.model.layout import Layout
from giveaway.sources.formats.format import Format, FormatWork


def _work() -> FormatWork:
    from giveaway.sources.formats.jsonl.work import WORK

    return WORK


LISTS = Layout(shape="lists", format="jsonl")

JSONL = Format(
    name="jsonl",
    work=_work,
    endings=(".jsonl",),
    also=(".ndjson",),
    title="JSON lines",
    form="records",
    lists=LISTS,
)
