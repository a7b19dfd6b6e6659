"""Content that tests make: a chain as BVH text, and files of the repository's program."""

from __future__ import annotations

import math


def chain(joints: int = 31, frames: int = 40, fps: float = 30.0) -> bytes:
    """Chain of joints of length 0.1 that sways while its root walks along z. The last is its end."""
    moving = joints - 1
    lines = ["HIERARCHY", "ROOT joint0", "{", "OFFSET 0 1 0"]
    lines.append("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
    for joint in range(1, moving):
        lines += [f"JOINT joint{joint}", "{", "OFFSET 0 0.1 0"]
        lines.append("CHANNELS 3 Zrotation Xrotation Yrotation")
    lines += ["End Site", "{", "OFFSET 0 0.1 0", "}"] + ["}"] * moving
    lines += ["MOTION", f"Frames: {frames}", f"Frame Time: {1 / fps:.9f}"]
    for frame in range(frames):
        phase = 2 * math.pi * frame / frames
        numbers = [0.0, 1.0 + 0.1 * math.sin(phase), 0.02 * frame]
        for joint in range(moving):
            numbers += [9 * math.sin(phase + joint), 5 * math.cos(2 * phase), 3 * math.sin(joint)]
        lines.append(" ".join(f"{number:.6f}" for number in numbers))
    return "\n".join(lines).encode()


TRIANGLE = b"""v 0 0 0
v 1 0 0
v 0 1 0
vn 0 0 1
f 1//1 2//1 3//1
"""
