"""Baskets: one transaction a line, items separated by blanks or tabs."""

from giveaway.model.layout import Layout
from giveaway.sources.formats.format import Format, FormatWork


def _work() -> FormatWork:
    from giveaway.sources.formats.baskets.work import WORK

    return WORK


LINES = Layout(shape="baskets", format="baskets", separator=" ", nothing="")

BASKETS = Format(
    name="dat",
    family=LINES.format,
    work=_work,
    endings=(".dat", ".txt"),
    title="Baskets",
    form="words",
    nothing="",
    lists=LINES,
)
