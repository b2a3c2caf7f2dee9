"""Mistakes are broken between words, below where they begin."""

from giveaway.errors import Mistake
from giveaway.report.terminal.mistakes import render

LONG = Mistake(
    "Column has no role.",
    hint="a column is sensitive, id, known to an attacker, published as it is (publish_unjudged), or kept out of it (leave_out).",
    where="line 12",
)


def test_lines_are_broken_between_words_and_set_in() -> None:
    text = render([LONG], heading="CANNOT JUDGE", width=60)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 60
    assert "publish_unjudged" in text
    hint = next(place for place, line in enumerate(lines) if "hint:" in line)
    assert len(lines[hint + 1]) - len(lines[hint + 1].lstrip()) == lines[hint].index("hint:")


def test_nothing_is_broken_where_no_width_is_given_and_long_words_never() -> None:
    assert len(render([LONG], heading="CANNOT JUDGE").splitlines()) == 3
    path = "/a/very/long/" + "x" * 90
    assert path in render([Mistake(f"{path} cannot be read.")], heading="CANNOT JUDGE", width=60)
