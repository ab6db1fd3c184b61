"""Where the gold data is that the evaluation uses where it is at hand."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ILSPFC_EVALUATION_DATA", PROJECT.parent / "shared"))


def skip_text() -> str:
    """Return the line that says that an evaluation was skipped, and why."""
    return f"Skipped: no evaluation data in {DATA} (set ILSPFC_EVALUATION_DATA)."
