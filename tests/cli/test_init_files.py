"""Exports as other programs write them: from the file to a verdict by `init` and `assess` alone."""

import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke

DRAW = random.Random(11)  # noqa: S311 # made-up data


def german_export(rows: int = 200) -> str:
    """Write an export of a hospital: semicolons, decimal commas, dates with the day first, notes over two lines."""
    draw = random.Random(7)  # noqa: S311 # made-up data
    names = ["Müller", "Schäfer", "Groß", "Weiß", "Böhm"]
    lines = [
        "Fallnummer;Nachname;Geburtsdatum;PLZ;Geschlecht;Beruf;Diagnose_ICD;Gewicht;Telefon;Aufnahmedatum;Bemerkung"
    ]
    for number in range(rows):
        note = f'"Patient {number} klagt seit Tagen über Schmerzen;\nruft an unter 0171 {draw.randrange(10**6, 10**7)}"'
        fields = [
            f"F{number:05}",
            draw.choice(names) + draw.choice(["", "-Berg", "-Tal"]) + draw.choice("abcdefg"),
            f"{draw.randrange(1, 29):02}.{draw.randrange(1, 13):02}.{draw.randrange(1940, 2000)}",
            draw.choice(["10115", "01099", "80331", "k.A."]),
            draw.choice(["männlich", "weiblich"]),
            draw.choice(["Köchin", "Lehrer", "NA"]),
            draw.choice(["J45.0", "E11", "I10"]),
            f"{draw.randrange(50, 99)},{draw.randrange(10)}",
            f"0171/{draw.randrange(10**6, 10**7)}",
            f"{draw.randrange(1, 29):02}.03.2021",
            note,
        ]
        lines.append(";".join(fields))
    return "\r\n".join(lines) + "\r\n"


def verdict(invoke: Invoke, scenario: str) -> dict[str, Any]:
    done = invoke("assess", scenario, "--json", "-")
    assert done.exit_code in (0, 1), done.output
    (finding,) = json.loads(done.stdout)["findings"]
    return dict(finding)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "cp1252", "utf-16"])
def test_a_german_export_is_understood_in_any_usual_encoding(
    encoding: str, tmp_path: Path, invoke: Invoke
) -> None:
    (tmp_path / "export.csv").write_bytes(german_export().encode(encoding))

    done = invoke("init", "export.csv")

    assert done.exit_code == 0, done.output
    text = (tmp_path / "export.toml").read_text(encoding="utf-8")
    scenario = tomllib.loads(text)
    release = scenario["release"]
    assert release["id"] == "Fallnummer"
    assert release["missing"] == ["", "NA", "k.A."]
    assert release["sensitive"] == ["Diagnose_ICD"]
    assert release["leave_out"] == ["Nachname", "Telefon", "Bemerkung"]
    assert scenario["knows"][0]["columns"] == ["Geburtsdatum", "PLZ", "Geschlecht", "Beruf"]
    assert re.search(r'#    "Gewicht", +# numbers with commas', text)
    assert re.search(r'#    "Aufnahmedatum", +# date \(sure\)', text)
    assert re.search(r'"Geburtsdatum", +# birth \(sure\): dates', text)
    told = {"cp1252": "cp1252", "utf-16": "utf-16"}.get(encoding)
    assert release.get("encoding") == told
    assert ("a guess: the file is not UTF-8" in text) is (told == "cp1252")
    assert ("a guess: --encoding says another" in done.output) is (told == "cp1252")
    assert verdict(invoke, "export.toml")["safe"] is False
    assert invoke("protect", "export.toml", "-o", "out").exit_code == 0
    assert "männlich" in (tmp_path / "out" / "release.csv").read_text(encoding="utf-8")


def test_a_wrong_encoding_is_answered_with_the_option_of_the_command(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "export.csv").write_bytes(german_export().encode("cp1252"))

    wrong = invoke("init", "export.csv", "--encoding", "utf-8")

    assert wrong.exit_code == 2
    assert '--encoding "latin-1"' in wrong.output
    assert "encoding =" not in wrong.output
    assert invoke("init", "export.csv", "--encoding", "latin-1").exit_code == 0
    text = (tmp_path / "export.toml").read_text(encoding="utf-8")
    assert '\nencoding = "latin-1"\n' in text
    assert verdict(invoke, "export.toml")["attack"] == "directory"


def test_a_separator_can_be_said(tmp_path: Path, invoke: Invoke) -> None:
    rows = [
        f"{DRAW.choice('fm')}/{DRAW.randrange(20, 30)}/{DRAW.choice(['Bath', 'Cork'])}" for _ in range(100)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["sex/age/city", *rows]))

    assert invoke("init", "people.csv", "--separator", "/").exit_code == 0

    scenario = tomllib.loads((tmp_path / "people.toml").read_text())
    assert scenario["release"]["separator"] == "/"
    assert scenario["knows"][0]["columns"] == ["sex", "age", "city"]
    verdict(invoke, "people.toml")


