"""The head of the page: the four steps, each with its state in words."""

from collections.abc import Mapping
from typing import Any

from giveaway.page.answers import answered, asked, fact, is_written
from giveaway.page.engine import Engine, WorkerTask
from giveaway.page.session import Session

STEPS = {"data": "Data", "question": "Question", "result": "Result", "publish": "Publish"}


def head(session: Session, engine: Engine, here: str) -> dict[str, Any]:
    """Lay out the head: the four steps, each with its state in words."""
    planned, protected = answered(session, engine), answered(session, engine, "protect")
    says = dict.fromkeys(STEPS, "")
    if session.is_open:
        short = session.look.get("short")
        says["data"] = session.nouns.told(str(short)) if short else session.data_name
        says["question"] = _planned(planned, protected, asked(session, engine))
        says["result"] = _held(protected)
        says["publish"] = "written and checked" if is_written(session) else "not written"
    return {
        "here": here,
        "steps": [(name, title, says[name]) for name, title in STEPS.items()],
        "open": session.is_open,
        "file": session.name if session.is_open else "",
        "unsaved": session.text != session.saved,
        "undo": bool(session.past),
        "redo": bool(session.future),
    }


def _planned(
    planned: Mapping[str, Any] | None, protected: Mapping[str, Any] | None, task: WorkerTask | None
) -> str:
    if planned is not None:
        return f"{planned['summary']['verdict']} as planned"
    judged = [finding["safe"] for finding in (protected["summary"].get("before") or [] if protected else [])]
    if judged and None not in judged:
        return f"{'safe' if all(judged) else 'at risk'} as planned"
    return "no verdict" if task is not None and task.state == "wrong" else "not measured yet"


def _held(protected: Mapping[str, Any] | None) -> str:
    if protected is None:
        return ""
    if protected["told"]["no_safe_release"]:
        return "no safe release"
    return f"{fact(protected, 'You withhold', 'nothing')} withheld"
