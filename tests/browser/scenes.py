"""Questions about the made-up data of the examples, in every state that a report can be in: what is looked at in Chromium."""

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import giveaway as ga
from giveaway.errors import NoSafeRelease
from giveaway.model.question.effort import Effort
from giveaway.scenario import read_scenario, understand
from giveaway.sources.example import PRIVATE, pharmacy_baskets

Summary = dict[str, Any]

EXAMPLES = Path(__file__).parents[2] / "examples"

_TILL = '[[knows]]\nattack = "items"\nat_most = 2\n'
_SALES = '[[knows]]\nattack = "frequencies"\nbelief = { around = "median gap" }\n'
_BASKETS = f'[release]\ndata = "baskets.dat"\nprivate = {list(PRIVATE)}\n'.replace("'", '"')
_CLINIC = '[release]\ndata = "patients.csv"\nid = "person"\nsensitive = "illness"\n'
_REGISTER = """
[[knows]]
attack = "directory"
people = "register.csv"
id = "person"
columns = ["district", "birth", "sex", "job"]
"""
_TEACHERS = '[release]\ndata = "teachers.csv"\nid = "person"\nsensitive = "job"\nsecrets = "secrets.csv"\n'
_ROWS = '[[knows]]\nattack = "attributes"\ncolumns = ["sex", "education", "hours", "district"]\n'
_SALARIES = '[release]\ndata = "salaries.csv"\nid = "person"\nsensitive = "salary"\n'
_RULES = "rules = { min_support = 0.05, min_confidence = 0.6, scores = { digits = 2 } }\n"
_COLLEAGUE = '[[knows]]\nattack = "profiles"\ncolumns = ["age", "sex", "education", "job", "region"]\n'
_STATEMENTS = """
statements = [
  { where = { job = "management" }, value = "high", count = 141 },
  { where = { education = "university" }, value = "high", share = "0.71" },
  { where = { education = "school" }, value = "low", share = "0.55" },
  { value = "high", share = "0.36" },
]
"""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A question, and what is done with it."""

    data: str
    """The example whose data are asked about."""
    scenario: str
    protects: bool = False
    seconds: float | None = None
    after: str | None = None
    """The scene whose release is out already."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The Summary of an answer, and the folder with the released files where there are any."""

    summary: Summary
    released: Path | None


def _limits(**limits: str) -> str:
    return "[tolerates]\n" + "".join(f'{name} = "{limit}"\n' for name, limit in limits.items())


def _of(
    name: str, data: str, release: str, attacker: str, limits: dict[str, dict[str, str]], weaker: str = ""
) -> Iterator[tuple[str, Scene]]:
    """Pose the question of one attack in every state; `limits` has those that leave it at risk, safe, and without a release."""
    plain = f"{release}{_limits(**limits['at risk'])}{attacker}"
    yield f"{name}, at risk", Scene(data=data, scenario=plain)
    yield f"{name}, protected", Scene(data=data, scenario=plain, protects=True)
    yield (
        f"{name}, safe",
        Scene(data=data, scenario=f"{release}{_limits(**limits['safe'])}{attacker}{weaker}"),
    )
    yield (
        f"{name}, no safe release",
        Scene(
            data=data, scenario=f"{release}{_limits(**limits['no safe release'])}{attacker}", protects=True
        ),
    )
    if "cannot judge" in limits:
        yield (
            f"{name}, cannot judge",
            Scene(data=data, scenario=f"{release}{_limits(**limits['cannot judge'])}{attacker}"),
        )
    else:
        yield f"{name}, cannot judge", Scene(data=data, scenario=plain, seconds=1e-6)


def _yearly(year: str) -> str:
    return (EXAMPLES / "yearly" / f"{year}.toml").read_text(encoding="utf-8")


_FIRST = "first year, protected"
_SECOND = (
    _yearly("2026")
    .replace('release = "2025"', f'release = "../{_FIRST}"\nname = "2025"')
    .replace("ledger.json", f"../{_FIRST}.key")
)


def _several(*attackers: str) -> str:
    return "".join(attackers)


