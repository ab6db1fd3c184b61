"""Array types of numpy under the names that all algorithms use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
SingleArray: TypeAlias = npt.NDArray[np.float32]
IntArray: TypeAlias = npt.NDArray[np.int64]
IdArray: TypeAlias = npt.NDArray[np.int32]
ChoiceArray: TypeAlias = npt.NDArray[np.int8]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
AnyArray: TypeAlias = npt.NDArray[Any]
