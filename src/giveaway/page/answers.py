"""What the worker has answered about the scenario as it stands."""

from collections.abc import Mapping
from typing import Any

from giveaway.page.engine import Engine, WorkerTask
from giveaway.page.session import Session


def asked(
    session: Session, engine: Engine, job: str = "assess", text: str | None = None
) -> WorkerTask | None:
    """Return the task about the scenario as it stands, if there is one."""
    return engine.known(job, **session.asks(text))


def answered(
    session: Session, engine: Engine, job: str = "assess", text: str | None = None
) -> dict[str, Any] | None:
    """Return the answer about the scenario as it stands, if there is one."""
    task = asked(session, engine, job, text)
    return None if task is None else task.done


def fact(answer: Mapping[str, Any], title: str, otherwise: Any = "") -> Any:
    """Return what an answer says under a title, in a few words."""
    return next((str(one["head"]) for one in answer["told"]["facts"] if one["title"] == title), otherwise)


def is_written(session: Session) -> bool:
    """Tell whether the scenario as it stands was published."""
    return session.written is not None and session.written.text == session.text