SCENES: dict[str, Scene] = dict(
    [
        *_of(
            "items", "pharmacy", _BASKETS, _TILL + "[needs]\nitemsets = { min_support = 30 }\n",
            {
                "at risk": {"identity": "1/5", "attribute": "1/2"},
                "safe": {"identity": "999/1000", "share": "1/2"},
                "no safe release": {"attribute": "1/100"},
            },
        ),
        *_of(
            "frequencies", "pharmacy", _BASKETS, _SALES,
            {
                "at risk": {"average": "1/4"},
                "safe": {"average": "9/10"},
                "no safe release": {"identity": "1/30"},
            },
        ),
        *_of(
            "directory", "clinic", _CLINIC, _REGISTER,
            {
                "at risk": {"identity": "1/5"},
                "safe": {"identity": "1/2", "share": "9/10"},
                "no safe release": {"identity": "1/6001"},
                "cannot judge": {"identity": "1"},
            },
        ),
        *_of(
            "attributes", "teachers", _TEACHERS, _ROWS,
            {
                "at risk": {"attribute": "3/5"},
                "safe": {"attribute": "19/20"},
                "no safe release": {"attribute": "1/10"},
            },
            weaker="knows_method = false\n",
        ),
        *_of(
            "profiles", "salaries", _SALARIES + _RULES, _COLLEAGUE,
            {
                "at risk": {"attribute": "17/20", "share": "1/50"},
                "safe": {"attribute": "999/1000", "share": "1/2"},
                "no safe release": {"attribute": "1/10"},
            },
        ),
        (
            "several of baskets, protected",
            Scene(
                data="pharmacy",
                scenario=_several(
                    _BASKETS, _limits(identity="1/5", attribute="1/2"), _TILL, _SALES.replace("median gap", "mean gap"),
                    "tolerates = { average = 0.5 }\n", _TILL.replace("2", "1"), "[needs]\nitemsets = { min_support = 30 }\n",
                ),
                protects=True,
            ),
        ),
        (
            "several of baskets, at risk",
            Scene(
                data="pharmacy",
                scenario=_several(
                    _BASKETS, _limits(identity="1/5", attribute="1/2"), _TILL, _SALES, "tolerates = { average = 0.25 }\n",
                ),
            ),
        ),
        (
            "several of a table, no safe release",
            Scene(
                data="clinic",
                scenario=_several(
                    _CLINIC, _limits(identity="1/5"), _REGISTER,
                    '[[knows]]\nattack = "directory"\ncolumns = ["sex", "job"]\n',
                ),
                protects=True,
            ),
        ),
        (
            "coarser labels, protected",
            Scene(
                data="clinic",
                scenario=_CLINIC + 'hierarchies = { birth = "birth.csv" }\n' + _limits(identity="1/5") + _REGISTER,
                protects=True,
            ),
        ),
        (
            "levels, protected",
            Scene(data="patients", scenario=(EXAMPLES / "patients" / "patients.toml").read_text(encoding="utf-8"), protects=True),
        ),
        (_FIRST, Scene(data="yearly", scenario=_yearly("2025"), protects=True)),
        ("second year, at risk", Scene(data="yearly", scenario=_SECOND, after=_FIRST)),
        ("second year, protected", Scene(data="yearly", scenario=_SECOND, after=_FIRST, protects=True)),
        (
            "statements, protected",
            Scene(
                data="salaries",
                scenario=_SALARIES + _STATEMENTS.replace("\n  ", " ").replace(",\n]", "]") + _limits(attribute="7/10") + _COLLEAGUE
                + '[protect.profiles]\nways = ["statements"]\n',
                protects=True,
            ),
        ),
    ]
)  # fmt: skip


@cache
def _kept() -> TemporaryDirectory[str]:
    """Make the data of all examples, once; removed when Python ends."""
    kept = TemporaryDirectory(prefix="giveaway-scenes-")
    for name in ("clinic", "patients", "salaries", "teachers", "yearly"):
        place = Path(kept.name) / name
        place.mkdir()
        runpy.run_path(str(EXAMPLES / name / "make.py"))["main"](place)
    place = Path(kept.name) / "pharmacy"
    place.mkdir()
    text = "".join(f"{' '.join(basket)}\n" for basket in pharmacy_baskets())
    (place / "baskets.dat").write_text(text, encoding="utf-8")
    return kept


def folder() -> Path:
    """Return where the data of the examples are, in a folder each."""
    return Path(_kept().name)


@cache
def answered(name: str) -> Answered:
    """Answer the question of a scene; what is safe after withholding is published too."""
    scene = SCENES[name]
    if scene.after:
        answered(scene.after)
    file = folder() / scene.data / f"{name}.toml"
    file.write_text(scene.scenario, encoding="utf-8")
    values, text = read_scenario(file)
    asked = understand(values, base=file.parent, name=file.name, text=text)
    effort = Effort(seconds=scene.seconds) if scene.seconds else Effort()
    question = (asked.release, asked.attackers, asked.tolerances)
    if not scene.protects:
        found = ga.assess(*question, need=asked.needs, effort=effort)
        return Answered(summary=found.to_dict(), released=None)
    try:
        safer = ga.protect(*question, need=asked.needs, effort=effort, **asked.options)
    except NoSafeRelease as error:
        if error.assessment is None:
            raise
        return Answered(summary=error.assessment.to_dict(), released=None)
    place = folder() / name
    written = safer.publish(place, key=folder() / f"{name}.key")
    return Answered(summary=written.to_dict(), released=place)
