"""Places that few people name, and things that come there while a command works."""

import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from tests.faults.bench import KEY, REPORTS, Launcher, Run, check_nothing_left, contents, make_box
from tests.publish.test_publish import names, publish_to, written

import giveaway as ga
from giveaway import publish

PROTECT = ("protect", "shop.toml", "-o", "out", "--brief")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    make_box(tmp_path)
    return tmp_path / "shop"


@pytest.fixture
def run(launcher: Launcher, shop: Path) -> Callable[..., Run]:
    def run(*words: str) -> Run:
        (made,) = launcher.run(shop.parent, words)
        return made

    return run


@pytest.fixture
def found(shop: Path) -> ga.Assessment:
    release = ga.Release(ga.read_transactions(shop / "baskets.dat"))
    return ga.protect(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("protect", "shop.toml", "-o", "."), "is the folder that you are in"),
        (("protect", "shop.toml", "-o", ".."), "is the folder that you are in"),
        (("protect", "shop.toml", "-o", "/"), "the folder that you are in, or around it"),
        (("protect", "shop.toml", "-o", ".out.giveaway-lock"), "is a name that giveaway uses itself"),
        ((*PROTECT, "--json", ".out.giveaway-lock"), "is a name that giveaway uses itself"),
        (("protect", "shop.toml", "-o", "a/out", "--key", "a"), "and a/out lies in it"),
        (("protect", "shop.toml", "-o", "a/out", "--html", "a"), "and a/out lies in it"),
        (
            (*PROTECT, "--to", "duckdb:d", "--table", "t", "--json", "d.wal"),
            "--json and the log of --to are both",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    run: Callable[..., Run], shop: Path, words: tuple[str, ...], told: str
) -> None:
    before = contents(shop)
    made = run(*words)
    assert (made.code, told in made.err) == (2, True), made
    assert contents(shop) == before


@pytest.mark.parametrize("length", [100, 101, 200, 255])
def test_names_may_be_as_long_as_the_system_lets_them(
    run: Callable[..., Run], shop: Path, length: int
) -> None:
    folder, report = "o" * length, "r" * length
    words = ("protect", "shop.toml", "-o", folder, "--json", report, "--key", "k" * length, "--brief")
    for more in ((), ("--force",)):
        made = run(*words, *more)
        assert made.code == 0, made
        check_nothing_left(shop.parent)
    assert (shop / folder / "manifest.json").exists()


def test_names_that_are_not_text_are_told(run: Callable[..., Run], shop: Path) -> None:
    odd = os.fsdecode(b"caf\xe9")
    made = run("assess", "shop.toml", "--json", f"{odd}/a.json")
    assert (made.code, "its folder does not exist" in made.err, "failed" in made.err) == (2, True, False), (
        made
    )
    (shop / odd).mkdir()
    made = run("assess", "shop.toml", "--json", f"{odd}/a.json", "--html", f"{odd}/a.html")
    assert made.code == 1, made
    assert sorted(path.name for path in (shop / odd).iterdir()) == ["a.html", "a.json"]


def test_a_folder_keeps_its_mode(run: Callable[..., Run], shop: Path) -> None:
    (shop / "out").mkdir(mode=0o750)
    for more in ((), ("--force",)):
        assert run(*PROTECT, *more).code == 0
        assert (shop / "out").stat().st_mode & 0o777 == 0o750


