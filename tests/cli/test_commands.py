import hashlib
import json
import re
from pathlib import Path

from tests.cli.conftest import Run

from giveaway.report.terminal import screen


def test_assess_says_at_risk_and_leaves_with_1(run: Run) -> None:
    done = run("assess", "shop.toml")

    assert done.returncode == 1
    assert "AT RISK" in done.stdout
    assert done.stderr == ""


def test_values_of_the_data_stay_out_of_a_pipe(run: Run) -> None:
    done = run("assess", "shop.toml")

    assert "rare" not in done.stdout
    assert "insulin" not in done.stdout


def test_quiet_prints_the_verdicts_only(run: Run) -> None:
    done = run("assess", "shop.toml", "--brief")

    assert len(done.stdout.strip().splitlines()) == 2


def test_assess_works_without_a_scenario_file(run: Run) -> None:
    done = run("assess", "baskets.dat", "--knows", "items:at_most=1", "--tolerates", "identity=1/2,share=1/2")

    assert done.returncode == 0
    assert "SAFE" in done.stdout


def test_json_on_standard_output_is_the_summary_and_nothing_else(run: Run) -> None:
    done = run("assess", "shop.toml", "--json", "-", "--set", "knows.0.at_most=1", "--seed", "3")
    summary = json.loads(done.stdout)

    assert (summary["schema"], summary["verdict"], summary["seed"]) == (2, "at risk", 3)
    assert summary["data"]["rows"] == 10
    assert summary["findings"][0]["attacker"] == {"at_most": 1, "knows_method": True}
    assert summary["before"] is None


def test_protect_writes_a_release_that_assess_calls_safe(run: Run, tmp_path: Path) -> None:
    done = run(
        "protect",
        "shop.toml",
        "-o",
        "out",
        "--html",
        "owner.html",
        "--public-html",
        "public.html",
        "--json",
        "a.json",
    )

    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    released = (tmp_path / "out" / "release.dat").read_bytes()
    assert manifest["files"] == [
        {"file": "release.dat", "sha256": hashlib.sha256(released).hexdigest(), "rows": 10, "formulas": 0}
    ]
    assert b"rare" not in released
    assert "rare" in (tmp_path / "owner.html").read_text()
    assert (
        "rare"
        not in (tmp_path / "public.html").read_text() + (tmp_path / "out" / "manifest.json").read_text()
    )
    summary = json.loads((tmp_path / "a.json").read_text())
    assert "rare" in summary["withheld"]["items"]
    assert summary["before"][0]["exposures"][0]["after"] == "withheld"
    again = run(
        "assess",
        "out/release.dat",
        "--knows",
        "items:at_most=2",
        "--tolerates",
        "identity=1/2",
        "--set",
        'release.private=["insulin"]',
    )
    assert again.returncode == 0, again.stderr


def test_a_release_that_is_safe_already_is_written_whole(run: Run, tmp_path: Path) -> None:
    done = run(
        *("protect", "shop.toml", "-o", "out", "--set", "release.order=kept"),
        *("--set", "knows.0.knows_method=false"),
        *("--set", "tolerates.attribute=999/1000", "--set", "tolerates.share=9/10"),
    )

    assert done.returncode == 0
    assert (tmp_path / "out" / "release.dat").read_bytes() == (tmp_path / "baskets.dat").read_bytes()


def test_an_existing_release_is_left_alone_without_force(run: Run, tmp_path: Path) -> None:
    run("protect", "shop.toml", "-o", "out")
    before = (tmp_path / "out" / "manifest.json").read_bytes()

    refused = run("protect", "shop.toml", "-o", "out", "--set", "knows.0.at_most=1")
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before
    assert run("protect", "shop.toml", "-o", "out", "--force").returncode == 0


def test_a_saved_assessment_is_drawn_again(run: Run, tmp_path: Path) -> None:
    run("assess", "shop.toml", "--json", "old.json")
    run("protect", "shop.toml", "-o", "out", "--json", "new.json")

    drawn = run("report", "old.json", "--html", "again.html")
    assert drawn.returncode == 0
    assert "AT RISK" in drawn.stdout
    assert (tmp_path / "again.html").read_text().startswith("<!")
    compared = run("report", "old.json", "new.json")
    assert compared.returncode == 0
    assert "safe" in compared.stdout.lower()
    assert run("report", "shop.toml").returncode == 2


def test_saved_assessments_are_compared_and_filed(run: Run, tmp_path: Path) -> None:
    run("assess", "shop.toml", "--json", "old.json")
    run("protect", "shop.toml", "-o", "out", "--json", "new.json")

    assert run("report", "old.json", "new.json", "--html", "both.html", "--quiet").stdout == ""
    page = (tmp_path / "both.html").read_text()
    assert "old.json" in page
    assert "new.json" in page
    filed = run("report", "new.json", "--for", "review", "-o", "review.html")
    assert filed.returncode == 0, filed.stderr
    text = (tmp_path / "review.html").read_text()
    assert "giveaway protect shop.toml -o DIR" in text
    assert "attack = &#34;items&#34;" in text
    for wrong in (
        ("old.json", "--for", "review"),
        ("old.json", "--for", "ethics", "-o", "a.html"),
        ("old.json", "--for", "review", "-o", "a.pdf"),
        ("old.json", "old.json"),
        ("old.json", "new.json", "--for", "review", "-o", "a.html"),
        ("new.json", "--for", "review", "-o", "review.html"),
    ):
        done = run("report", *wrong)
        assert done.returncode == 2, wrong
        assert "hint" in done.stderr or "it has" in done.stderr
    assert not list(tmp_path.glob("a.*"))


