"""Runs commands, each in a process of its own, as children of one that has loaded the program already.

Started as a program, it reads a request a line (words, folder, environment, a file for each output) and answers each
with a line, the exit status.
"""

import atexit
import json
import os
import signal
import sys
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from giveaway.cli.main import app, main


def _load() -> None:
    """Load what most commands use, by running one."""
    with TemporaryDirectory() as folder:
        assert CliRunner().invoke(app, ["demo", folder]).exit_code == 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _begin(request: dict[str, Any]) -> None:
    """Become the process of a command."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    for handle, name in ((0, os.devnull), (1, request["out"]), (2, request["err"])):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), handle)
    sys.argv = ["giveaway", *request["words"]]


def _run() -> None:
    """Run the command and end as a process does, but for taking down all that is loaded, which takes longest."""
    code: object = None
    try:
        main()
    except SystemExit as left:
        code = left.code
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    _load()
    for line in requests:
        child = os.fork()
        if child == 0:
            _begin(json.loads(line))
            _run()
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
