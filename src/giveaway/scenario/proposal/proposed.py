"""A scenario proposed in one call, as `giveaway init` does it."""

from os import PathLike
from pathlib import Path
from typing import Literal

from giveaway.scenario.proposal import propose as writing
from giveaway.sources import look


def propose(
    data: str | PathLike[str],
    *,
    table: str | None = None,
    query: str | None = None,
    kind: Literal["table", "transactions", "rules", "supports"] | None = None,
    target: str | PathLike[str] | None = None,
) -> str:
    r"""Look at a file and return the text of a commented scenario to edit, as `giveaway init` writes it.

    `kind` is what the data are, or what is published of them; `target` is the file that the text is for: the data are
    named relative to it. An address comes with `table` or `query`, as in `read_table`.

    >>> import giveaway as ga, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "baskets.dat"
    >>> _ = file.write_text("bread milk\nbread milk\nbread jam\n")
    >>> "at_most" in ga.propose(file)
    True
    """
    there = table is not None or query is not None
    file = str(data) if there else Path(data)
    place = Path("question.toml") if isinstance(file, str) else file.with_suffix(".toml")
    place = place if target is None else Path(target)
    seen = look(
        file,
        table=table,
        query=query,
        kind=None if kind is None else "transactions" if kind == "transactions" else "table",
    )
    if kind == "supports":
        return writing.propose_supports(seen, Path(file), place)
    return writing.propose(seen, file, place, rules=kind == "rules")
