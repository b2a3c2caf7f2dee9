"""The options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Subject = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO|DATA", help="A scenario file (.toml), or a data file with --knows and --tolerates."
    ),
]
Subjects = Annotated[
    list[str],
    typer.Argument(
        metavar="SCENARIO|DATA ...",
        help="A scenario file (.toml), or a data file with --knows and --tolerates; with --together several scenario files.",
    ),
]
Knows = Annotated[
    list[str] | None,
    typer.Option(
        "--knows",
        metavar="ATTACK:FIELD=VALUE",
        help="An attacker, as in items:at_most=3 or attributes:columns=sex,age. May be repeated.",
    ),
]
Tolerates = Annotated[
    list[str] | None,
    typer.Option("--tolerates", metavar="LIMIT=VALUE", help="A limit, as in identity=1/5. May be repeated."),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="Limits that others have used, as in cell-11, instead of the same limits of a scenario file; giveaway explain presets tells them.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a field, as in tolerates.identity=1/5 or release.rules.min_support=0.1. May be repeated.",
    ),
]
Before = Annotated[
    list[str] | None,
    typer.Option(
        "--earlier",
        metavar="PATH[:LINKED]",
        help="A release that was given away before, as in 2025 or 2025/release.csv:rows; LINKED is rows, people, unknown or "
        "nobody. May be repeated.",
    ),
]
As = Annotated[
    list[str] | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Print readings of a table by name too, as in k-anonymity,l-diversity or all. May be repeated.",
    ),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write the Summary as JSON; - is standard output."),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write the owner's report (names exposures).")
]
PublicHtml = Annotated[
    Path | None,
    typer.Option("--public-html", metavar="FILE", help="Write the public report (holds no values)."),
]
Exposures = Annotated[
    str,
    typer.Option("--exposures", metavar="N|all", help="How many exposures of each attacker the JSON lists."),
]
Seed = Annotated[int | None, typer.Option("--seed", help="Makes runs repeat.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Stop after this long.")]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory", metavar="SIZE", help="Memory to work in, as in 4GB; default: half of the machine's."
    ),
]
Brief = Annotated[bool, typer.Option("--brief", help="Print the verdict only.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Print nothing but errors; the exit status is the verdict.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show where an error inside giveaway comes from.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