@pytest.fixture
def everybodys() -> Iterator[Path]:
    """A folder into which everybody can look, as the folders of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_release_that_was_made_read_only_is_replaced(everybodys: Path) -> None:
    def in_parts(place: Path) -> Path:
        (place / "parts").mkdir()
        (place / "parts" / "one.dat").write_text("a\n")
        return place / "parts"

    out = everybodys / "out"
    publish_to(out, write=in_parts, judge=lambda _: {"parts/one.dat": 1})
    for folder in (out / "parts", out):
        folder.chmod(0o500)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:  # root may remove everything, so somebody else tries
                for path in (everybodys, *everybodys.rglob("*")):
                    os.chown(path, 65534, 65534)
                os.setuid(65534)
            publish_to(out, force=True)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert names(everybodys) == ["manifest.json", "out", "release.dat"]


def test_reports_of_python_never_replace_the_data(found: ga.Assessment, shop: Path) -> None:
    before = contents(shop)
    (shop / "link").symlink_to("baskets.dat")
    for write in (
        found.to_json,
        found.to_html,
        lambda path: found.write_reports(json=path, force=True),
        lambda path: found.publish(shop / "out", html=path, force=True),
    ):
        for name in ("baskets.dat", "link"):
            with pytest.raises(ga.NotWritten, match="is read by this command"):
                write(shop / name)
    with pytest.raises(ga.NotWritten, match="lies in"):
        found.publish(shop, force=True)
    (shop / "link").unlink()
    assert contents(shop) == before


def test_reports_of_python_replace_others_only_by_force(found: ga.Assessment, shop: Path) -> None:
    mine = shop / "mine.json"
    mine.write_text("years of work")
    with pytest.raises(ga.NotWritten, match="left alone"):
        found.write_reports(json=mine)
    with pytest.raises(ga.NotWritten, match="left alone"):
        found.publish(shop / "out", json=mine)
    assert (mine.read_text(), (shop / "out").exists()) == ("years of work", False)
    found.publish(shop / "out", json=mine, force=True)
    assert ga.__version__ in mine.read_text()


def test_a_report_that_comes_meanwhile_stays(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"

    def judged(file: Path) -> dict[str, int]:
        mine.write_text("years of work")
        return {file.name: 1}

    report = publish.Report(path=mine, mode=publish.OWNERS, render=lambda _: "ours")
    with pytest.raises(ga.NotWritten, match="exists and was left alone"):
        publish_to(tmp_path / "out", judge=judged, reports=[report])
    assert (names(tmp_path), mine.read_text()) == (["mine.json"], "years of work")
    with pytest.raises(ga.NotWritten, match="exists and was left alone"):
        publish.write_texts([publish.Text(path=mine, text="ours", replaces=False)])
    assert (names(tmp_path), mine.read_text()) == (["mine.json"], "years of work")


@pytest.mark.parametrize("stood", [True, False])
def test_files_that_come_into_the_folder_meanwhile_stay(tmp_path: Path, stood: bool) -> None:
    out = tmp_path / "out"
    if stood:
        publish_to(out)
    before = names(tmp_path)

    def judged(file: Path) -> dict[str, int]:
        out.mkdir(exist_ok=True)
        (out / "thesis.tex").write_text("years of work")
        return {file.name: 1}

    with pytest.raises(ga.NotWritten):
        publish_to(out, judge=judged, write=lambda place: written(place, "new\n"), force=True)
    assert names(tmp_path) == sorted({*before, "out", "thesis.tex"})
    assert not stood or (out / "release.dat").read_text() == "a b\n"


def test_what_was_killed_is_put_in_order_where_everything_was_restored_from_a_copy(
    launcher: Launcher, shop: Path
) -> None:
    """Device and number of a file change when it is copied; what it holds does not."""
    words = (*PROTECT, *KEY, *REPORTS)
    (clean,) = launcher.run(shop.parent, words)
    assert clean.code == 0, clean
    before = contents(shop)
    points = [n for n, name in enumerate(clean.operations, 1) if "-new" in name and n > 5][-8:]
    for point in points:
        box = shop.parent.parent / f"{shop.parent.name}-{point}"
        make_box(box, crowd=3)
        (launcher.run(box, words, fault=(point, "SIGKILL")),)
        restored = box.with_name(f"{box.name}-restored")
        shutil.copytree(box, restored)
        shutil.rmtree(box)
        restored.rename(box)
        (again,) = launcher.run(box, (*words, "--force"))
        assert again.code == 0, again
        check_nothing_left(box)
        assert contents(box / "shop").keys() == before.keys()


@pytest.mark.parametrize("told", ['{"token": "x/../../home/photos"}', '{"token": "0", "more": 1}', "[]"])
def test_a_journal_that_came_with_a_folder_removes_nothing_elsewhere(tmp_path: Path, told: str) -> None:
    photos, folder = tmp_path / "home" / "photos-new", tmp_path / "theirs"
    for made in (photos, folder / ".out.giveaway-x"):
        made.mkdir(parents=True)
    (folder / ".out.giveaway-lock").write_text(f"{told}\n")
    assert publish.recover(folder / "out")
    assert photos.is_dir()
    assert not (folder / ".out.giveaway-lock").exists()


def test_a_copy_of_a_folder_in_work_does_not_touch_what_belongs_to_the_original(
    launcher: Launcher, tmp_path: Path
) -> None:
    make_box(tmp_path / "one")
    shop = tmp_path / "one" / "shop"
    words = (*PROTECT, "--key", str(shop / "key.json"), "--json", str(shop / "saved.json"), "--force")
    (clean,) = launcher.run(tmp_path / "one", words)
    last = max(n for n, name in enumerate(clean.operations, 1) if name.startswith("os.rename"))
    (killed,) = launcher.run(tmp_path / "one", words, fault=(last + 1, "SIGKILL"))
    assert killed.code == -9
    before = contents(shop)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    (made,) = launcher.run(tmp_path / "two", (*PROTECT, "--force"))
    assert made.code == 0, made
    assert contents(shop) == before


def test_a_link_in_the_folder_of_a_demo_is_not_followed(run: Callable[..., Run], shop: Path) -> None:
    assert run("demo", "demo").code == 0
    page = shop / "demo" / "owner-report.html"
    page.rename(shop / "kept.html")
    page.symlink_to(shop / "kept.html")
    before = contents(shop)
    made = run("demo", "demo")
    assert (made.code, "left alone" in made.err) == (2, True), made
    assert contents(shop) == before


@pytest.mark.parametrize("name", ["owner-report.html", "public-report.html", "assessment.json"])
def test_a_report_of_a_demo_that_was_edited_is_left_alone(
    run: Callable[..., Run], shop: Path, name: str
) -> None:
    assert run("demo", "demo").code == 0
    (shop / "demo" / name).write_text("years of work")
    before = contents(shop)
    made = run("demo", "demo")
    assert (made.code, "left alone" in made.err) == (2, True), made
    assert contents(shop) == before


PEOPLE = "person,town,illness\n" + "".join(f"{n},t{n % 3},{'flu' if n % 2 else 'none'}\n" for n in range(30))


@pytest.mark.engines
def test_no_file_that_python_has_read_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database, the directory, lists of items, and whatever name they are called by later."""
    monkeypatch.chdir(tmp_path)
    for name in ("people.csv", "register.csv"):
        Path(name).write_text(PEOPLE)
    Path("baskets.dat").write_text("a b\n" * 9 + "c\n" * 3)
    Path("private.txt").write_text("c\n")
    with duckdb.connect("held.duckdb") as held:
        held.execute("CREATE TABLE people AS SELECT * FROM 'people.csv'")
    before = contents(tmp_path)
    roles = {"sensitive": "illness", "id": "person"}
    limit = ga.Tolerance(identity="1/2")
    stored = ga.read_table("duckdb:held.duckdb", table="people", **roles)
    known = ga.KnowsDirectory(people="register.csv", id="person", on=["town"])
    baskets = ga.read_transactions("baskets.dat", private_from="private.txt")
    of_table = ga.assess(ga.Release(stored), known, limit)
    of_baskets = ga.assess(ga.Release(baskets), ga.KnowsItems(at_most=1), limit)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    for found, name in (
        (of_table, "../held.duckdb"),
        (of_table, "../register.csv"),
        (of_baskets, "../private.txt"),
        (of_baskets, "../baskets.dat"),
    ):
        for write in (
            found.to_json,
            found.to_html,
            lambda path, of=found: of.write_reports(json=path, force=True),
        ):
            with pytest.raises(ga.NotWritten, match="is read by this command and was left alone"):
                write(name)
    with pytest.raises(ga.NotWritten, match="are both"):
        of_baskets.publish("out", to="duckdb:new.duckdb", table="t", json="new.duckdb", force=True)
    (tmp_path / "sub").rmdir()
    assert contents(tmp_path) == before