def test_a_tab_can_be_said_in_a_shell(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.csv").write_text("sex\tnote,a\n" + "f\tx,y\nm\tz,x\n" * 9)

    assert invoke("init", "people.csv", "--separator", "\\t").exit_code == 0
    assert tomllib.loads((tmp_path / "people.toml").read_text())["knows"][0]["columns"] == ["sex"]


def purchases() -> str:
    """Write a log of purchases as a table between blanks, with a header and numbers in line."""
    draw = random.Random(3)  # noqa: S311 # made-up data
    lines = [
        f" {number // 3:05d} 1997{draw.randrange(1, 13):02d}{draw.randrange(1, 29):02d} "
        f"{draw.randrange(1, 9):2d} {draw.random() * 90:7.2f} "
        for number in range(300)
    ]
    return "\n".join([" customer_id  date number_of_cds  dollar_value", *lines, ""])


def test_a_text_file_with_a_header_is_a_table_and_not_baskets(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "log.txt").write_text(purchases())

    done = invoke("init", "log.txt")

    assert (
        "looks like a table of 300 records with 4 columns: its first line looks like a header." in done.output
    )
    scenario = tomllib.loads((tmp_path / "log.toml").read_text())
    assert scenario["release"]["kind"] == "table"
    assert scenario["release"]["leave_out"] == ["customer_id"]
    assert scenario["knows"][0]["people"] == "log.txt"
    found = verdict(invoke, "log.toml")
    assert found["figures"]["directory_size"] == 100
    assert invoke("protect", "log.toml", "-o", "out").exit_code == 0
    assert (tmp_path / "out" / "release.csv").read_text().splitlines()[0].count(",") == len(
        scenario["knows"][0]["columns"]
    ) - 1


def test_what_the_file_says_about_purchases_can_be_done(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "log.txt").write_text(purchases())
    invoke("init", "log.txt")
    text = (tmp_path / "log.toml").read_text()
    assert 'giveaway init log.txt --kind transactions --separator " "' in text

    assert invoke("init", "log.txt", "--kind", "transactions", "--separator", " ", "--force").exit_code == 0

    release = tomllib.loads((tmp_path / "log.toml").read_text())["release"]
    assert (release["kind"], release["id"], release["item"]) == ("transactions", "customer_id", "date")
    assert verdict(invoke, "log.toml")["attack"] == "items"


def test_words_that_may_be_a_table_are_not_judged_as_baskets_without_being_told(
    tmp_path: Path, invoke: Invoke
) -> None:
    (tmp_path / "log.txt").write_text(purchases())
    asked = ["assess", "log.txt", "--knows", "items:at_most=2", "--tolerates", "identity=1/5"]

    refused = invoke(*asked)

    assert refused.exit_code == 2
    assert "its first line looks like a header" in refused.output
    assert "--set release.kind=table" in refused.output
    assert invoke(*asked, "--set", "release.kind=transactions").exit_code == 1
    table = ["assess", "log.txt", "--knows", "directory:on=number_of_cds", "--tolerates", "identity=1/5"]
    assert invoke(*table, "--set", "release.rest=leave_out").exit_code in (0, 1)


def test_baskets_are_still_known_without_a_word(tmp_path: Path, invoke: Invoke) -> None:
    for name in ("shop.txt", "shop.dat"):
        (tmp_path / name).write_text("bread milk\nbread jam tea\nmilk\nbread milk\ntea jam\n" * 9)
        asked = ["assess", name, "--knows", "items:at_most=1", "--tolerates", "identity=1/5"]
        assert invoke(*asked).exit_code == 0
        assert invoke("init", name, "--force").exit_code == 0
        assert tomllib.loads((tmp_path / "shop.toml").read_text())["release"]["kind"] == "transactions"


def test_a_table_can_be_asked_for_where_baskets_are_seen(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.txt").write_text("sex job\n" + "f cook\nm smith\nf sex\n" * 9)
    assert "transactions" in invoke("init", "people.txt").output

    assert invoke("init", "people.txt", "--kind", "table", "--force").exit_code == 0

    assert tomllib.loads((tmp_path / "people.toml").read_text())["knows"][0]["columns"] == ["sex", "job"]
    verdict(invoke, "people.toml")


def test_supports_are_proposed_when_they_are_asked_for(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "supports.csv").write_text("item,support\nbread,700\nmilk,512\njam,31\n")
    invoke("init", "supports.csv", "--kind", "supports")

    unsaid = invoke("assess", "supports.toml")
    assert unsaid.exit_code == 2
    assert "transactions" in unsaid.output
    done = invoke("assess", "supports.toml", "--set", "release.transactions=1000", "--json", "-")
    assert json.loads(done.stdout)["findings"][0]["attack"] == "frequencies"


def test_only_the_first_column_may_lack_a_name(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.csv").write_text("sex,,age\n" + "f,1,30\nm,2,40\n" * 9)

    refused = invoke("init", "people.csv")

    assert refused.exit_code == 2
    assert 'Column 2 of "people.csv" has no name' in refused.output
    assert "give it one" in refused.output
    assert "header" not in refused.output


def test_json_lines_with_several_rows_a_person_are_understood(tmp_path: Path, invoke: Invoke) -> None:
    lines = [
        json.dumps(
            {"patient": number // 3, "age": 30 + number // 3, "illness": "N/A" if number % 9 else "flu"}
        )
        for number in range(60)
    ]
    (tmp_path / "people.jsonl").write_text("\n".join(lines))

    assert invoke("init", "people.jsonl").exit_code == 0

    scenario = tomllib.loads((tmp_path / "people.toml").read_text())
    assert scenario["release"]["missing"] == ["", "N/A"]
    assert scenario["knows"][0]["id"] == "patient"
    assert verdict(invoke, "people.toml")["figures"]["min_candidates"] == 1


def test_columns_next_to_lists_need_no_further_word(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "nest.jsonl").write_text('{"a": {"n": 1}, "b": [1, 2]}\n{"a": {"n": 2}, "b": [3]}\n')

    assert invoke("init", "nest.jsonl").exit_code == 0

    assert verdict(invoke, "nest.toml")["attack"] == "items"


def test_a_table_without_an_attacker_is_told_which_one_to_add(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "gaps.csv").write_text("a;b\n1;\n;2\n")

    assert invoke("init", "gaps.csv").exit_code == 0

    assert 'attack = "directory" for a table' in " ".join(invoke("assess", "gaps.toml").output.split())
