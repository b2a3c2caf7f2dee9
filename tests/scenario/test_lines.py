import pytest

from giveaway.scenario.lines import Lines

TEXT = """\
[release]
data = "a.csv"            # a comment with x = 1
leave_out = [
  "name",
  "note",
]
rules = { min_support = 0.1 }
[release.more]
deep.down = 1

[[knows]]
attack = "items"

[[ knows ]]   # the second
attack = "profiles"
tolerates = { attribute = 0.5 }
[knows.nested]
"quoted" = 1
"""


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("release", 1),
        ("release.data", 2),
        ("release.leave_out", 3),
        ("release.leave_out.1", 3),
        ("release.rules.min_support", 7),
        ("release.unknown", 1),
        ("release.more.deep.down", 9),
        ("knows.0", 11),
        ("knows.0.attack", 12),
        ("knows.1", 14),
        ("knows.1.attack", 15),
        ("knows.1.tolerates.attribute", 16),
        ("knows.1.nested.quoted", 18),
    ],
)
def test_a_field_is_found_on_its_line_or_on_that_of_what_holds_it(field: str, line: int) -> None:
    assert Lines(TEXT).place(field) == f"line {line}"


@pytest.mark.parametrize("field", ["knows.2", "needs.cells", "x", ""])
def test_what_is_not_written_has_no_line(field: str) -> None:
    assert Lines(TEXT).place(field) is None
