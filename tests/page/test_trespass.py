"""What others, other tabs and forged requests get from the page: nothing that they were not to have."""

import http.client
import json
import multiprocessing
import os
import random
import re
import shlex
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import duckdb
import pytest
from tests.page.conftest import PLACE, SECRET, let_in
from tests.page.screens import WAIT
from tests.page.watching import watched

import giveaway as ga
from giveaway.page import page as drawn
from giveaway.page import uploads, worker
from giveaway.page.entrance import Entrance
from giveaway.page.server import _GET, _POST
from giveaway.page.steps import question
from giveaway.page.steps.head import STEPS

NOBODY = 65534
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
AS_NOBODY: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "capture_output": True}
TABLE = "who,age,ill\n" + "".join(f"p{i},{20 + i % 3},{'yes' if i % 2 else 'no'}\n" for i in range(12))
ASKS = """
[release]
data = "people.csv"
id = "who"
sensitive = "ill"

[tolerates]
identity = "1/3"

[[knows]]
attack = "directory"
columns = ["age"]
"""


def send(
    at: Any,
    method: str,
    path: str,
    fields: Mapping[str, str] | bytes | None = None,
    *,
    mark: str | None = "now",
    **headers: str,
) -> tuple[int, str]:
    """Send a request as the page itself does: with cookie and origin, and the mark of what stands now."""
    if mark == "now":
        at.session.drawn(mark)
    body = fields if isinstance(fields, bytes) else urlencode(fields or {}, errors="surrogateescape").encode()
    connection = http.client.HTTPConnection("127.0.0.1", at.port, timeout=60)
    connection.putrequest(method, f"/{PLACE}/{quoted(path)}", skip_accept_encoding=True)
    given = {
        "cookie": f"giveaway={SECRET}",
        "origin": f"http://127.0.0.1:{at.port}",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(body)),
        **({} if mark is None else {"giveaway-of": mark}),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    for name, value in given.items():
        connection.putheader(name, value.encode("utf-8", "surrogateescape"))
    connection.endheaders(body)
    answer = connection.getresponse()
    told = answer.status, answer.read().decode()
    connection.close()
    return told


def quoted(path: str) -> str:
    """Write a path so that it can be sent at all."""
    return quote(path, safe="/?=&%", errors="surrogateescape")


def opened(at: Any, name: str) -> str:
    """Open a file of the folder, and return the page that it leads to."""
    assert send(at, "POST", "open", {"path": str(at.folder / name)})[0] == 303
    return wait(at)


def wait(at: Any) -> str:
    """Wait until a file is open, or is refused."""
    for _ in range(200):
        status, text = send(at, "GET", "opening")
        if status == 303 or "hx-get" not in text:
            return text
    raise AssertionError("it was never open")


@contextmanager
def running(folder: Path, *words: str, out: Any = subprocess.PIPE, **env: str) -> Iterator[Any]:
    """Run `giveaway open` until the end of the context."""
    with subprocess.Popen(
        [sys.executable, "-m", "giveaway", "open", *words],
        cwd=folder,
        stdout=out,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **env},
        start_new_session=True,
    ) as process:
        yield process
        os.killpg(process.pid, signal.SIGKILL)  # with the browser that it started


def test_the_watch_notices_what_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, log = tmp_path / "watched", tmp_path / "log"
    folder.mkdir()
    (folder / "file.csv").write_text("a\n1\n")
    with watched(folder, log, monkeypatch) as by_python:
        (folder / "file.csv").read_text()
    with watched(folder, tmp_path / "other", monkeypatch) as by_system:
        duckdb.sql(f"FROM read_csv('{folder / 'file.csv'}')").fetchall()
    assert by_python[0] == f"open {folder / 'file.csv'}"
    assert not sys.platform.startswith("linux") or "the system noticed" in by_system[-1]


def test_a_word_lets_one_browser_in_once_and_the_next_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    said: list[str] = []
    way = Entrance(1, say=said.append)
    word = way.show().rpartition("/")[2]
    status, text, headers = way.answer(word)
    cookie = dict(headers)[b"set-cookie"].decode()
    assert (status, f"url=/{way.place}/" in text) == (200, True)
    assert cookie == f"giveaway={way.secret}; Path=/{way.place}/; HttpOnly; SameSite=Strict"
    assert way.knows(f"other=1; {cookie.split(';')[0]}")
    assert not any(
        map(way.knows, ("", "giveaway=", "giveaway=x", f"giveaways={way.secret}", "giveaway=\xe4"))
    )
    status, text, headers = way.answer(word)
    assert (status, "set-cookie" in str(headers)) == (403, False)
    assert way.secret not in text
    assert way.place not in text
    (told,) = said
    assert way.answer(told.rpartition("/")[2])[0] == 200
    assert len(said) == 2
    assert way.answer("")[0] == way.answer("x" * 10_000)[0] == way.answer("\xe4")[0] == 403


