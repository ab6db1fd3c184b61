"""``ilspfc completion bash|zsh``: completion of commands, options and spiders by a shell."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from scrapy.commands import ScrapyCommand

_SHELLS = ("bash", "zsh")
_ZSH = "autoload -U +X bashcompinit && bashcompinit"
# Words behind the first: those of the command, else files.
_SCRIPT = """\
_ilspfc() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words
  case "$COMP_CWORD:${{COMP_WORDS[1]}}" in
    1:*) words="{commands}" ;;
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _ilspfc ilspfc"""


class Command(ProjectCommand):
    """Writes a script for a shell: ``source <(ilspfc completion bash)``."""

    arguments = "bash|zsh"
    summary = "Show a script by which a shell completes commands and options"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the script."""
        if len(args) != 1:
            raise UsageError(f"give a shell: {' or '.join(_SHELLS)}")
        if args[0] not in _SHELLS:
            raise ArgumentError(
                f"{args[0]}: no such shell; known are {' and '.join(_SHELLS)}"
            )
        from ilspfc.program import find_commands

        words = {name: self._options_of(one) for name, one in find_commands().items()}
        words["crawl"] += ["bilingual", "monolingual"]
        cases = "\n".join(
            f'    *:{n}) words="{" ".join(w)}" ;;' for n, w in words.items()
        )
        if args[0] == "zsh":
            print(_ZSH)
        print(_SCRIPT.format(commands=" ".join(words), cases=cases))

    def _options_of(self, command: ScrapyCommand) -> list[str]:
        """Return the long options of a command."""
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.settings = self.settings
        command.add_options(parser)
        actions = parser._actions  # noqa: SLF001
        options = [option for one in actions for option in one.option_strings]
        return [option for option in options if option.startswith("--")]
