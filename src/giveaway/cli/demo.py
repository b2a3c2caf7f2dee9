"""`giveaway demo`: a small example, from data to verdict, protection, report and released files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, asked, run, say, show, status
from giveaway.errors import NotWritten, WrongQuestion

if TYPE_CHECKING:
    from giveaway.publish import Text


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to work.")] = Path("giveaway-demo"),
    debug: options.Debug = False,
) -> None:
    """Go from made-up pharmacy baskets to a verdict, a report and released files, and say where to look."""
    places = {name: folder / name for name in (*_GIVEN, *_REPORTS)}
    kept = folder / "release.owner.json"
    output = Output(others=places, folder=folder / "release", key=kept, force=True, debug=debug)

    def command() -> int:
        from giveaway import flow
        from giveaway.publish import EVERYBODYS, Text, write_texts
        from giveaway.sources.example import example_files

        examples = example_files()
        texts = [Text(path=places[name], text=text, mode=EVERYBODYS) for name, text in examples.items()]
        _check_folder(folder, texts)
        folder.mkdir(parents=True, exist_ok=True)
        output.check([])
        write_texts(texts)
        baskets = examples["baskets.dat"].count("\n")
        say(f"1. Made {baskets:,} baskets of a pharmacy and a scenario in {folder}.")
        scenario = asked(str(folder / "pharmacy.toml")).understood()
        question = (scenario.release, scenario.attackers, scenario.tolerances)
        say("2. giveaway assess: what would they give away as planned?\n")
        show(flow.assess(*question, need=scenario.needs).for_screen(values=True), brief=False, made_up=True)
        say("\n3. giveaway protect: withhold, measure again, write, check the files.\n")
        saved, owners, public = (places[name] for name in _REPORTS)
        safer = flow.protect(*question, need=scenario.needs, key=kept).publish(
            folder / "release", key=kept, force=True, json=saved, html=owners, public_html=public
        )
        show(safer.for_screen(values=True), brief=False, made_up=True)
        say(_WHERE.format(folder=folder))
        return status(safer.safe)

    run(command, output)


def _check_folder(folder: Path, texts: "list[Text]") -> None:
    """Refuse a folder that holds anything but what an earlier demo left, unchanged."""
    from giveaway.publish import final_place, foreign_to_release, is_owners_file, recover

    try:
        if folder.is_dir():
            recover(final_place(folder / "release"))
        names = {path.name for path in folder.iterdir() if ".giveaway-" not in path.name}
    except FileNotFoundError:
        return
    except OSError as error:
        raise NotWritten(f"{folder} cannot be used: {error.strerror}.", hint="name another folder.") from None
    others = names - {*_GIVEN, *_REPORTS, "release"}
    others -= {"release.owner.json"} if is_owners_file(folder / "release.owner.json") else set()
    others |= {
        text.path.name for text in texts if text.path.name in names and not _holds(text.path, text.text)
    }
    others |= {path.name for path in folder.iterdir() if path.is_symlink()}
    others |= {name for name in _REPORTS if name in names and not _is_of_demo(folder, name)}
    if "release" in names and foreign_to_release(final_place(folder / "release")) is not None:
        others.add("release")
    if others:
        raise NotWritten(
            f"{folder} holds something else than an earlier demo left ({min(others)}), and was left alone.",
            hint="name another folder: giveaway demo DIR.",
        )


def _is_of_demo(folder: Path, name: str) -> bool:
    """Tell whether a report is what a demo left: the pages are drawn of the assessment that is saved with them."""
    from giveaway.report import saved
    from giveaway.report.html import document

    try:
        summary = saved.read(folder / "assessment.json")
    except WrongQuestion:
        return False
    if name == "assessment.json":
        return True
    return _holds(folder / name, document.render(summary, edition="owner" if "owner" in name else "public"))


def _holds(path: Path, text: str | bytes) -> bool:
    return path.is_file() and path.read_bytes() == (text if isinstance(text, bytes) else text.encode())


_GIVEN = ("baskets.dat", "pharmacy.toml")
_REPORTS = ("assessment.json", "owner-report.html", "public-report.html")
_WHERE = """
4. Look at
   {folder}/owner-report.html    the whole story, for the owner's eyes
   {folder}/public-report.html   what may be published with the data
   {folder}/release/             the released baskets and their manifest
   {folder}/release.owner.json   what undoes their order, for the owner's eyes
   {folder}/pharmacy.toml        the question; change it and run giveaway protect on it"""
