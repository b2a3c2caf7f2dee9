"""From made-up baskets to a verdict and a release, in Python: `python examples/pharmacy.py [FOLDER]`."""

import sys
from pathlib import Path

import giveaway as ga
from giveaway.sources.example import PRIVATE, pharmacy_baskets


def main(folder: Path) -> None:
    """Assess the baskets, protect them, and publish what is safe."""
    baskets = ga.Transactions.from_lists(pharmacy_baskets(), private=PRIVATE)
    release = ga.Release(baskets)
    attacker = ga.KnowsItems(at_most=2)
    tolerance = ga.Tolerance(identity="1/5", attribute="1/2")

    found = ga.assess(release, attacker, tolerance)
    print(f"As planned: {found.verdict}.")
    for exposure in found.exposures[:3]:
        print(f"  {' + '.join(map(str, exposure.target))}: {exposure.because}")

    safer = ga.protect(release, attacker, tolerance, need=ga.NeedsItemsets(min_support=30))
    print(f"After withholding {safer.withheld}: {safer.verdict}.")
    safer.to_html(folder / "pharmacy-report.html")
    safer.publish(folder / "pharmacy-release")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())