@pytest.mark.parametrize("option", ["--json", "--html", "--public-html"])
def test_an_owners_file_is_never_replaced_by_a_report(
    run: Callable[..., Run], shop: Path, option: str
) -> None:
    assert run(*PROTECT, *KEY).code == 0
    before = contents(shop)
    made = run("assess", "shop.toml", option, "key.json", "--force")
    assert (made.code, "key.json is an owner's file" in made.err) == (2, True), made
    made = run("init", "baskets.dat", "-o", "key.json", "--force")
    assert (made.code, "key.json is an owner's file" in made.err) == (2, True), made
    assert contents(shop) == before


def test_the_entry_of_a_release_stays_when_its_copy_is_replaced(run: Callable[..., Run], shop: Path) -> None:
    assert run(*PROTECT, *KEY).code == 0
    manifest = hashlib.sha256((shop / "out" / "manifest.json").read_bytes()).hexdigest()
    shutil.copytree(shop / "out", shop / "copy")
    (shop / "baskets.dat").write_text("bread milk\n" * 8)
    assert run("protect", "shop.toml", "-o", "copy", "--force", *KEY).code == 0
    entries = json.loads((shop / "key.json").read_text())["releases"]
    assert [entry["manifest"] == manifest for entry in entries] == [True, False]
    assert run("protect", "shop.toml", "-o", "copy", "--force", *KEY).code == 0
    assert len(json.loads((shop / "key.json").read_text())["releases"]) == 2


