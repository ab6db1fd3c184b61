"""Text files of users: read as UTF-8, with one error for whatever is wrong with them."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from ilspfc.exceptions import IlspfcError


def read_text(
    path: Traversable, where: str, advice: str, error_type: type[IlspfcError]
) -> str:
    """Return a text in UTF-8, without a byte order mark.

    A file that cannot be read raises the error, which names it as ``where``.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or error
        raise error_type(f"{where}: cannot be read ({cause}); give {advice}") from error
