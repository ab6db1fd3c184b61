"""Add-ons: packages that the core can do without, found by name where they are installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ilspfc.exceptions import SettingError


def has_add_on(name: str) -> bool:
    """Test whether an add-on is installed."""
    return find_spec(f"ilspfc.{name}") is not None


def load(path: str, asked_by: str) -> Any:
    """Return an object of an add-on by its dotted path below ``ilspfc``.

    SettingError where the add-on is missing; ``asked_by`` is the setting or option that needs it.
    """
    name = path.partition(".")[0]
    if not has_add_on(name):
        raise SettingError(
            f"{asked_by}: needs ilspfc/{name}, which is not installed; leave it out, or install"
            " ilspfc whole"
        )
    module, _, attribute = path.rpartition(".")
    return getattr(import_module(f"ilspfc.{module}"), attribute)
