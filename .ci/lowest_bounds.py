"""Print the lowest version of everything that pyproject.toml asks for on this Python, as constraints for pip."""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

EXTRAS = ("frames", "page", "document", "optimize", "warehouse")

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
wanted = [
    *project["dependencies"],
    *(line for extra in EXTRAS for line in project["optional-dependencies"][extra]),
]
for asked in map(Requirement, wanted):
    lowest = [one.version for one in asked.specifier if one.operator == ">="]
    if lowest and (asked.marker is None or asked.marker.evaluate()):
        sys.stdout.write(f"{asked.name}=={lowest[0]}\n")
