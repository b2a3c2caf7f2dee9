"""What columns lost is told, and that hardly anything is left."""

from tests.report import samples

from giveaway.report.terminal import screen
from giveaway.report.wording.losses import by_column, hardly_anything


def test_columns_stand_by_what_they_lost() -> None:
    made = samples.blank_entries()
    made["withheld"] |= {"cells_by_column": {"b": 5, "a": 60}, "coarser_by_column": {"b": 10}}
    made["data"]["rows"] = 100
    assert by_column(made) == [("a", "60.0\u00a0% (60 blank)"), ("b", "15.0\u00a0% (5 blank, 10 coarser)")]
    text = screen.render(made, exposures=False, quiet=False)
    assert "60.0 % (60 blank)" in text


def test_hardly_anything_is_left_of_items_or_columns() -> None:
    made = samples.protected()
    assert hardly_anything(made) == []
    made["data"]["items"] = 35
    (told,) = hardly_anything(made)
    assert told.startswith("Hardly anything is left: 34 of 35 items are withheld.")
    made = samples.protected()
    made["withheld"] |= {"cells_by_column": {"age": made["data"]["rows"]}}
    (told,) = hardly_anything(made)
    assert told.startswith("Hardly anything is left of age, which is blank or coarser")
    assert "Hardly anything" in screen.render(made, exposures=True, quiet=False)
