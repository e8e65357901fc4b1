"""What shells complete: names of units, of groups and of models, as the scene on the line has them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

if TYPE_CHECKING:
    from ninthgeom.board import Board

# What means something of its own to a shell.
_SPECIAL: Final = re.compile(r"([^\w@%+.,/-])", re.ASCII)


class _Bash(BashComplete):
    """That of click, which has no names with spaces in mind: they came out as several words."""

    source_template = BashComplete.source_template.replace("read type value", "read -r type value")

    def format_completion(self, item: CompletionItem) -> str:
        """Write a name as bash takes it where no quote is open."""
        value = str(item.value)
        words, place = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        is_quoted = place < len(words) and words[place][:1] in ("'", '"')
        if item.type == "plain" and not is_quoted:
            value = _SPECIAL.sub(r"\\\1", value)
        return f"{item.type},{value}"


def prepare() -> None:
    """Let click complete for bash as it is done here."""
    add_completion_class(_Bash, "bash")


def unit_names(context: click.Context, begun: str) -> list[str]:
    """Return what --observers and --targets may name: units, or groups where a skirmish is evaluated."""
    board = _board(context)
    if board is None:
        return []
    names = list(board.names)
    if context.info_name == "evaluate":
        from ninthgeom import _cli_skirmish

        if _cli_skirmish.is_skirmish(board):
            names = _cli_skirmish.group_names(board)
    return [name for name in names if name.startswith(begun)]


def model_names(context: click.Context, begun: str) -> list[str]:
    """Return the models that --duel can name without their slot."""
    from ninthgeom import _cli_names

    board = _board(context)
    names = [] if board is None else [name for name, _ in _cli_names.named_slots(board)]
    return [name for name in dict.fromkeys(names) if name.startswith(begun)]


def _board(context: click.Context) -> Board | None:
    """Return the board of the scene, which stands before the option."""
    from ninthgeom import read_scene

    # While an option is not complete, click has not told arguments apart yet.
    given: list[Any] = [context.params.get("scene_path"), *context.args]
    try:
        return read_scene(next(path for path in given if path)).board
    except (StopIteration, OSError, ValueError):
        return None  # no scene yet, or none that can be read: the command will say so
