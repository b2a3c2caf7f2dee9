"""How much hiding costs when one thing of the question changes: the limit, the number of secrets, or of conditions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.attributes.attacker import AttributesOptions, KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.protecting.plan import PlannedEntries, plan
from giveaway.attacks.attributes.question import AttributesQuestion, ask
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.rows import Rows
from giveaway.model.exact import Number, fraction
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.fields import check_whole
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release


def removal_rates(
    release: Release,
    attacker: KnowsAttributes,
    tolerance: Tolerance,
    *,
    limits: Iterable[Number] = (),
    secrets: Iterable[int] = (),
    conditions: Iterable[int] = (),
    need: NeedsCells | None = None,
    draws: int = 1,
    seed: int = 0,
    **options: Any,
) -> Rows:
    """Return what hiding would cost at other `limits`, with other numbers of `secrets`, or of `conditions`.

    One of the three is given. Secrets are drawn from the entries of the first sensitive column that have a value, in the
    place of those of the release; conditions are the first columns of the attacker. `draws` says of how many draws of
    secrets numbers are the mean. `need` and options such as `method` are those of `protect`, and the attacker is that of
    the paper, who does not know how entries are chosen. Nothing is published, and nobody else is judged.

    Each row has what was varied, `draws`, `unsafe_rules`, `hidden_entries`, `removal_rate`, `lower_bound` and `optimal`; the
    last four are None where in some draw no safe release was found. Li et al., section 6.

    >>> import giveaway as ga
    >>> rows = [{"town": "Ulm", "job": job} for job in ["teacher"] * 5 + ["cook"] * 3]
    >>> release = ga.Release(ga.Table.from_rows(rows, sensitive="job"), secrets=[1])
    >>> somebody = ga.KnowsAttributes(columns=["town"], knows_method=False)
    >>> for row in ga.removal_rates(release, somebody, ga.Tolerance(attribute="0.6"), limits=["1/4", "3/8", "1/2"]):
    ...     print(row["limit"], row["unsafe_rules"], row["hidden_entries"], row["removal_rate"])
    1/4 1 2 1/8
    3/8 1 1 1/16
    1/2 0 0 0
    """
    chosen = AttributesOptions(**options)
    if attacker.knows_method or chosen.method not in ("auto", "cover", "r-graph", "cr"):
        raise ScenarioError(
            "What hiding costs is worked out against somebody who does not know how entries are chosen.",
            hint='set knows_method = false, and method = "auto", "cover", "r-graph" or "cr".',
        )
    varied = {"limit": tuple(limits), "secrets": tuple(secrets), "conditions": tuple(conditions)}
    stated = [name for name, values in varied.items() if values]
    if len(stated) != 1:
        raise ScenarioError(
            f"{len(stated)} things are varied, and one must be.", exists="limits, secrets, conditions"
        )
    check_whole("draws", draws)
    what = stated[0]
    asked = ask(release, attacker, tolerance, need)
    values = [_checked(asked, what, value) for value in varied[what]]
    times = draws if what == "secrets" else 1
    rows = []
    for done, value in enumerate(values):
        tell("counting what hiding costs", done, len(values))
        questions = [
            _changed(asked, what, value, np.random.default_rng((seed, draw))) for draw in range(times)
        ]
        rows.append({what: value, "draws": times} | _mean(questions, chosen, seed))
    return Rows(len(rows), rows.__getitem__)


def _checked(asked: AttributesQuestion, what: str, value: Any) -> Any:
    if what == "limit":
        return fraction(value, "limits")
    most = len(asked.attacker.columns) if what == "conditions" else len(_with_value(asked))
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ScenarioError(f"{what} = {value!r} must be a whole number from 1 to {most:,}.", field=what)
    return value


def _with_value(asked: AttributesQuestion) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the rows of which the first sensitive column has a value."""
    table = asked.original
    return np.flatnonzero(table.columns[table.sensitive[0]][table.record_of] != UNKNOWN)


def _changed(
    asked: AttributesQuestion, what: str, value: Any, random: np.random.Generator
) -> AttributesQuestion:
    if what == "limit":
        tolerance = replace(asked.tolerance, attribute=value)
        return ask(asked.release, asked.attacker, tolerance, asked.need)
    if what == "conditions":
        return asked.about(asked.release, asked.attacker.with_columns(asked.attacker.columns[:value]))
    rows = np.sort(random.choice(_with_value(asked), value, replace=False))
    return asked.about(replace(asked.release, secrets=Cells.at({asked.original.sensitive[0]: rows})))


def _mean(questions: Sequence[AttributesQuestion], options: AttributesOptions, seed: int) -> dict[str, Any]:
    plans = [_planned(question, options, seed) for question in questions]
    unsafe = sum(len(column.unsafe) for question in questions for column in question.sensitive_columns)
    safe = [one for one in plans if one is not None]
    counts: dict[str, Any] = {"unsafe_rules": Fraction(unsafe, len(questions))}
    if len(safe) < len(plans):
        return counts | dict.fromkeys(("hidden_entries", "removal_rate", "lower_bound", "optimal"))
    entries = Fraction(sum(len(one.cells) for one in safe), len(safe))
    bounds = [one.lower_bound for one in safe if one.lower_bound is not None]
    everything = questions[0].records * len(questions[0].columns)
    return counts | {
        "hidden_entries": entries,
        "removal_rate": entries / everything,
        "lower_bound": Fraction(sum(bounds), len(bounds)) if len(bounds) == len(safe) else None,
        "optimal": all(one.is_optimal for one in safe),
    }


def _planned(question: AttributesQuestion, options: AttributesOptions, seed: int) -> PlannedEntries | None:
    """Choose what to hide; None where nothing makes the release safe, or nothing was found."""
    try:
        return plan(question, Effort(seed=seed), options)
    except NoSafeRelease:
        return None
