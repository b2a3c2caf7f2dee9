"""A mistake in a scenario is told with the line of the field that it is about."""

import ast
from pathlib import Path

import giveaway

SRC = Path(giveaway.__file__).parent


def test_where_fields_are_declared_every_refusal_says_which_it_is_about() -> None:
    """`field=None` where it is about none of them, or several."""
    silent = [
        f"{path.relative_to(SRC)}:{call.lineno}"
        for path in SRC.rglob("*.py")
        if "import described" in (text := path.read_text(encoding="utf-8"))
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "ScenarioError"
        and isinstance(call.args[0], ast.Constant | ast.JoinedStr)
        and "field" not in {keyword.arg for keyword in call.keywords}
    ]

    assert not silent
