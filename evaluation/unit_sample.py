"""Draws translation units of a memory for reading by eye.

``python -m evaluation.unit_sample FILE.tmx [--number 50] [--seed 1]`` prints so many units,
drawn at random from those that no remark calls a duplicate, the least sure first: score,
type, remarks, the two segments. The same file and seed give the same units.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from ilspfc.exports import ExportUnit, read_tmx


def draw(units: list[ExportUnit], number: int, seed: int) -> list[ExportUnit]:
    """Return units drawn at random, the least sure first."""
    chosen = Random(seed).sample(units, min(number, len(units)))
    return sorted(chosen, key=lambda unit: unit.score or 0.0)


def main() -> int:
    """Print the units."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    units = [unit for unit in read_tmx(args.file) if "duplicate" not in unit.info]
    print(f"{args.file}: {len(units)} units without duplicates")
    for number, unit in enumerate(draw(units, args.number, args.seed), 1):
        remarks = ", ".join(unit.info)
        print(f"{number}. {unit.score or 0:.2f} {unit.kind} {remarks}".rstrip())
        print(f"   {unit.source}\n   {unit.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
