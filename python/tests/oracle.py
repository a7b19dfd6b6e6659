"""Forward kinematics by numpy in double precision, vectorised over frames."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def matrices(q: NDArray[Any]) -> NDArray[Any]:
    """Rotation matrices of unit quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def fk(
    parents: NDArray[np.int32], rotations: NDArray[Any], translations: NDArray[Any]
) -> NDArray[Any]:
    """Maps T×J×3×4 of rotations T×J×4 and translations T×J×3."""
    local = matrices(rotations)
    out = np.empty((*rotations.shape[:2], 3, 4), dtype=rotations.dtype)
    for joint, parent in enumerate(parents):
        if parent < 0:
            out[:, joint, :, :3] = local[:, joint]
            out[:, joint, :, 3] = translations[:, joint]
        else:
            above = out[:, parent, :, :3]
            out[:, joint, :, :3] = above @ local[:, joint]
            moved = (above @ translations[:, joint, :, None])[..., 0]
            out[:, joint, :, 3] = moved + out[:, parent, :, 3]
    return out
