"""Skeletal animation with arrays of numpy.

``load`` reads a file as a ``Character``. Its clips give arrays (``Clip.to_arrays``) and come from
arrays (``Clip.from_arrays``). ``Character.fk`` computes the joints of many poses, ``Rig.skin`` their
vertices. ``Character.rig`` plays: actors, players, blends, state machines, inverse kinematics.

Rotations are unit quaternions x, y, z, w. Lengths are in the unit of the file, which is the metre
for glTF and FBX. Times are seconds, angles radians. Model space is the world space of the file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._sinew import (
    Actor,
    Character,
    Clip,
    Editor,
    Error,
    Graph,
    GraphPlayer,
    Mesh,
    PackedClip,
    Player,
    Pose,
    Primitive,
    Rig,
    convert_rotations,
    load,
    load_packed,
    mocap,
    mocap_arrays,
    run_recipe,
)

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "Character",
    "Clip",
    "Editor",
    "Error",
    "FiredEvent",
    "Frames",
    "Graph",
    "GraphPlayer",
    "Mesh",
    "PackedClip",
    "Player",
    "Pose",
    "Primitive",
    "Rig",
    "convert_rotations",
    "load",
    "load_packed",
    "mocap",
    "mocap_arrays",
    "run_recipe",
]


class Frames(NamedTuple):
    """Poses of many frames relative to the parents of the joints."""

    times: Any
    """Times in seconds, T, float64."""
    rotations: Any
    """Rotations, T×J×4 quaternions or another form."""
    translations: Any
    """Translations, T×J×3."""
    scales: Any
    """Scales, T×J×3, or ``None`` if they were not requested."""


class FiredEvent(NamedTuple):
    """Event that a state machine has passed."""

    name: str
    time_secs: float
    """Time in the clip."""
    clip: int
    """Index of the clip in ``Rig.clip_names``."""
    layer: int
    """Index of the layer. 0 is the base layer."""
    weight: float
    """Weight of the clip, in (0, 1]."""
    number: float | None
    """Number of the payload."""
    text: str | None
    """Text of the payload."""


def _restore_packed(contents: bytes) -> PackedClip:
    return load_packed(contents)[0]
