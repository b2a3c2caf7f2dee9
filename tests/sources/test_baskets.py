"""Basket files are read and written as a slow, obvious reader of lines has them."""

import re
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

from giveaway.model.published import Published, code_key
from giveaway.sources import read_transactions
from giveaway.sources.files import stored
from giveaway.sources.formats.baskets import work as baskets

WORDS = ("a", "b", "ab", "\xe4", "no\xa0blank", "\N{SNOWMAN}", "\x85", "17", "long-label")
words = st.lists(st.sampled_from(WORDS), max_size=5)
blanks = st.sampled_from([" ", "\t", " \t  "])
line_ends = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(words, min_size=1, max_size=8))
    spelled = (draw(st.sampled_from(["", " "])) + draw(blanks).join(line) for line in lines)
    return "".join(line + draw(line_ends) for line in spelled) + draw(st.sampled_from(["", "end", "a\ta"]))


def rows_of(text: str) -> list[list[str]]:
    """Return the words of each line, each word once."""
    lines = re.sub("\r\n?", "\n", text).removesuffix("\n").split("\n")
    return [list(dict.fromkeys(re.findall("[^ \t]+", line))) for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("baskets")


@sized()
@given(text=texts(), withheld=st.sets(st.sampled_from(WORDS)), size=st.integers(1, 40))
def test_files_are_read_and_written_row_by_row(
    text: str, withheld: set[str], size: int, folder: Path
) -> None:
    file = folder / "a.dat"
    file.write_bytes(text.encode())
    rows = rows_of(text)
    order = np.random.default_rng(size).permutation(len(rows))
    codes = {word: str(number) for number, word in enumerate(WORDS)} | {"end": "99"}

    with patch.object(stored, "CHUNK", size), patch.object(baskets, "_PIECE", size // 2):
        data = read_transactions(file)
        assert data.origin is not None
        kept = data.origin.write(folder, Published(withheld)).read_text("utf-8")
        renamed = data.origin.write(folder, Published(withheld, renaming=codes, order=order)).read_text(
            "utf-8"
        )

    held = Counter[frozenset[object]]()
    for place, weight in enumerate(data.weights.tolist()):
        row = data.codes[data.offsets[place] : data.offsets[place + 1]].tolist()
        held[frozenset(data.labels[code] for code in row)] += weight
    assert held == Counter(map(frozenset, rows))
    left = [[word for word in row if word not in withheld] for row in rows]
    assert kept.split("\n")[:-1] == [" ".join(row) for row in left]
    assert renamed.split("\n")[:-1] == [
        " ".join(sorted((codes[word] for word in left[place]), key=code_key)) for place in order
    ]
