"""Questions on their way to the worker and back: the newest wins, and any can be stopped."""

import asyncio
import multiprocessing
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Literal

from giveaway.page import worker

_REMEMBERED = 128
_PATIENCE = 0.8
"""Seconds that the worker has to stop by itself, before it is ended."""
_LONGER = 4.0
"""The same where nobody pressed Stop: another worker would take as long to get ready."""
_TAKING_BACK = 1.0
"""Seconds that a worker has to take back what it has begun to write, once it is told to end."""

_ANSWERS = ("assess", "protect", "keep")
"""What is dropped for something newer."""
_LOST = {
    "fact": "The process that measures has ended by itself.",
    "hint": "the data may need more memory than there is; close other programs, or ask about less.",
}

State = Literal["waiting", "running", "done", "wrong", "stopped"]


@dataclass(eq=False)
class WorkerTask:
    """One question and what has become of it."""

    number: int
    job: str
    arguments: Mapping[str, Any]
    background: bool = False
    state: State = "waiting"
    unwanted: bool = False
    """Whether it was asked to stop."""
    progress: Mapping[str, Any] | None = None
    answer: Any = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "wrong", "stopped")

    @property
    def done(self) -> Any:
        """The answer, None where there is none."""
        return self.answer if self.state == "done" else None

    @property
    def mistakes(self) -> Any:
        """What was wrong, None where nothing was."""
        return self.answer if self.state == "wrong" else None

    @property
    def useful(self) -> bool:
        """Whether there is an answer, or one will come."""
        return self.state == "done" or (not self.over and not self.unwanted)

    async def wait(self, seconds: float) -> bool:
        """Wait for the end, at most some seconds; tell whether it has come."""
        try:
            await asyncio.wait_for(self.ended.wait(), seconds)
        except TimeoutError:
            return False
        return True


class Engine:
    """One worker process; a question in front waits for none that is older, and none waits for one behind."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._numbers = count(1)
        self._known: OrderedDict[tuple[Any, ...], WorkerTask] = OrderedDict()
        self._waiting: list[WorkerTask] = []
        self._running: WorkerTask | None = None
        self._closed = False
        self._passwords: dict[str, str] = {}
        self._loop = asyncio.get_running_loop()
        self._start()

    def _start(self) -> None:
        here, there = multiprocessing.Pipe()
        self._connection = here
        self._process = multiprocessing.get_context("spawn").Process(
            target=worker.main, args=(there, self._folders), daemon=True
        )
        self._process.start()
        there.close()
        threading.Thread(target=self._listen, args=(here,), daemon=True).start()
        for address, password in self._passwords.items():
            self.unlock(address, password)

    def _listen(self, connection: Any) -> None:
        with suppress(RuntimeError):  # the page was closed meanwhile, and its loop with it
            while True:
                try:
                    message = connection.recv()
                except (EOFError, OSError):
                    break
                self._loop.call_soon_threadsafe(self._received, *message)
            self._loop.call_soon_threadsafe(self._lost, connection)
        connection.close()

    def ask(self, job: str, *, background: bool = False, fresh: bool = False, **arguments: Any) -> WorkerTask:
        """Ask something; what was answered before is answered at once, unless it must be done afresh.

        A question in front takes the place of older ones that wait, and stops what runs behind it.
        """
        key = _key(job, arguments)
        known = self._known.get(key)
        if known is not None and known.useful and not fresh:
            self._known.move_to_end(key)
            if not background:
                known.background = False
                self._drop_older(known)
            return known
        task = WorkerTask(next(self._numbers), job, arguments, background)
        self._known[key] = task
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        if not background:
            self._drop_older()
        self._waiting.append(task)
        self._next()
        return task

    def known(self, job: str, **arguments: Any) -> WorkerTask | None:
        """Return the task that asked this, if it was asked before."""
        return self._known.get(_key(job, arguments))

    def forget(self, job: str, **arguments: Any) -> None:
        """Forget an answer, so that it is worked out again."""
        self._known.pop(_key(job, arguments), None)

    def unlock(self, address: str, password: str) -> None:
        """Give the worker, and those after it, the password of one database; it is written nowhere."""
        self._passwords[address] = password
        self._tell(0, "unlock", {"address": address, "password": password})

    def under_way(self, number: int) -> WorkerTask | None:
        """Return the task of a number, while it runs or waits."""
        tasks = [*self._waiting, *([self._running] if self._running is not None else [])]
        return next((task for task in tasks if task.number == number), None)

    @property
    def worker(self) -> int | None:
        """The id of the process that works."""
        return self._process.pid

    def stop(self, task: WorkerTask, patience: float = _PATIENCE) -> None:
        """Stop a task: it is asked to, and the worker is ended when it does not."""
        if task is self._running:
            if not task.unwanted:
                task.unwanted = True
                self._tell(task.number, "stop", {})
            self._loop.call_later(patience, self._end, task)
        elif task in self._waiting:
            self._waiting.remove(task)
            self._over(task, "stopped", None)

    def close(self) -> None:
        """End the worker, which first takes back what it has begun to write."""
        self._closed = True
        self._process.terminate()
        self._process.join(_TAKING_BACK)
        self._process.kill()

    def _drop_older(self, wanted: WorkerTask | None = None) -> None:
        """Drop what nobody waits for any more, now that something is wanted in front."""
        for task in [task for task in self._waiting if task.background or task.job in _ANSWERS]:
            if task is not wanted:
                self._waiting.remove(task)
                self._over(task, "stopped", None)
        if self._running is not None and self._running is not wanted and self._running.job in _ANSWERS:
            self.stop(self._running, _LONGER)

    def _next(self) -> None:
        if self._running is None and self._waiting:
            self._waiting.sort(key=lambda task: task.background)
            task = self._waiting.pop(0)
            task.state, self._running = "running", task
            self._tell(task.number, task.job, dict(task.arguments))

    def _tell(self, number: int, job: str, arguments: dict[str, Any]) -> None:
        with suppress(OSError):  # a worker that has just ended is noticed by the thread that listens
            self._connection.send((number, job, arguments))

    def _received(self, number: int, word: str, what: Any) -> None:
        task = self._running
        if task is None or task.number != number:
            return
        if word == "progress":
            task.progress = what
        else:
            self._running = None
            self._over(task, word, what)  # type: ignore[arg-type] # the words of the worker
            self._next()

    def _over(self, task: WorkerTask, state: State, answer: Any) -> None:
        task.state, task.answer = state, answer
        task.ended.set()

    def _end(self, task: WorkerTask) -> None:
        """End a worker that did not stop, and start another."""
        if task is self._running:
            self._process.terminate()
            self._loop.call_later(_TAKING_BACK, self._process.kill)

    def _lost(self, connection: Any) -> None:
        """Start another worker in the place of one that has ended."""
        if self._closed or connection is not self._connection:
            return
        task, self._running = self._running, None
        if task is not None:
            self._over(task, *(("stopped", None) if task.unwanted else ("wrong", [_LOST])))
        self._start()
        self._next()


def _key(job: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    return (job, *sorted(arguments.items(), key=lambda pair: pair[0]))