def test_limits_nearby_are_tried_and_saved(run: Run, tmp_path: Path) -> None:
    done = run("assess", "shop.toml", "--suggest", "--json", "tried.json")
    assert done.returncode == 1
    assert "as stated" in done.stdout
    rungs = json.loads((tmp_path / "tried.json").read_text())["suggestions"]
    assert {rung["kind"] for rung in rungs} == {"identity", "attribute"}
    assert sum(rung["stated"] for rung in rungs) == 2
    assert run("report", "tried.json").stdout.count(", as stated") == 2


def test_explain_tells_every_field_from_the_dataclass(run: Run) -> None:
    assert "items" in run("explain").stdout
    told = run("explain", "items").stdout
    for field in (
        "at_most",
        "identity",
        "attribute",
        "share",
        "min_support",
        "score",
        "reinstate",
        "keep_infrequent",
        "private",
        "seed",
    ):
        assert re.search(rf"^\s+{field}\b", told, re.MULTILINE), field
    assert '("minimal" or "paper"; default "minimal")' in " ".join(told.split())
    assert "[tolerates]  identity or attribute is needed" in told
    assert "average" not in told, "not judged by it"
    assert run("explain", "magic").returncode == 2


def test_init_writes_a_scenario_that_assess_understands(run: Run, tmp_path: Path) -> None:
    done = run("init", "baskets.dat")

    assert done.returncode == 0, done.stderr
    assert "baskets.toml" in done.stdout
    assert run("assess", "baskets.toml").returncode in (0, 1)
    assert run("init", "baskets.dat").returncode == 2
    assert run("init", "baskets.dat", "--force").returncode == 0


def test_demo_goes_from_data_to_released_files(run: Run, tmp_path: Path) -> None:
    done = run("demo")

    assert done.returncode == 0, done.stderr
    written = {path.name for path in (tmp_path / "giveaway-demo").rglob("*")}
    assert written == {
        "baskets.dat",
        "pharmacy.toml",
        "assessment.json",
        "owner-report.html",
        "public-report.html",
        "release",
        "release.dat",
        "release.owner.json",
        "manifest.json",
    }
    assert run("demo").returncode == 0


def test_the_demo_shows_the_exposures_that_assessing_its_scenario_shows(run: Run, tmp_path: Path) -> None:
    shown = run("demo").stdout
    run("assess", "giveaway-demo/pharmacy.toml", "--json", "saved.json")
    saved = json.loads((tmp_path / "saved.json").read_text())
    assessed = screen.render(saved, exposures=True, quiet=False)
    exposures = assessed[assessed.index("worst exposures") : assessed.index("AT RISK: ")]

    assert exposures.count("holds both") == 1
    assert exposures in shown


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("giveaway 0.")


def test_a_renamed_release_has_codes_and_a_key_for_the_owner(run: Run, tmp_path: Path) -> None:
    done = run("protect", "shop.toml", "-o", "out", "--set", "release.renamed=true", "--key", "key.json")

    assert done.returncode == 0, done.stderr
    released = (tmp_path / "out" / "release.dat").read_text()
    assert not re.search("[a-z]", released)
    (entry,) = json.loads((tmp_path / "key.json").read_text())["releases"]
    names = [sorted(entry["codes"][code] for code in line.split()) for line in released.splitlines()]
    assert names[entry["rows"].index(1)] == ["bread", "milk"]
    assert len(names) == 10


def test_a_shuffled_release_holds_the_same_rows(run: Run, tmp_path: Path) -> None:
    kept = ("release.order=kept", "knows.0.knows_method=false")
    run("protect", "shop.toml", "-o", "kept", *(word for one in kept for word in ("--set", one)))
    run("protect", "shop.toml", "-o", "shuffled")

    in_order, shuffled = (
        (tmp_path / name / "release.dat").read_text().splitlines() for name in ("kept", "shuffled")
    )
    assert sorted(sorted(line.split()) for line in in_order) == sorted(line.split() for line in shuffled)
    assert json.loads((tmp_path / "shuffled" / "manifest.json").read_text())["order"] == "shuffled"


def test_protect_writes_the_format_that_is_asked_for_or_refuses_it_first(run: Run, tmp_path: Path) -> None:
    assert run("protect", "shop.toml", "-o", "out", "--format", "jsonl", "--quiet").returncode == 0
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"release.jsonl", "manifest.json"}

    refused = run("protect", "shop.toml", "-o", "other", "--format", "xlsx")

    assert refused.returncode == 2
    assert "csv, tsv, parquet, jsonl, dat" in refused.stderr
    assert not (tmp_path / "other").exists()
