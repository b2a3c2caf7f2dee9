"""A toy format, `cards`: lines `key: value`, a blank line after each record. It lives outside `src`, which needs no change."""

import re

from giveaway.sources.formats.format import Format, FormatWork


def _work() -> FormatWork:
    from tests.architecture.toy_format.work import WORK

    return WORK


CARDS = Format(
    name="cards",
    work=_work,
    endings=(".cards",),
    sniff=lambda start: re.match(rb"\w+: .*\n", start) is not None,
    title="Cards",
    form="records",
    nothing="",
)
