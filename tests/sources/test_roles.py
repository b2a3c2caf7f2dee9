"""Roles of items and columns are checked when the data enter."""

from pathlib import Path

import pytest

from giveaway.errors import ScenarioError
from giveaway.model.data.transactions import Transactions
from giveaway.sources import read_table, read_transactions


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    file = tmp_path / "a.dat"
    file.write_text("insulin bread\nbread\n")
    return file


@pytest.fixture
def long(tmp_path: Path) -> Path:
    file = tmp_path / "a.csv"
    file.write_text("id,item,visits,note\n1,insulin,3,x\n1,bread,2,y\n2,bread,1,z\n")
    return file


def test_private_items_are_codes_of_their_labels(baskets: Path) -> None:
    read = read_transactions(baskets, private=["insulin"])

    assert [read.labels[code] for code in read.private] == ["insulin"]


def test_an_unknown_private_item_is_named_with_its_neighbours(baskets: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_transactions(baskets, private=["insuline", "gold"])

    first, second = caught.value.mistakes
    assert first.fact == 'The private item "insuline" does not occur in the data.'
    assert first.exists == '"insulin"'
    assert "gold" in second.fact


def test_a_private_label_of_another_type_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="of type int, not str"):
        Transactions.from_lists([[7, 8]], private=["7"])


def test_private_items_given_as_one_text_are_refused(baskets: Path) -> None:
    with pytest.raises(ScenarioError, match="private is a list of names, not one text"):
        read_transactions(baskets, private="insulin")


def test_items_may_come_from_files_one_a_line(baskets: Path, tmp_path: Path) -> None:
    (tmp_path / "private.txt").write_text("\ufeff insulin \r\n\r\n", encoding="utf-8")
    (tmp_path / "domain.txt").write_text("gold\nbread\n")

    read = read_transactions(
        baskets, private_from=tmp_path / "private.txt", domain_from=tmp_path / "domain.txt"
    )

    assert [read.labels[code] for code in read.private] == ["insulin"]
    assert read.domain == ("gold",)


def test_a_domain_label_that_occurs_is_no_further_item(baskets: Path) -> None:
    assert read_transactions(baskets, domain=["bread", "9", "10"]).domain == ("9", "10")


def test_a_private_item_that_never_occurs_may_be_in_the_domain(baskets: Path) -> None:
    read = read_transactions(baskets, private=["gold", "insulin"], domain=["gold"])

    assert len(read.private) == 1


def test_items_that_no_row_of_a_one_hot_table_holds_belong_to_the_domain(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("bread,gold\n1,0\n1,0\n")

    read = read_transactions(tmp_path / "a.csv", private=["gold"])

    assert (read.labels, read.domain) == (("bread",), ("gold",))


def test_columns_without_a_role_are_all_named(long: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_transactions(long, id="id", item="item")

    assert [mistake.fact for mistake in caught.value.mistakes] == [
        'Column "visits" has no role.',
        'Column "note" has no role.',
    ]
    assert "publish_unjudged" in str(caught.value)


def test_a_column_that_does_not_exist_is_named_with_those_that_do(long: Path) -> None:
    with pytest.raises(
        ScenarioError, match=r'There is no column "itm"\. It has: "id", "item".*did you mean "item"'
    ):
        read_transactions(long, id="id", item="itm")


def test_a_column_has_one_role(long: Path) -> None:
    with pytest.raises(ScenarioError, match='Column "note" has two roles'):
        read_transactions(long, id="id", item="item", publish_unjudged=["note"], leave_out=["note", "visits"])


def test_id_without_item_is_refused(long: Path) -> None:
    with pytest.raises(ScenarioError, match="not the column of the items"):
        read_transactions(long, id="id")


def test_baskets_have_no_columns(baskets: Path) -> None:
    with pytest.raises(ScenarioError, match="no columns to leave out"):
        read_transactions(baskets, leave_out=["x"])


def test_a_text_column_holds_no_lists(long: Path) -> None:
    with pytest.raises(ScenarioError, match="holds no lists"):
        read_transactions(long, item="item", leave_out=["id", "note", "visits"])


def test_tables_check_the_names_of_columns_too(long: Path) -> None:
    with pytest.raises(ScenarioError, match='There is no column "hiv"'):
        read_table(long, sensitive="hiv")


def test_columns_of_frames_need_roles_like_those_of_files() -> None:
    import polars as pl

    frame = pl.DataFrame({"id": [1], "item": ["a"], "note": ["x"]})

    with pytest.raises(ScenarioError, match='Column "note" has no role'):
        Transactions.from_frame(frame, id="id", item="item")
    assert Transactions.from_frame(frame, id="id", item="item", leave_out=["note"]).labels == ("a",)
