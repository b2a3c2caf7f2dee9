"""Shows docstrings in the built reference: doctests as code, and what fields of a scenario say of themselves."""

import re
from ast import literal_eval
from typing import Any

from griffe import Attribute, Docstring, ExprCall, ExprKeyword, Extension, Object

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


class Docstrings(Extension):
    """Puts a fence around each doctest; without one, Markdown takes its prompts for quotations."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """Take the words of a field from `described(words, default=...)`, and show the type alone of a detail or a noun."""
        if isinstance(attr.value, ExprCall) and str(attr.value.function) == "described":
            words, *others = attr.value.arguments
            defaults = [one.value for one in others if isinstance(one, ExprKeyword) and one.name == "default"]
            if isinstance(words, str):  # and not the name of words that stand elsewhere
                attr.docstring = attr.docstring or Docstring(literal_eval(words), parent=attr)
            attr.value = next(iter(defaults), None)
        elif isinstance(attr.value, ExprCall) and str(attr.value.function).startswith(("_Detail[", "_Word")):
            attr.annotation, attr.value = getattr(attr.value.function, "slice", "str"), None
