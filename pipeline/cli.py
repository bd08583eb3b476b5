"""``ratings``: the command line. Thin: every command is a module of ``pipeline.commands``, imported when it runs."""

import gc
import importlib
import os
import sys
from typing import Final

import click

#: Command -> (module of pipeline.commands, one line of help). The help of a command itself is in its module.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "add": ("lists", "Add list files to the raw store."),
    "survey": ("lists", "What files hold: layout, rows, rejects, remarks; nothing is stored."),
    "fetch": ("fetch", "Fetch lists from FIDE, OlimpBase, US Chess, the installed Scid."),
    "refresh": ("refresh", "Fetch what is new, build, check, publish; make the site."),
    "build": ("build", "Read what is new, build, check and publish; make the site."),
    "status": ("status", "What is held, what is missing, what is wrong."),
    "sql": ("sql", "Ask the published file, or open a prompt."),
    "docs": ("sql", "The data dictionary: tables, columns, meanings."),
    "convert": ("convert", "Express a rating of one publisher in the scale of another."),
    "rule": ("rule", "What the rating rules of a day say: K, expectancy, floors, first ratings."),
    "dashboards": ("dashboards", "Make the site; open or serve it."),
    "verify": ("verify", "Check hashes, row sums and every check of every table."),
    "prune": ("prune", "Say what old data could go, and remove it when told to."),
    "remove": ("lists", "Take a source file out of the raw store."),
    "hello": ("build", "Where everything is, and three things to try next."),
}

#: New objects after which the collector of cycles looks through them, instead of 700: what a build makes lives to its
#: end, and looking through it over and over took a thirtieth of its time.
_OBJECTS_BETWEEN_COLLECTIONS: Final = 200_000


class _LazyGroup(click.Group):
    """A group whose commands are imported only when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"pipeline.commands.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="chess-rating-history")
def ratings() -> None:
    """Every chess rating list since 1971 in one DuckDB file.

    The data folder is ./data of the checkout, or the folder named by RATINGS_DATA.
    """


def main() -> None:
    """Run a command; what goes wrong is one message, never a traceback (unless RATINGS_DEBUG is set)."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        sys.exit(ratings.main(standalone_mode=False))
    except click.Abort:
        click.echo("interrupted; nothing half-done is visible, run the command again", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        if os.environ.get("RATINGS_DEBUG"):
            raise
        click.echo(f"error: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
