"""Nobody but the page that was opened gets an answer."""

import http.client
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.page.conftest import TOKEN

import giveaway as ga


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest(method, path, skip_host="host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("content-length", "0")
    connection.endheaders()
    answer = connection.getresponse()
    told = answer.status, answer.read().decode()
    connection.close()
    return told


def test_a_wrong_token_host_or_origin_is_one_answer_for_all(
    served: Callable[..., Any], pharmacy: Path
) -> None:
    port = served("pharmacy.toml").port
    ours = f"http://127.0.0.1:{port}"
    refused = {
        ask(port, "/"),
        ask(port, "/another/question"),
        ask(port, f"/{TOKEN}x/question"),
        ask(port, f"/{TOKEN}/question", host="evil.example"),
        ask(port, f"/{TOKEN}/question", host=f"evil.example:{port}"),
        ask(port, f"/{TOKEN}/undo", "POST"),
        ask(port, f"/{TOKEN}/undo", "POST", origin="null"),
        ask(port, f"/{TOKEN}/undo", "POST", origin="http://evil.example"),
        ask(port, f"/{TOKEN}/undo", "POST", origin=f"http://localhost:{port}"),
    }

    assert refused == {(404, "Not found.")}
    assert ask(port, f"/{TOKEN}/alive", host=f"localhost:{port}")[0] == 200
    assert ask(port, f"/{TOKEN}/undo", "POST", origin=ours)[0] == 303


@pytest.mark.parametrize("path", ["static/../guard.py", "static/%2e%2e/guard.py", "static/..%2fguard.py"])
def test_static_files_end_at_their_folder(served: Callable[..., Any], path: str) -> None:
    assert ask(served().port, f"/{TOKEN}/{path}")[0] == 404


def test_files_outside_the_folders_are_not_found(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.csv").write_text("a\n1\n")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    at = served(folder=inside)
    page.goto(at.url)

    assert page.locator("text=link.csv").count() == 0
    for path in (
        outside / "secret.csv",
        inside / "link.csv",
        inside / ".." / "out" / "secret.csv",
        Path("/etc/passwd"),
    ):
        answer = page.request.post(
            f"{at.url}open", form={"path": str(path)}, headers={"origin": at.url[: -len(TOKEN) - 2]}
        )
        assert (answer.status, answer.text()) == (404, "Not found.")


def test_a_release_is_written_only_where_it_may_be(
    page: Any, served: Callable[..., Any], tmp_path: Path
) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    ga.write_example(inside)
    at = served("pharmacy.toml", folder=inside)
    page.goto(f"{at.url}publish")
    page.locator("input[name=folder]").wait_for(timeout=60_000)
    page.fill("input[name=folder]", str(tmp_path / "elsewhere"))
    page.click("text=Check and write")
    page.locator(".fact:has-text('may use')").wait_for()
    assert not (tmp_path / "elsewhere").exists()


def test_what_is_printed_holds_the_address_and_nothing_of_the_data(tmp_path: Path) -> None:
    ga.write_example(tmp_path)
    command = [sys.executable, "-m", "giveaway", "open", "pharmacy.toml", "--no-browser"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        address = urlsplit(first.split()[-1])
        token = address.path.strip("/")
        assert len(token) >= 32
        for _ in range(100):
            if "baby-wipes" in ask(address.port or 0, f"/{token}/question")[1]:
                break
            ask(address.port or 0, f"/{token}/opening")
        assert "baby-wipes" in ask(address.port or 0, f"/{token}/question")[1]
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
    told = first + rest
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
