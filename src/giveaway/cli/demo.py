"""`giveaway demo`: a small example, from data to verdict, protection, report and released files."""

from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, prepare, run, show, status

_SCENARIO = """\
# May this pharmacy release its baskets? Edit and run: giveaway assess pharmacy.toml

[release]
data = "baskets.dat"
private = {private}

[tolerates]
identity = "1/5"       # everybody hides among at least five
attribute = "1/2"      # nobody may guess a private product with more than this chance

[[knows]]
attack = "items"
at_most = 2            # a neighbour at the till who saw two products

[needs]
itemsets = {{ min_support = 30 }}    # combinations that the readers of the data want to keep
"""


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to work.")] = Path("giveaway-demo"),
    debug: options.Debug = False,
) -> None:
    """Go from made-up pharmacy baskets to a verdict, a report and released files, and say where to look."""
    output = Output(debug=debug)

    def command() -> int:
        from giveaway import flow
        from giveaway.publish import write_text
        from giveaway.sources.example import PRIVATE, pharmacy_baskets

        folder.mkdir(parents=True, exist_ok=True)
        baskets = pharmacy_baskets()
        write_text(folder / "baskets.dat", "".join(f"{' '.join(basket)}\n" for basket in baskets))
        write_text(folder / "pharmacy.toml", _SCENARIO.format(private=list(PRIVATE)).replace("'", '"'))
        print(f"1. Made {len(baskets):,} baskets of a pharmacy and a scenario in {folder}.")
        scenario = prepare(str(folder / "pharmacy.toml"), None, None, None)
        asked = (scenario.release, scenario.attackers, scenario.tolerances)
        print("2. giveaway assess: what would they give away as planned?\n")
        show(flow.assess(*asked, need=scenario.needs).to_dict(), quiet=False, made_up=True)
        print("\n3. giveaway protect: withhold the least, measure again, write, check the files.\n")
        safer = flow.protect(*asked, need=scenario.needs).publish(folder / "release", force=True)
        show(safer.to_dict(), quiet=False, made_up=True)
        safer.to_json(folder / "assessment.json")
        safer.to_html(folder / "owner-report.html")
        safer.to_html(folder / "public-report.html", public=True)
        print(_WHERE.format(folder=folder))
        return status(safer.safe)

    run(command, output)


_WHERE = """
4. Look at
   {folder}/owner-report.html    the whole story, for the owner's eyes
   {folder}/public-report.html   what may be published beside the data
   {folder}/release/             the released baskets and their manifest
   {folder}/pharmacy.toml        the question; change it and run giveaway protect on it"""