def test_without_the_cookie_the_place_is_of_no_use(served: Callable[..., Any]) -> None:
    at = served()
    for cookie in ("", "giveaway=x", "giveaway="):
        assert send(at, "GET", "", cookie=cookie)[0] == 403
        assert send(at, "POST", "open", {"made_up": "yes"}, cookie=cookie)[0] == 403
    assert at.session.opening is None


def test_a_browser_comes_in_by_a_file_and_needs_nothing_else(
    empty: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    at = served()
    way = at.app.user_middleware[0].kwargs["entrance"]
    way.folder = tmp_path
    file = way.file()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    empty.goto(file.as_uri())
    empty.locator("h1:has-text('give away')").wait_for(timeout=WAIT)
    assert empty.url == at.url
    assert empty.evaluate("document.cookie") == ""
    assert not file.exists()
    empty.context.clear_cookies()
    empty.reload()
    empty.locator("text=belongs to the browser that was let in").wait_for(timeout=WAIT)


@pytest.mark.skipif(not IS_ROOT, reason="another user can be asked only by root")
@pytest.mark.parametrize("through", [[], ["tee"]], ids=["file", "pipe"])
def test_another_user_gets_nothing_from_processes_log_and_file(through: list[str], tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(TABLE)
    stays = tmp_path / "stays.sh"
    stays.write_text('#!/bin/sh\necho "$1" > opened; sleep 30\n')
    stays.chmod(0o755)
    log = tmp_path / "log"
    with ExitStack() as stack:
        out: Any = stack.enter_context(log.open("w"))
        log.chmod(0o644)
        if through:
            out = stack.enter_context(subprocess.Popen(through, stdin=subprocess.PIPE, stdout=out)).stdin
        page = stack.enter_context(running(tmp_path, out=out, BROWSER=f"{stays} %s"))
        for _ in range(400):
            if (tmp_path / "opened").exists() and (tmp_path / "opened").read_text().strip():
                break
            with pytest.raises(subprocess.TimeoutExpired):
                page.wait(0.05)
        look = subprocess.run(
            ["sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'"], check=False, **AS_NOBODY
        )
        seen = look.stdout.decode(errors="replace")
        way = Path((tmp_path / "opened").read_text().strip().removeprefix("file://"))
        assert way.as_uri() in seen  # so the look at the processes does see what there is
        assert (stat.S_IMODE(way.stat().st_mode), stat.S_IMODE(way.parent.stat().st_mode)) == (0o600, 0o700)
        assert "/enter/" not in seen
        told = log.read_text()
        assert "/enter/" not in told
        for path in (way, *(Path(name) for name in re.findall(r"file://(\S+)", told))):
            denied = subprocess.run(["cat", path], check=False, **AS_NOBODY)
            assert (denied.returncode, denied.stdout) == (1, b"")
        word = led(way.as_uri())
        assert [get(word)[0] for _ in range(2)] == [200, 403]


def led(line: str) -> str:
    """Return the address in the file that a line leads to, which its owner alone may read."""
    file = Path(line.rsplit(maxsplit=1)[-1].removeprefix("file://"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return re.findall(r"http://127.0.0.1:\d+/enter/[\w-]+", file.read_text())[0]


def get(address: str) -> tuple[int, str]:
    host, _, path = address.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", f"/{path}")
    answer = connection.getresponse()
    told = answer.status, answer.read().decode()
    connection.close()
    return told


@pytest.fixture
def walled(tmp_path: Path) -> Path:
    """A folder with a question and links that lead out of it, next to one with what is nobody's business."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside, outside / "release"):
        folder.mkdir()
    (inside / "people.csv").write_text(TABLE)
    (inside / "people.toml").write_text(ASKS)
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    (inside / "folder").symlink_to(outside)
    (outside / "secret.csv").write_text("who,age\ntulip,1\n")
    (outside / "secret.toml").write_text(ASKS)
    (outside / "secret.duckdb").write_text("tulip")
    (outside / "release" / "manifest.json").write_text("tulip")
    return inside


def outward(folder: Path) -> list[str]:
    """Every way to name the file outside."""
    return ["../out/secret.csv", str(folder.parent / "out/secret.csv"), "link.csv", "folder/secret.csv"]


FIELDS = (
    "release.data",
    "release.secrets",
    "release.must_publish",
    "release.withheld",
    "release.hierarchies.age",
    "release.statements_from",
    "release.sensitivity.records",
    "knows.0.people",
    "knows.0.true_people",
    "earlier",
)


@pytest.mark.parametrize("field", FIELDS)
def test_a_scenario_that_names_a_file_outside_is_refused_before_it_is_read(
    served: Callable[..., Any], walled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    names = [*outward(walled), "../out/nothing-there.csv"]
    for place, name in enumerate(names):
        value: Any = [{"release": name, "linked": "records"}] if field == "earlier" else name
        (walled / f"asks{place}.toml").write_text(ga.edit_scenario(ASKS, {field: value}))
    with watched(tmp_path / "out", tmp_path / "log", monkeypatch) as noticed:
        at = served(folder=walled)
        told = [opened(at, f"asks{place}.toml") for place in range(len(names))]
    assert noticed == []
    assert all("outside the folders that may be read" in text and "tulip" not in text for text in told)
    assert not at.session.is_open


def test_a_text_that_names_no_file_opens_no_folder_outside(
    served: Callable[..., Any], walled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (walled / "asks.toml").write_text(ga.edit_scenario(ASKS, {"release.missing": ["../out", "folder"]}))
    with watched(tmp_path / "out", tmp_path / "log", monkeypatch) as noticed:
        at = served(folder=walled)
        opened(at, "asks.toml")
        assert at.session.is_open
    assert noticed == []


@pytest.mark.parametrize(
    ("job", "more"),
    [
        ("look", {"path": "link.csv"}),
        ("open", {"path": "folder/secret.toml"}),
        ("show", {"path": "link.csv"}),
        ("describe", {"text": '[release]\ndata = "link.csv"', "folder": ""}),
        ("publish", {"text": ASKS, "folder": "", "target": "folder/new", "mark": ""}),
        ("publish", {"text": ASKS, "folder": "", "target": "new", "html": "folder/new.html", "mark": ""}),
    ],
)
def test_what_became_a_link_since_it_was_named_is_refused_where_it_is_used(
    walled: Path, job: str, more: dict[str, str]
) -> None:
    places = {name: str(walled / value) for name, value in more.items() if name not in ("text", "mark")}
    word, wrong = worker._done(worker.Worker(print, lambda: False, (walled,)), job, {**more, **places})
    assert (word, "lies outside the folders" in wrong[0]["fact"]) == ("wrong", True)
    assert not (walled.parent / "out" / "new").exists()


def test_a_manifest_leads_nowhere_else(served: Callable[..., Any], walled: Path) -> None:
    release = walled / "earlier"
    release.mkdir()
    listed = [{"file": "../../out/secret.csv", "sha256": "0" * 64, "rows": 1}]
    (release / "manifest.json").write_text(json.dumps({"schema": 1, "giveaway": "0", "files": listed}))
    (walled / "asks.toml").write_text(
        ga.edit_scenario(ASKS, {"earlier": [{"release": "earlier", "linked": "records"}]})
    )
    assert "tulip" not in opened(served(folder=walled), "asks.toml")


@pytest.mark.parametrize("field", ["people", "release.data", "release.secrets", "true_people"])
def test_a_field_of_the_page_takes_no_file_from_outside(
    served: Callable[..., Any], walled: Path, field: str
) -> None:
    at = served(folder=walled)
    opened(at, "people.toml")
    for name in (*outward(walled), "sc://127.0.0.1:1", "duckdb:../out/secret.duckdb"):
        status, text = send(at, "POST", "ask", {f"file:0:{field}": name})
        assert status in (400, 404)
        assert "tulip" not in text
    assert at.session.text == ASKS


def test_save_asks_before_it_replaces_and_offers_a_name_that_is_free(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / "people.toml").write_text("# mine\n")
    at = served()
    page.goto(at.url)
    page.click("button:has(b:text-is('people.csv'))")
    page.click("text=Show the file", timeout=WAIT)
    assert page.input_value("input[name=name]") == "people-2.toml"
    page.fill("input[name=name]", "people.toml")
    page.click("button:text-is('Save')")
    page.locator("text=people.toml exists and was left alone").wait_for(timeout=WAIT)
    assert (tmp_path / "people.toml").read_text() == "# mine\n"
    page.check("text=Replace what is there")
    page.click("button:text-is('Save')")
    page.locator("button:text-is('Replace people.toml')").wait_for(timeout=WAIT)
    assert (tmp_path / "people.toml").read_text() == at.session.text
    assert page.input_value("input[name=name]") == "people-2.toml"
    page.click("button:text-is('Replace people.toml')")
    page.wait_for_load_state()
    (tmp_path / "people.toml").write_text("# changed\n")
    page.click("button:text-is('Replace people.toml')")
    page.locator("text=people.toml was changed since it was opened here and was left alone").wait_for(
        timeout=WAIT
    )
    assert (tmp_path / "people.toml").read_text() == "# changed\n"
    page.check("text=Replace what is there")
    page.click("button:text-is('Replace people.toml')")
    page.locator("text=was left alone").wait_for(state="detached", timeout=WAIT)
    assert (tmp_path / "people.toml").read_text() == at.session.text
    (tmp_path / "other.toml").write_text("# mine\n")
    assert send(at, "POST", "save", {"replace": "other.toml"})[0] == 400
    assert (tmp_path / "other.toml").read_text() == "# mine\n"
    (tmp_path / "other.toml").unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "people.toml"]


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A question in a folder, with its data."""
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / "people.toml").write_text(ASKS)
    return tmp_path / "people.toml"


def test_nobody_reads_a_saved_question_who_could_not_before(served: Callable[..., Any], asked: Path) -> None:
    at = served()
    asked.chmod(0o600)
    opened(at, asked.name)
    send(at, "POST", "ask", {"limit:identity": "0"})
    assert send(at, "POST", "save", {"replace": asked.name})[0] == 303
    assert asked.read_text() == at.session.text != ASKS
    assert stat.S_IMODE(asked.stat().st_mode) == 0o600


def test_what_may_be_replaced_is_what_was_asked_about(served: Callable[..., Any], asked: Path) -> None:
    at = served()
    opened(at, asked.name)
    for name in ("one", "two"):
        (asked.parent / name).mkdir()
        assert written(at, name)
        asked.with_name(f"{name}.toml").write_text("# mine\n")
    _, text = send(at, "POST", "save", {"name": "one.toml"})
    assert 'name="over" value="one.toml"' in text
    assert send(at, "POST", "save", {"name": "two.toml", "over": "one.toml"})[0] == 409
    assert asked.with_name("two.toml").read_text() == "# mine\n"
    before = (asked.parent / "two" / "manifest.json").read_bytes()
    text = written(at, "one", format="jsonl")
    assert re.findall(r'name="(?:folder|force)" value="([^"]*)"', text) == ["one", "one"]
    assert re.search(r'value="jsonl" checked', text)
    assert not re.search(r'name="html" value="yes" checked', text)
    assert 'name="force" value="two"' in written(at, "two", force="one", format="jsonl")
    assert (asked.parent / "two" / "manifest.json").read_bytes() == before
    assert "Written, read back" in written(at, "one", force="one", format="jsonl")
    assert 'value="../out"' in written(at, "../out")


def written(at: Any, folder: str, **more: str) -> str:
    """Write a release, and return the page that says how that ended."""
    at.session.written = None
    for _ in range(100):
        _, text = send(at, "GET", "publish")
        if result := re.findall(r'name="result" value="(\w+)"', text):
            break
    status, text = send(at, "POST", "write", {"result": result[0], "folder": folder, **more})
    assert status in (303, 409)
    while status == 303 or 'hx-get="publish"' in text:
        status, text = send(at, "GET", "publish")
    return text


@pytest.mark.parametrize("name", [f"{'x' * 251}.csv", f"{'y' * 250}.toml", ".hidden.csv", "a b;$(id)'.csv"])
def test_a_name_that_is_offered_is_of_use_and_runs_nothing(
    served: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / name).write_text(ASKS if name.endswith(".toml") else TABLE)
    at = served()
    opened(at, name)
    _, text = send(at, "GET", "file")
    (offered,) = re.findall(r'name="name" value="([^"]*)"', text)
    assert not (tmp_path / unescape(offered)).exists()
    assert send(at, "POST", "save", {"name": unescape(offered)})[0] == 303
    assert (tmp_path / unescape(offered)).read_text() == at.session.text
    _, text = send(at, "GET", "file")
    command = unescape(re.findall(r"giveaway assess (.*)\ngiveaway protect", text)[0])
    assert shlex.split(command) == [at.session.name]
    assert not set(";$ ") & set(re.sub("'[^']*'", "", command))


def title(tab: Any, words: str) -> None:
    tab.locator(f"h1:has-text('{words}')").wait_for(timeout=WAIT)
    tab.wait_for_load_state()


def test_an_old_tab_neither_writes_nor_asks(
    page: Any, browser: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    other, stale = browser.new_page(), browser.new_page()
    for tab in (other, stale):
        let_in(tab)
    page.goto(f"{at.url}publish")
    title(page, "Write the release")
    other.goto(f"{at.url}question")
    title(other, "179 of 3,000")
    stale.goto(f"{at.url}question")
    title(stale, "179 of 3,000")
    shown = json.loads(stale.get_attribute("body", "hx-headers"))["giveaway-of"]
    other.focus("#limit-identity")
    other.keyboard.press("Home")
    for _ in range(WAIT // 100):
        if tomllib.loads(asked := at.session.text)["tolerates"]["identity"] == "1/2":
            break
        other.wait_for_timeout(100)
    other.locator("#answer:not(:has(.busy)) .chip").first.wait_for(timeout=WAIT)
    assert tomllib.loads(asked)["tolerates"]["identity"] == "1/2"

    page.click("text=Check and write")
    title(page, "older than the question")
    assert not (pharmacy / "release").exists()
    assert send(at, "POST", "ask", {"limit:identity": "5"}, mark=shown, hx_request="true")[0] == 409
    stale.keyboard.press("Control+z")  # by now it may have heard that it is old
    title(stale, "older than the question")
    assert at.session.text == asked
    stale.click("text=Show it as it is now")
    stale.locator("#limit-identity").wait_for(timeout=WAIT)
    assert stale.input_value("#limit-identity") == "0"

    stale.keyboard.press("Control+z")  # it shows what stands now, and may change it
    stale.wait_for_load_state()
    stale.locator("#limit-identity").wait_for(timeout=WAIT)
    page.go_back()
    page.locator("text=Check and write").wait_for(timeout=WAIT)
    for tab in (other, stale):
        tab.close()


def test_no_answer_is_drawn_with_a_question_that_came_meanwhile(
    served: Callable[..., Any], asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn, "WHOLE", 60)
    at = served()
    opened(at, asked.name)
    send(at, "GET", "question")
    os.kill(at.engine.worker, signal.SIGSTOP)
    send(at, "POST", "ask", {"limit:identity": "0"})
    before, told = at.app.state.heard, list[tuple[int, str]]()
    tab = threading.Thread(target=lambda: told.append(send(at, "GET", "question")))
    tab.start()  # it waits for an answer, which is that the release is safe
    while at.app.state.heard == before:
        tab.join(0.01)
    send(at, "POST", "ask", {"limit:identity": "9"})  # in another tab; here it is not
    os.kill(at.engine.worker, signal.SIGCONT)
    tab.join()
    assert told[0][0] == 303
    assert "SAFE" not in send(at, "GET", "question")[1]


def test_a_tab_whose_data_change_while_it_waits_is_told(
    served: Callable[..., Any], asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question, "NEWS", 30)
    at = served()
    opened(at, asked.name)
    os.kill(at.engine.worker, signal.SIGSTOP)
    send(at, "POST", "ask", {"limit:identity": "0"})
    at.session.drawn("waits")
    before, told = at.app.state.heard, list[tuple[int, str]]()
    tab = threading.Thread(
        target=lambda: told.append(send(at, "GET", "answer", mark="waits", hx_request="true"))
    )
    tab.start()
    while at.app.state.heard == before:
        tab.join(0.01)
    asked.with_name("people.csv").write_text(TABLE + "p12,90,no\n")
    os.kill(at.engine.worker, signal.SIGCONT)
    tab.join()
    assert told[0][0] == 409


def test_a_form_that_comes_in_slowly_is_judged_once_it_is_here(
    served: Callable[..., Any], asked: Path
) -> None:
    at = served()
    opened(at, asked.name)
    at.session.drawn("slow")
    with socket.create_connection(("127.0.0.1", at.port), timeout=30) as raw:
        lines = (
            f"POST /{PLACE}/save?of=slow HTTP/1.1\r\nhost: 127.0.0.1:{at.port}\r\n"
            f"origin: http://127.0.0.1:{at.port}\r\ncookie: giveaway={SECRET}\r\n"
            "content-type: application/x-www-form-urlencoded\r\ncontent-length: 17\r\n\r\n"
        )
        raw.sendall(f"{lines}name=other".encode())
        send(at, "POST", "ask", {"limit:identity": "9"})
        raw.sendall(b"%2Etoml")
        assert raw.recv(100).startswith(b"HTTP/1.1 409")
    assert not asked.with_name("other.toml").exists()


def test_a_result_that_is_not_the_one_shown_is_not_written(
    served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    wait(at)
    of = {"folder": "out", "key": "yes"}
    assert send(at, "POST", "write", of)[0] == 409
    for _ in range(100):
        _, text = send(at, "GET", "publish")
        if "Check and write" in text:
            break
    (result,) = re.findall(r'name="result" value="(\w+)"', text)
    (pharmacy / "baskets.dat").write_text((pharmacy / "baskets.dat").read_text() + "insulin\n")
    assert send(at, "POST", "write", of | {"result": result})[0] == 409
    assert not (pharmacy / "out").exists()


def test_a_worker_that_is_killed_right_after_write_leaves_a_message(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}publish")
    title(page, "Write the release")
    os.kill(at.engine.worker, signal.SIGSTOP)
    page.click("text=Check and write", no_wait_after=True)
    while at.session.writing is None:
        page.wait_for_timeout(20)
    os.kill(at.engine.worker, signal.SIGKILL)
    page.locator(".fact:has-text('ended by itself')").wait_for(timeout=WAIT)
    assert not (pharmacy / "release").exists()


def test_a_page_that_is_closed_while_it_writes_leaves_nothing(
    served: Callable[..., Any], pharmacy: Path
) -> None:
    before = sorted(pharmacy.iterdir())
    at = served("pharmacy.toml")
    wait(at)
    for _ in range(100):
        _, text = send(at, "GET", "publish")
        if "Check and write" in text:
            break
    (result,) = re.findall(r'name="result" value="(\w+)"', text)
    assert send(at, "POST", "write", {"folder": "out", "result": result})[0] == 303
    while not list(pharmacy.glob(".out.giveaway-*")):
        assert at.session.writing.over is False
    os.kill(at.engine.worker, signal.SIGSTOP)
    threading.Timer(0.2, os.kill, (at.engine.worker, signal.SIGCONT)).start()
    at.engine.close()
    assert sorted(pharmacy.iterdir()) == before


def test_a_worker_ends_with_its_page_whatever_it_is_doing() -> None:
    here, there = multiprocessing.Pipe()
    alone = multiprocessing.get_context("spawn").Process(target=work_for_long, args=(there, ()), daemon=True)
    alone.start()
    there.close()
    here.send((1, "look", {"path": "data.csv"}))
    assert here.recv() == (1, "progress", "begun")
    here.close()  # as a kill does
    alone.join(30)
    assert alone.exitcode == 0


def work_for_long(connection: Any, folders: Any) -> None:
    """Work as the worker of the page does, on something that takes very long."""

    def look(path: str) -> None:
        connection.send((1, "progress", "begun"))
        time.sleep(600)

    worker.Worker.look = staticmethod(look)  # type: ignore[assignment,method-assign]
    worker.main(connection, folders)


def test_dropped_files_go_with_the_next_command_after_a_kill(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with running(tmp_path, "--no-browser", TMPDIR=str(temporary)) as page:
        word = led(page.stdout.readline())
        port = int(word.split(":")[2].split("/")[0])
        answer = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        answer.request("GET", word.partition(str(port))[2])
        came = answer.getresponse()
        (place,) = re.findall(r"url=/([\w-]+)/", came.read().decode())
        cookie = str(came.getheader("set-cookie")).split(";")[0]
        answer.request("GET", f"/{place}/", headers={"cookie": cookie})
        (of,) = re.findall(r'giveaway-of": "([\w-]+)"', answer.getresponse().read().decode())
        part = (
            b'--x\r\ncontent-disposition: form-data; name="file"; filename="d.csv"\r\n\r\ntulip\r\n--x--\r\n'
        )
        kind = {"content-type": "multipart/form-data; boundary=x", "origin": f"http://127.0.0.1:{port}"}
        answer.request("POST", f"/{place}/open?of={of}", part, {"cookie": cookie, **kind})
        assert answer.getresponse().status == 303
        answer.close()
        assert any(b"tulip" in path.read_bytes() for path in temporary.rglob("d.csv"))
        page.send_signal(signal.SIGKILL)
        page.wait(30)
    subprocess.run(
        [sys.executable, "-m", "giveaway", "explain"],
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        check=True,
    )
    assert [path.name for path in temporary.iterdir() if "giveaway" in path.name] == []


@pytest.mark.parametrize("told", ["length", "chunked"])
def test_what_is_too_large_is_refused_while_it_arrives(
    served: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 1000)
    at = served()
    at.session.drawn("now")
    begin = b'--x\r\ncontent-disposition: form-data; name="file"; filename="d.csv"\r\n\r\n'
    more = b"a" * (1 << 16)
    length = b"content-length: 99999999" if told == "length" else b"transfer-encoding: chunked"
    with socket.create_connection(("127.0.0.1", at.port), timeout=30) as raw:
        lines = (
            f"POST /{PLACE}/open?of=now HTTP/1.1\r\nhost: 127.0.0.1:{at.port}\r\n"
            f"origin: http://127.0.0.1:{at.port}\r\ncookie: giveaway={SECRET}\r\n"
            "content-type: multipart/form-data; boundary=x\r\n"
        )
        raw.sendall(lines.encode() + length + b"\r\n\r\n")
        for piece in (begin, more, more):  # and no more: it is answered before the rest has come
            raw.sendall(piece if told == "length" else b"%x\r\n%s\r\n" % (len(piece), piece))
        assert raw.recv(100).startswith(b"HTTP/1.1 413")
    assert send(at, "POST", "open", begin + b"a" * 1001 + b"\r\n--x--\r\n", **MULTIPART)[0] == 413
    assert list(at.session.uploads.iterdir()) == []
    assert send(at, "POST", "open", begin + b"a" * 1000 + b"\r\n--x--\r\n", **MULTIPART)[0] == 303


def drop(at: Any, path: str, name: str, text: str, field: str = "") -> tuple[int, str]:
    """Drop a file on the page."""
    head = "--x\r\ncontent-disposition: form-data; name="
    parts = f'{head}"field"\r\n\r\n{field}\r\n{head}"file"; filename="{name}"\r\n\r\n{text}\r\n--x--\r\n'
    return send(at, "POST", path, parts.encode(), **MULTIPART)


def test_no_dropped_file_takes_the_place_of_another(served: Callable[..., Any]) -> None:
    at = served()
    assert drop(at, "open", "people.csv", TABLE)[0] == 303
    wait(at)
    data, text = at.session.base / "people.csv", TABLE + "p99,20,no\n"
    assert drop(at, "beside", "people.csv", text, "0:people")[0] == 409
    assert "people" not in at.session.attackers[0]
    assert drop(at, "beside", "people.csv", TABLE, "0:people")[0] == 303  # it holds the same
    assert drop(at, "beside", "people.csv", text, "0:people")[0] == 409
    for register in (text, TABLE):  # chosen anew
        assert drop(at, "beside", "register.csv", register, "0:people")[0] == 303
        assert (at.session.base / "register.csv").read_text() == register
    assert drop(at, "open", "people.csv", "broken")[0] == 303
    assert data.read_text() == TABLE


def test_what_is_saved_says_which_files_will_be_gone(served: Callable[..., Any], asked: Path) -> None:
    at = served()
    opened(at, asked.name)
    assert "not kept" not in send(at, "GET", "file")[1]
    assert drop(at, "beside", "register.csv", TABLE, "0:people")[0] == 303
    assert "not kept: register.csv." in send(at, "GET", "file")[1]
    assert drop(at, "open", "people.csv", TABLE)[0] == 303
    wait(at)
    assert "not kept: people.csv." in send(at, "GET", "file")[1]


MULTIPART = {"content_type": "multipart/form-data; boundary=x"}
ODD = (
    "",
    "\0",
    "x" * 300,
    "x" * 5000,
    "²",
    "-1",
    "9" * 30,
    "[]",
    "{}",
    "..",
    ".",
    "/",
    "\udcff",
    "<b>",
    "a.b.c",
    "5 ",
)
MALFORMED = [
    ("GET", "question?who=x", {}),
    ("GET", "question?who=²", {}),
    ("GET", "compare?a=-1", {}),
    ("GET", "effect?column=nobody&width=5", {}),
    ("GET", "attempt?set=%7B%22knows%22%3A5%7D", {}),
    ("POST", "open", {"path": "people.csv\0"}),
    ("POST", "open", {"path": "x" * 5000}),
    ("POST", "open", {"address": "duckdb:\0", "table": "x"}),
    ("POST", "open", {}),
    ("POST", "save", {"name": "\0.toml"}),
    ("POST", "save", {"name": "x" * 300 + ".toml"}),
    ("POST", "save", {"name": "../x.toml"}),
    ("POST", "save", {"replace": "pyproject.ini"}),
    ("POST", "ask", {"columns:7": "1"}),
    ("POST", "ask", {"file:x": "1"}),
    ("POST", "ask", {"limit:bogus": "0"}),
    ("POST", "ask", {"limit:identity": "²"}),
    ("POST", "ask", {"strength:0": "²"}),
    ("POST", "ask", {"need:knows": "5"}),
    ("POST", "ask", {"seq": "²"}),
    ("POST", "ask", {"bogus": "1"}),
    ("POST", "role", {"column": "nobody", "role": "id"}),
    ("POST", "role", {"column": "age", "role": "king"}),
    ("POST", "classes", {"column": "age", "width": "²"}),
    ("POST", "private", {"private": "nothing"}),
    ("POST", "change", {"set": '{"knows": 5}'}),
    ("POST", "use", {"name": "²"}),
    ("POST", "stop", {"task": "²"}),
    ("POST", "somebody", {"remove": "²"}),
    ("POST", "write", {"folder": "\0"}),
]


def test_a_malformed_request_gets_a_sentence_and_changes_nothing(
    served: Callable[..., Any], walled: Path
) -> None:
    at = served(folder=walled)
    opened(at, "people.toml")
    send(at, "GET", "data")
    wrong = {}
    for method, path, fields in MALFORMED:
        status, text = send(at, method, path, fields)
        if not (400 <= status < 500 and re.search(r"[A-Z][^<>]+\.", text)):
            wrong[method, path, str(fields)[:80]] = status
    for name in ("..", ".", "x" * 300, "a%00b"):
        body = b'--x\r\ncontent-disposition: form-data; name="file"; filename="%s"\r\n\r\na\r\n--x--\r\n'
        status, text = send(at, "POST", "open", body % name.encode(), **MULTIPART)
        if status != 400 and name != "a%00b":
            wrong[name] = status
    assert wrong == {}
    assert at.session.text == ASKS


def test_odd_files_in_the_folder_are_told_and_stop_nothing(served: Callable[..., Any], asked: Path) -> None:
    folder = asked.parent
    (folder / "deep.toml").write_text(f"a={'[' * 5000}{']' * 5000}")
    (folder / "latin.toml").write_bytes(b'[release]\ndata = "\xe4.csv"\n')
    for name in ("pipe.csv", "pipe.toml"):
        os.mkfifo(folder / name)
    at = served()
    for name in ("deep.toml", "latin.toml", "pipe.toml", "pipe.csv"):
        status, text = send(at, "GET", "")
        assert (status, name in text) == (200, False)
        assert re.search(r"<dd>[^<]* (too deep|not UTF-8|a FIFO)", opened(at, name))
    opened(at, asked.name)
    assert at.session.is_open
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    for step in ("", *STEPS, "file"):
        assert send(at, "GET", step)[0] == 200
    assert send(at, "POST", "save", {"name": "x.toml"})[0] == 409


def forged(drawn_: random.Random, folder: Path) -> tuple[str, str, Mapping[str, str] | bytes, dict[str, str]]:
    """Forge a request: one that the page sends with values that it does not, or anything at all."""
    values = (
        *ODD,
        *outward(folder),
        "people.csv",
        "people.toml",
        "1",
        "0",
        "yes",
        "id",
        "age",
        "who",
        "directory",
    )
    names = [
        "path",
        "address",
        "table",
        "password",
        "made_up",
        "file",
        "name",
        "replace",
        "over",
        "column",
        "role",
        "private",
        "shown",
        "width",
        "row",
        "item",
        "set",
        "here",
        "limit",
        "form",
        "add",
        "remove",
        "folder",
        "format",
        "force",
        "key",
        "html",
        "public_html",
        "result",
        "task",
        "seq",
        "number",
        "of",
        "who",
        "a",
        "b",
        "edition",
        "find",
        "limit:identity",
        "limit:attribute",
        "strength:0",
        "columns:0",
        "tick:0:0",
        "need:needs.columns.per_record",
        "add-limit",
        "file:0:people",
        "file:0:release.secrets",
        "file:0:release.data",
        "bogus",
    ]
    fields = {drawn_.choice([*names, *ODD]): drawn_.choice(values) for _ in range(drawn_.randrange(4))}
    method = drawn_.choice(["GET", "POST", "POST", "POST"])
    path = drawn_.choice([*(_GET if method == "GET" else _POST), *ODD])
    more: dict[str, str] = {}
    if drawn_.random() < 0.1:
        more["mark"] = drawn_.choice(ODD)
    if drawn_.random() < 0.1:
        more["hx_request"] = "true"
    if method == "GET":
        return method, f"{path}?{urlencode(fields, errors='surrogateescape')}", {}, more
    if drawn_.random() < 0.2:
        name = urlencode({"": drawn_.choice(values)}, errors="surrogateescape")[1:]
        part = f'--x\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\na,b\r\n1,2\r\n--x--\r\n'
        return method, path, part.encode()[: drawn_.randrange(20, 400)], more | MULTIPART
    return method, path, fields, more


@pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")  # of forms that were cut off
def test_forged_requests_open_and_write_nothing(
    served: Callable[..., Any], walled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AT_ONCE", "WHOLE", "NEWS"):
        monkeypatch.setattr(drawn, name, 0.02)
    before = {path: path.read_bytes() for path in sorted(walled.rglob("*")) if path.is_file()}
    random_ = random.Random(28)  # noqa: S311 # forged requests, no secret
    wrong: list[Any] = []
    with watched(tmp_path / "out", tmp_path / "log", monkeypatch) as noticed:
        at = served(folder=walled)
        for number in range(1000):
            if number % 100 == 0:
                opened(at, "people.toml")
                send(at, "GET", "data")
            method, path, fields, more = forged(random_, walled)
            try:
                status, text = send(at, method, path, fields, **more)
            except (http.client.BadStatusLine, ConnectionResetError):
                continue  # it was closed, it may be before all that was sent had come in, which says nothing
            if status >= 500 or "tulip" in text:
                wrong.append((status, method, path, fields))
    assert wrong == []
    assert noticed == []
    monkeypatch.undo()
    assert before == {path: path.read_bytes() for path in sorted(walled.rglob("*")) if path.is_file()}