def test_a_refused_run_leaves_the_same_report_of_another_run_alone(tmp_path: Path) -> None:
    """Two runs may draw the same bytes, and only one of them has written the file."""
    mine = tmp_path / "public.html"
    report = publish.Report(path=mine, mode=publish.EVERYBODYS, render=lambda _: "the same")

    def judged(file: Path) -> dict[str, int]:
        if not mine.exists():
            publish_to(tmp_path / "first", reports=[report])
        return {file.name: 1}

    with pytest.raises(ga.NotWritten, match="exists and was left alone"):
        publish_to(tmp_path / "second", judge=judged, reports=[report])
    assert mine.read_text() == "the same"
    assert names(tmp_path) == ["first", "manifest.json", "public.html", "release.dat"]


def test_a_pipe_with_the_name_of_a_lock_is_left_alone(run: Callable[..., Run], shop: Path) -> None:
    os.mkfifo(shop / ".out.giveaway-lock")
    made = run(*PROTECT)
    assert (made.code, "is not a file" in made.err) == (2, True), made
    assert stat.S_ISFIFO((shop / ".out.giveaway-lock").stat().st_mode)


def test_a_demo_that_was_cut_short_can_be_repeated(run: Callable[..., Run], shop: Path) -> None:
    assert run("demo", "demo").code == 0
    for name in ("pharmacy.toml", "assessment.json", "owner-report.html"):
        (shop / "demo" / name).unlink()
    shutil.rmtree(shop / "demo" / "release")
    (shop / "demo" / "public-report.html").unlink()
    assert run("demo", "demo").code == 0


def test_options_and_scenario_are_told_together(run: Callable[..., Run], shop: Path) -> None:
    (shop / "shop.toml").write_text(
        '[release]\ndata = "none.dat"\n[tolerates]\nidentity = "x"\n[[knows]]\nattack = "items"\nat_most = -1\n'
    )
    made = run(
        "assess",
        "shop.toml",
        "--exposures",
        "²",
        "--memory",
        "much",
        "--json",
        "baskets.dat",
        "--html",
        "shop.toml",
    )
    assert made.code == 2
    for said in (
        "--exposures ²",
        "--memory much",
        "none.dat",
        "identity",
        "at_most",
        "shop.toml is read by this command",
    ):
        assert said in made.err, made.err
