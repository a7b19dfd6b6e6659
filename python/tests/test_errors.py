"""Errors: exceptions with the text of the library, and never an abort."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sinew
from content import TRIANGLE, chain
from sinew import _sinew

MUTATIONS = int(os.environ.get("SINEW_MUTATIONS", "2000"))


def test_errors_are_value_errors_with_the_text_of_the_library(body: sinew.Character) -> None:
    assert issubclass(sinew.Error, ValueError)
    with pytest.raises(sinew.Error, match="this is not a glTF"):
        sinew.load(b"text")
    with pytest.raises(sinew.Error, match="the file is empty"):
        sinew.load(b"")
    with pytest.raises(sinew.Error, match="line 2"):
        sinew.load(b"HIERARCHY\nROT hips")
    with pytest.raises(sinew.Error, match='there is no joint "joint99"'):
        body.joint("joint99")
    with pytest.raises(sinew.Error, match='there is no clip "walk"'):
        body.clip("walk")
    with pytest.raises(sinew.Error, match="skinning method"):
        body.rig("quick")  # type: ignore[arg-type]
    with pytest.raises(sinew.Error, match="byte 4: the format version"):
        body.rig(packed=b"SINW....")


def test_files_that_cannot_be_read_are_os_errors(tmp_path: Path, body: sinew.Character) -> None:
    with pytest.raises(FileNotFoundError, match="nothing.glb"):
        sinew.load(tmp_path / "nothing.glb")
    with pytest.raises(OSError, match="cannot read"):
        sinew.load(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="nothing.sinew"):
        sinew.load_packed(tmp_path / "nothing.sinew")
    with pytest.raises(FileNotFoundError, match="body.bvh"):
        body.save(tmp_path / "no folder" / "body.bvh")
    with pytest.raises(sinew.Error, match="the extension must be"):
        body.save(tmp_path / "body.txt")


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(BaseException, match="this panic is a test"):
        _sinew._panic()


def too_large() -> list[str]:
    """Types of the exceptions of calls whose results need more memory than this process may use."""
    import resource

    body = sinew.load(chain())
    clip, times = body.clips[0], np.zeros(200_000)
    rotations = np.tile(np.array([0, 0, 0, 1], np.float32), (len(times), 31, 1))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (80 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    calls: list[Callable[[], object]] = [
        lambda: body.fk(rotations),
        lambda: clip.sample(times),
        lambda: sinew.convert_rotations(rotations, "quat", "matrix"),
        lambda: body.fk(rotations[:2]),
    ]
    found = []
    for call in calls:
        try:
            found.append(type(call()).__name__)
        except BaseException as error:
            found.append("MemoryError" if isinstance(error, MemoryError) else type(error).__name__)
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the size of the process in /proc")
def test_results_without_memory_are_memory_errors() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(too_large).result() == ["MemoryError"] * 3 + ["ndarray"]


def test_wrong_types_are_type_errors(body: sinew.Character) -> None:
    odd: Any = 3.5
    for call in [sinew.load, body.joint, body.rig().player, body.rig().actor().socket]:
        with pytest.raises(TypeError):
            call(odd)
    with pytest.raises(TypeError):
        body.rig().actor().blend([odd])


def test_numbers_that_are_not_finite_are_refused_or_stay(body: sinew.Character) -> None:
    nan, actor = float("nan"), body.rig().actor()
    with pytest.raises(sinew.Error):
        actor.two_bone("joint1", "joint5", "joint9", (nan, 0, 0))
    with pytest.raises(sinew.Error):
        actor.ccd("joint1", "joint9", (nan, 0, 0))
    with pytest.raises(sinew.Error):
        body.clips[0].to_arrays(fps=nan)
    with pytest.raises(sinew.Error):
        body.clips[0].compress(nan)
    with pytest.raises(sinew.Error):
        actor.blend([(actor.pose(), nan)])
    with pytest.raises(sinew.Error, match="joint 99"):
        actor.two_bone(99, 5, 9, (0, 0, 0))
    # Like any time outside the clip.
    assert body.clips[0].sample([nan]).rotations.shape == (1, 31, 4)


def mutated(seed: bytes, random: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(random.choice([1, 1, 1, 2, 20])):
        at = random.randrange(len(data))
        kind = random.randrange(5)
        if kind == 0:
            data[at] = random.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 2:
            del data[at : at + random.randrange(1, 20)]
        elif kind == 3:
            data[at:at] = data[at : at + random.randrange(1, 20)]
        else:
            data[at : at + 4] = random.choice([b"\0" * 4, b"\xff" * 4, b"\x7f\xff\xff\xff"])
        if not data:
            return b"\0"
    return bytes(data)


def seeds(folder: Path) -> list[bytes]:
    body = sinew.load(chain(joints=4, frames=4))
    files = [chain(joints=4, frames=4), TRIANGLE]
    for name in ["body.glb", "body.gltf", "body.sinew"]:
        body.save(folder / name)
        files.append((folder / name).read_bytes())
    sinew.load(TRIANGLE).save(folder / "triangle.ply")
    sinew.load(TRIANGLE).save(folder / "triangle.glb")
    return files + [(folder / name).read_bytes() for name in ["triangle.ply", "triangle.glb"]]


def test_mutated_files_give_exceptions(tmp_path: Path) -> None:
    files, source = seeds(tmp_path), random.Random(20261119)
    read = refused = 0
    for turn in range(MUTATIONS):
        data = mutated(files[turn % len(files)], source)
        try:
            character = sinew.load(data)
            for clip in character.clips:
                clip.sample([0.0, 0.1])
            character.rig().actor().model
            read += 1
        except sinew.Error:
            refused += 1
    assert read > MUTATIONS // 50 and refused > MUTATIONS // 50
