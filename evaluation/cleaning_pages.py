"""Pages as the models of cleaning see them, and the files of the models."""

from __future__ import annotations

from dataclasses import astuple, fields
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.content.block_model import Network, ParagraphModel
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.cleaning.metadata.fields import read_metadata
from ilspfc.cleaning.page import CleaningReason, read_html
from ilspfc.web.address import Addresses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import ParsedPage


def parse_page(
    body: bytes, *, keep_hidden: bool = True
) -> tuple[ParsedPage, str] | None:
    """Return the blocks of an HTML page and its title.

    The learned backend judges hidden blocks too, the others do not.
    """
    read = read_html(decode(body, "")[0])
    if isinstance(read, CleaningReason):
        return None
    root = read[-1]
    page = read_blocks(root, keep_hidden=keep_hidden)
    return page, read_metadata(root, Addresses("")).title


def write_model(model: ParagraphModel, file: IO[bytes]) -> None:
    """Write a model, networks in half precision; the same model gives the same bytes."""
    columns = zip(*map(astuple, model.networks), strict=True)
    arrays: dict[str, NDArray[Any]] = {
        one.name: np.array(column, np.float16)
        for one, column in zip(fields(Network), columns, strict=True)
    }
    arrays["scale"] = np.array(model.scale)
    arrays["features"] = model.trees.features.astype(np.uint16)
    arrays["thresholds"] = model.trees.thresholds
    arrays["leaves"] = model.trees.leaves
    arrays["base"] = np.array(model.trees.base)
    # Savez takes each array by a name of its own; mypy sees its other arguments.
    np.savez(file, **arrays)  # type: ignore[arg-type]
