"""Runs commands in children of one warm process, each with one fault injected at one of its file operations.

Started as a program, it reads a request a line and answers with a line. A request names a folder, the words of one or
several commands that run at once, and the fault: at which operation, and which signal or error. Operations are those
that Python tells its audit hooks, and fsync.
"""

import errno
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TOLD = {
    "open",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.chmod",
    "os.truncate",
    "os.link",
    "os.listdir",
    "os.scandir",
    "fcntl.flock",
}
LIMIT = 60


class Injected:
    """Counts operations inside a folder, and lets one of them meet a fault."""

    def __init__(self, folder: str, fault: dict[str, Any] | None) -> None:
        self.folder, self.fault, self.count, self.armed = folder, fault, 0, True
        self.trace: list[str] = []

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        if self.armed and event in TOLD and self._is_inside(event, args):
            self.operation(f"{event} {args[0]}")

    def _is_inside(self, event: str, args: tuple[Any, ...]) -> bool:
        if event in ("os.remove", "os.rmdir", "fcntl.flock", "os.truncate", "os.scandir") or not args:
            return True  # by an open folder or file, of which only ours are touched here
        return str(args[0]).startswith(self.folder) or not str(args[0]).startswith("/")

    def operation(self, name: str) -> None:
        self.count += 1
        self.trace.append(name)
        if self.fault is None or self.count != self.fault["at"]:
            return
        kind = self.fault["kind"]
        if kind.startswith("SIG"):
            os.kill(os.getpid(), getattr(signal, kind))
            return
        raise OSError(getattr(errno, kind), os.strerror(getattr(errno, kind)))


def _child(request: dict[str, Any], words: list[str], number: int) -> None:
    """Run one command in this process, which ends with it."""
    folder = request["folder"]
    os.chdir(folder)
    said = os.path.join(request["logs"], str(number))  # noqa: PTH118 # nothing may be imported by now
    for handle, name in ((1, f"{said}.out"), (2, f"{said}.err")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), handle)
    injected = Injected(folder, request.get("fault"))
    honest = os.fsync

    def fsync(handle: int) -> None:
        injected.operation("fsync")
        honest(handle)

    os.fsync = fsync
    tempfile.tempdir = None
    tempfile.gettempdir()  # tries itself out with a file of its own
    sys.argv = ["giveaway", *words]
    from giveaway.cli import main

    if request.get("together"):
        while time.time() < request["together"]:
            pass
    sys.addaudithook(injected.hook)
    code = 70  # whatever is raised is no answer
    try:
        main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        injected.armed = False
        sys.stdout.flush()
        Path(f"{said}.count").write_text("\n".join(injected.trace))
        os._exit(code)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if len(request["commands"]) > 1:
        request["together"] = time.time() + 0.02
    os.environ["TMPDIR"] = request["tmp"]
    children = []
    for number, words in enumerate(request["commands"]):
        child = os.fork()
        if child == 0:
            _child(request, words, number)
        children.append(child)
    codes = []
    started = time.monotonic()
    for child in children:
        done, status = 0, 0
        while not done:
            done, status = os.waitpid(child, os.WNOHANG)
            if not done and time.monotonic() - started > LIMIT:
                os.kill(child, signal.SIGKILL)
                status = -1
                os.waitpid(child, 0)
                break
            time.sleep(0.001)
        codes.append(status if status < 0 else os.waitstatus_to_exitcode(status))
    return {"codes": codes}


def main() -> None:
    """Warm up with one command, then answer requests."""
    for line in sys.stdin:
        request = json.loads(line)
        if "warm" in request:
            _warm(request["warm"])
        answer = {} if "warm" in request else _answer(request)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _warm(runs: list[dict[str, Any]]) -> None:
    """Run commands once in this process, so that what they import and compile is there for all children."""
    from giveaway.cli import main

    for run in runs:
        os.chdir(run["folder"])
        sys.argv = ["giveaway", *run["words"]]
        out = os.dup(1)
        os.dup2(2, 1)
        try:
            main()
        except SystemExit as stop:
            if stop.code not in (0, 1):
                raise
        finally:
            sys.stdout.flush()
            os.dup2(out, 1)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    main()
