"""A support vector machine with a polynomial kernel, read from data and run in numpy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray

# What the shipped machine looks at (000, section 3.9), in the order of its vectors.
FEATURES = ("fingerprint_ratio", "paragraph_ratio", "distance")
_MAX_DEGREE = 9


@dataclass(frozen=True, slots=True)
class PolynomialSvm:
    """Decides by the kernel (gamma · x·v + constant) ** degree.

    ``vectors`` are the support vectors, shape (m, features); ``coefficients`` their
    weights with the sign of their class, shape (m,).
    """

    vectors: FloatArray
    coefficients: FloatArray
    intercept: float
    degree: int
    gamma: float
    constant: float

    def decide(self, features: FloatArray) -> FloatArray:
        """Return the signed distance from the border of vectors, shape (n,).

        Above 0 a vector is on the side of the pairs; +1 and -1 are the margins.
        """
        kernel = (self.gamma * features @ self.vectors.T + self.constant) ** self.degree
        return np.asarray(kernel @ self.coefficients + self.intercept, np.float64)

    def probability(self, features: FloatArray) -> FloatArray:
        """Return 1 / (1 + exp(-decision)): 0.5 at the border, 0.73 at the margin."""
        return 1 / (1 + np.exp(-np.clip(self.decide(features), -30, 30)))


def parse_svm(text: str) -> PolynomialSvm:
    """Return the machine in a JSON text; nothing in it is run.

    Raises ValueError for a text that is no machine of these features.
    """
    data = json.loads(text)
    if not isinstance(data, dict) or tuple(data.get("features", ())) != FEATURES:
        raise ValueError(f"no support vector machine of {', '.join(FEATURES)}")
    try:
        svm = PolynomialSvm(
            np.array(data["vectors"], np.float64),
            np.array(data["coefficients"], np.float64),
            float(data["intercept"]),
            int(data["degree"]),
            float(data["gamma"]),
            float(data["constant"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no support vector machine: {error!r}") from error
    if svm.vectors.shape != (len(svm.coefficients), len(FEATURES)):
        raise ValueError(
            f"{svm.vectors.shape} vectors, {len(svm.coefficients)} weights"
        )
    numbers = (svm.intercept, svm.gamma, svm.constant)
    if not (
        np.isfinite(svm.vectors).all()
        and np.isfinite(svm.coefficients).all()
        and np.isfinite(numbers).all()
        and 1 <= svm.degree <= _MAX_DEGREE
    ):
        raise ValueError(f"not finite, or not of degree 1 to {_MAX_DEGREE}")
    return svm


def format_svm(svm: PolynomialSvm) -> str:
    """Return the machine as JSON with six digits, a support vector a line."""
    rows = [
        f"  {json.dumps([_round(x) for x in vector])}"
        for vector in svm.vectors.tolist()
    ]
    head = {
        "features": FEATURES,
        "degree": svm.degree,
        "gamma": _round(svm.gamma),
        "constant": _round(svm.constant),
        "intercept": _round(svm.intercept),
        "coefficients": [_round(x) for x in svm.coefficients.tolist()],
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(head[key])}" for key in head)
    return "{\n" + lines + ',\n "vectors": [\n' + ",\n".join(rows) + "\n ]\n}\n"


def _round(value: float) -> float:
    return float(f"{value:.6g}")


@lru_cache(maxsize=1)
def structure_svm() -> PolynomialSvm:
    """Return the machine of ``evaluation/train_svm.py``."""
    text = (
        files("ilspfc.pairing.baselines")
        .joinpath("structure_svm.json")
        .read_text("utf-8")
    )
    return parse_svm(text)
