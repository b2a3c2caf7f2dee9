"""The `giveaway` command."""

import sys
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from giveaway._version import __version__
from giveaway.cli import assess, demo, diff, explain, init, protect, report
from giveaway.cli.running import CANNOT_JUDGE, complain
from giveaway.masking import masked

_OTHERS = "giveaway.commands"
"""The group of entry points under which further commands are found."""


class _Commands(TyperGroup):
    """The commands, and those that other packages bring; words that are not understood are told without passwords."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name all commands."""
        return [*super().list_commands(ctx), *entry_points(group=_OTHERS).names]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command, one of another package when it is first named."""
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in entry_points(group=_OTHERS).names:
            (point,) = entry_points(group=_OTHERS, name=cmd_name)
            alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            alone.command(cmd_name)(point.load())
            command = typer.main.get_command(alone)
            command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            message = getattr(error, "message", None)  # whichever library parses, its errors have one
            if isinstance(message, str):
                error.message = masked(message)  # type: ignore[attr-defined]
            raise


app = typer.Typer(
    name="giveaway",
    cls=_Commands,
    help="What would a release give away to somebody with stated knowledge, and what is the least to withhold?",
    epilog="Exit status: 0 safe, 1 at risk, 2 cannot judge.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("init")(init.init)
app.command("assess")(assess.assess)
app.command("protect")(protect.protect)
app.command("report")(report.report)
app.command("diff")(diff.diff)
app.command("explain")(explain.explain)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"giveaway {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    if sys.stdout is None:
        complain(
            "Not written: Standard output is closed. Nothing was written.\n  hint: send it to a file, or to /dev/null."
        )
        sys.exit(CANNOT_JUDGE)
    try:
        app()
    except OSError as error:  # help that cannot be printed; commands tell their own failures
        complain(f"giveaway could not print: {error.strerror}.")
        sys.exit(CANNOT_JUDGE)
