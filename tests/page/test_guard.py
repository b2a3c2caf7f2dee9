"""Nobody but the page that was opened gets an answer."""

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.page.conftest import PLACE, SECRET
from tests.page.test_trespass import led

import giveaway as ga


def ask(port: int, path: str, method: str = "GET", form: str = "", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest(method, path, skip_host="host" in headers)
    for name, value in {"cookie": f"giveaway={SECRET}", **headers}.items():
        connection.putheader(name, value)
    connection.putheader("content-type", "application/x-www-form-urlencoded")
    connection.putheader("content-length", str(len(form)))
    connection.endheaders(form.encode())
    answer = connection.getresponse()
    told = answer.status, answer.read().decode()
    connection.close()
    return told


def enter(port: int, path: str) -> tuple[int, str, str]:
    """Come in with a word: the status, the place and the cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    text, cookie = answer.read().decode(), answer.getheader("set-cookie", "").split(";")[0]
    connection.close()
    return answer.status, "".join(re.findall(r"url=(/[\w-]+/)", text)), cookie


def mark(port: int) -> str:
    """The mark of a page that is drawn now."""
    return re.findall(r'"giveaway-of": "([\w-]+)"', ask(port, f"/{PLACE}/compare")[1])[0]


def test_a_wrong_place_host_or_origin_is_one_answer_for_all(
    served: Callable[..., Any], pharmacy: Path
) -> None:
    port = served("pharmacy.toml").port
    ours = f"http://127.0.0.1:{port}"
    refused = {
        ask(port, "/"),
        ask(port, "/another/question"),
        ask(port, f"/{PLACE}x/question"),
        ask(port, f"/{PLACE}/question", host="evil.example"),
        ask(port, f"/{PLACE}/question", host=f"evil.example:{port}"),
        ask(port, f"/{PLACE}/undo", "POST"),
        ask(port, f"/{PLACE}/undo", "POST", origin="null"),
        ask(port, f"/{PLACE}/undo", "POST", origin="http://evil.example"),
        ask(port, f"/{PLACE}/undo", "POST", origin=f"http://localhost:{port}"),
    }

    assert refused == {(404, "Not found.")}
    assert ask(port, f"/{PLACE}/alive", host=f"localhost:{port}")[0] == 200
    assert ask(port, f"/{PLACE}/undo?of={mark(port)}", "POST", origin=ours)[0] == 303


@pytest.mark.parametrize("path", ["static/../guard.py", "static/%2e%2e/guard.py", "static/..%2fguard.py"])
def test_static_files_end_at_their_folder(served: Callable[..., Any], path: str) -> None:
    assert ask(served().port, f"/{PLACE}/{path}")[0] == 404


def test_files_outside_the_folders_are_not_found(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.csv").write_text("a\n1\n")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    (inside / os.fsdecode(b"bad\xff.csv")).write_text("a\n1\n")
    at = served(folder=inside)
    page.goto(at.url)

    assert page.locator("h1:has-text('give away')").count() == 1
    assert page.locator("text=link.csv").count() == 0
    for path in (
        outside / "secret.csv",
        inside / "link.csv",
        inside / ".." / "out" / "secret.csv",
        Path("/etc/passwd"),
    ):
        of = mark(at.port)
        answer = page.request.post(
            f"{at.url}open?of={of}", form={"path": str(path)}, headers={"origin": at.url[: -len(PLACE) - 2]}
        )
        assert (answer.status, answer.text()) == (404, "Not found.")


def test_a_folder_is_one_of_the_page_once_links_are_followed(tmp_path: Path) -> None:
    from giveaway.page.session import Session

    inside, uploads, outside = (tmp_path / name for name in ("in", "uploads", "out"))
    for folder in (inside, uploads, outside):
        folder.mkdir()
    (inside / "link").symlink_to(outside)
    session = Session(roots=(inside,), uploads=uploads)

    assert all(session.may_use(path) for path in (inside / "new", uploads / "data.csv"))
    elsewhere = (outside, inside / "link" / "new", inside / ".." / "out", tmp_path, Path("/etc/passwd"))
    assert not any(session.may_use(path) for path in elsewhere)


@pytest.mark.parametrize("name", ["people.csv", "register.csv", "secrets.csv", "before/manifest.json"])
def test_a_change_of_any_file_is_another_question(tmp_path: Path, name: str) -> None:
    from giveaway.page.session import Session

    (tmp_path / "before").mkdir()
    text = (
        '[release]\ndata = "people.csv"\nsecrets = "secrets.csv"\n[[earlier]]\nrelease = "before"\n'
        '[[knows]]\nattack = "directory"\npeople = "register.csv"\n'
    )
    session = Session(roots=(tmp_path,), uploads=tmp_path / "uploads", text=text, base=tmp_path)
    seen = {hash(session.state)}
    for content in ("a\n", "ab\n"):
        (tmp_path / name).write_text(content)
        seen.add(hash(session.state))
    assert len(seen) == 3


def test_a_release_is_written_only_where_it_may_be(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    ga.write_example(inside)
    at = served("pharmacy.toml", folder=inside)
    page.goto(f"{at.url}publish")
    page.locator("input[name=folder]").wait_for(timeout=60_000)
    (inside / "linked.owner.json").symlink_to(tmp_path / "elsewhere.json")
    for folder in (tmp_path / "elsewhere", inside / "linked"):
        page.fill("input[name=folder]", str(folder))
        page.click("text=Check and write")
        page.locator(".fact:has-text('may use')").wait_for()
        page.goto(f"{at.url}publish")
        assert not folder.exists()
    assert not (tmp_path / "elsewhere.json").exists()


def test_what_is_printed_leads_in_and_holds_nothing_of_the_data(tmp_path: Path) -> None:
    ga.write_example(tmp_path)
    command = [sys.executable, "-m", "giveaway", "open", "pharmacy.toml", "--no-browser"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        address = urlsplit(led(first))
        port = address.port or 0
        assert len(address.path.removeprefix("/enter/")) >= 32
        status, place, cookie = enter(port, address.path)
        assert status == 200
        for _ in range(100):
            if "baby-wipes" in ask(port, f"{place}question", cookie=cookie)[1]:
                break
            ask(port, f"{place}opening", cookie=cookie)
        assert "baby-wipes" in ask(port, f"{place}question", cookie=cookie)[1]
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
    told = first + rest
    assert "/enter/" not in told
    assert not any(label in told for label in ("baby-wipes", "insulin", "baskets.dat", str(tmp_path)))
    assert "Traceback" not in told


def test_labels_are_shown_as_text_and_the_page_may_run_nothing_else(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "odd.csv").write_text(
        'name,"<img src=x onerror=alert(1)>"\n"<script>alert(2)</script>",b\nc,d\n'
    )
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    at = served()
    page.goto(at.url)
    answer = page.request.get(at.url)
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    page.click("text=odd.csv")
    page.locator("th:has-text('onerror')").first.wait_for(timeout=60_000)
    assert page.locator("main img").count() == 0
