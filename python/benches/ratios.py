"""Times against plain programs, in one run. Each figure is the minimum of many.

usage: python benches/ratios.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent.parent
sys.path.insert(0, str(HERE / "tests"))

import oracle
import sinew
from content import chain


def least_secs(work: Callable[[], object], secs: float = 2.0) -> float:
    """Least time of a call, over calls of so many seconds in all."""
    least, end = float("inf"), time.perf_counter() + secs
    while time.perf_counter() < end:
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def show(name: str, own: float, other: float, against: str) -> None:
    print(f"{name}: {1e3 * own:.3f} ms; {against} {1e3 * other:.3f} ms; ratio {other / own:.1f}")


def fk() -> None:
    body = sinew.load(chain(joints=31, frames=1000))
    frames = body.clips[0].to_arrays()
    rotations, translations = frames.rotations[:1000], frames.translations[:1000]
    parents, out = body.parents, np.empty((1000, 31, 3, 4), np.float32)
    own = least_secs(lambda: body.fk(rotations, translations))
    reused = least_secs(lambda: body.fk(rotations, translations, out=out))
    other = least_secs(lambda: oracle.fk(parents, rotations, translations))
    show("fk of 1,000 × 31 joints", own, other, "numpy over frames")
    show("fk into an array of the caller", reused, other, "numpy over frames")


def packed() -> None:
    body = sinew.load(chain(joints=31, frames=1000))
    clip = body.clips[0].compress()
    times = np.random.default_rng(1).uniform(0, clip.duration_secs, 1000)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "chain.sinew", Path(folder) / "times"]
        files[0].write_bytes(clip.to_bytes())
        files[1].write_bytes(times.astype("<f8").tobytes())
        command = ["cargo", "bench", "--quiet", "--bench", "packed", "--", *map(str, files)]
        target = ["--target-dir", str(HERE.parent / "target/wheel")]
        run = subprocess.run(
            command[:2] + target + command[2:], cwd=HERE, stdout=subprocess.PIPE, check=True
        )
    poses, arrays = (1e-3 * float(word) for word in run.stdout.split())
    own = least_secs(lambda: clip.sample(times))
    print(f"PackedClip.sample of 1,000 random times × 31 joints: {1e3 * own:.3f} ms")
    print(f"  the library into arrays: {1e3 * arrays:.3f} ms; ratio {own / arrays:.2f}")
    print(f"  the library into one pose after the other: {1e3 * poses:.3f} ms; ratio {own / poses:.2f}")


def bvh() -> None:
    try:
        from bvh import Bvh  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        print("bvh: not installed; pip install bvh")
        return
    text = chain(joints=31, frames=1000)

    def parse() -> object:
        return Bvh(text.decode())

    own = least_secs(lambda: sinew.load(text))
    name = "load of a BVH file of 1,000 frames"
    # It keeps the motion as words.
    show(name, own, least_secs(parse), "bvh from PyPI")


if __name__ == "__main__":
    fk()
    packed()
    bvh()
