"""A made-up pharmacy's baskets: the data of `giveaway demo`, drawn from a seed."""

import json
import random
from importlib.resources import files
from os import PathLike
from pathlib import Path

PRIVATE = ("antidepressant", "hiv-test", "insulin", "pregnancy-test")

_EVERYDAY = (
    ("plasters", 0.30),
    ("painkiller", 0.28),
    ("toothpaste", 0.26),
    ("vitamin-c", 0.22),
    ("cough-syrup", 0.18),
    ("tissues", 0.18),
    ("nasal-spray", 0.15),
    ("hand-cream", 0.14),
    ("shampoo", 0.13),
    ("sunscreen", 0.11),
    ("lip-balm", 0.10),
    ("throat-lozenges", 0.10),
    ("eye-drops", 0.08),
    ("magnesium", 0.08),
    ("insect-spray", 0.06),
    ("sleep-tea", 0.06),
    ("baby-wipes", 0.05),
    ("contact-lens-fluid", 0.05),
    ("sugar-free-sweets", 0.03),
    ("folic-acid", 0.03),
    ("foot-cream", 0.03),
    ("lavender-oil", 0.02),
    ("test-strips", 0.012),
    ("compression-socks", 0.008),
    ("rose-water", 0.004),
    ("snake-oil", 0.0008),
)
_TOGETHER = (
    ("cough-syrup", "throat-lozenges", 0.45),
    ("cough-syrup", "tissues", 0.40),
    ("nasal-spray", "tissues", 0.45),
    ("sunscreen", "insect-spray", 0.30),
    ("baby-wipes", "hand-cream", 0.35),
)
_GIVES_AWAY = (
    ("test-strips", "insulin", 0.85),
    ("sugar-free-sweets", "insulin", 0.30),
    ("folic-acid", "pregnancy-test", 0.45),
    ("sleep-tea", "antidepressant", 0.18),
    ("lavender-oil", "antidepressant", 0.25),
)
_ANYBODY = (("antidepressant", 0.015), ("hiv-test", 0.006), ("insulin", 0.01), ("pregnancy-test", 0.012))


def example_files() -> dict[str, str]:
    """Return the files of the demo: a pharmacy's made-up baskets, and a scenario about them."""
    scenario = (files("giveaway.sources") / "pharmacy.toml").read_text(encoding="utf-8")
    return {
        "baskets.dat": "".join(f"{' '.join(basket)}\n" for basket in pharmacy_baskets()),
        "pharmacy.toml": scenario.replace("private = []", f"private = {json.dumps(list(PRIVATE))}"),
    }


def write_example(folder: str | PathLike[str]) -> Path:
    """Write the made-up baskets of the demo into a folder, and return the scenario about them.

    >>> import giveaway as ga, tempfile
    >>> ga.Scenario.read(ga.write_example(tempfile.mkdtemp())).assess().verdict
    'at risk'
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in example_files().items():
        (Path(folder) / name).write_text(text, encoding="utf-8")
    return Path(folder) / "pharmacy.toml"


def pharmacy_baskets(number: int = 3000, seed: int = 7) -> list[list[str]]:
    """Draw baskets in which a few everyday products give away a private one.

    >>> len(pharmacy_baskets(10)), pharmacy_baskets(10) == pharmacy_baskets(10)
    (10, True)
    """
    draw = random.Random(seed)  # noqa: S311 # an example, not a secret
    return [_basket(draw) for _ in range(number)]


def _basket(draw: random.Random) -> list[str]:
    items = {item for item, chance in _EVERYDAY if draw.random() < chance}
    items |= {other for item, other, chance in _TOGETHER if item in items and draw.random() < chance}
    items |= {secret for item, secret, chance in _GIVES_AWAY if item in items and draw.random() < chance}
    items |= {secret for secret, chance in _ANYBODY if draw.random() < chance}
    return sorted(items)
