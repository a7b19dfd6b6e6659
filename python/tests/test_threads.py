"""Threads and processes: the GIL is free during work, and nothing is shared that a fork breaks."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import sinew
from content import chain


def threads_of_this_process() -> int:
    return len(os.listdir("/proc/self/task"))


def digest(packed: sinew.PackedClip) -> float:
    times = np.linspace(0, packed.duration_secs, 50)
    frames = packed.sample(times)
    return float(np.abs(frames.rotations).sum(dtype=np.float64))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads in /proc")
def test_no_call_starts_a_thread(body: sinew.Character) -> None:
    before = threads_of_this_process()
    frames = body.clips[0].to_arrays()
    for _ in range(20):
        body.fk(frames.rotations, frames.translations)
    body.pack()
    assert threads_of_this_process() == before


def test_eight_threads_give_the_same_bits(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays()
    expected = body.fk(frames.rotations, frames.translations)
    rig = body.rig()
    actor, player = rig.actor(), rig.player("0")

    def work(seed: int) -> bool:
        for turn in range(30):
            maps = body.fk(frames.rotations, frames.translations)
            if not np.array_equal(maps, expected):
                return False
            # All threads also use one actor and one player.
            player.seek((seed + turn) / 100)
            actor.sample(player)
            if not np.isfinite(actor.model).all():
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_other_threads_go_on_during_work() -> None:
    clip = sinew.load(chain(frames=80)).clips[0]
    counted, stop = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    start = time.monotonic()
    clip.compress(1e-5)
    took = time.monotonic() - start
    during = counted - before
    stop.set()
    thread.join()
    # With the GIL held, the thread counts at most once.
    assert took > 0.02, "the call is too short to tell"
    assert during > 5


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_the_same_result(body: sinew.Character, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    packed = body.clips[0].compress()
    expected = digest(packed)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(digest, [packed] * 4, timeout=60))
    assert found == [expected] * 4


def test_pickles_are_the_same_clip(body: sinew.Character) -> None:
    packed = body.clips[0].compress()
    again = pickle.loads(pickle.dumps(packed))
    assert again.name == packed.name and again.joint_names == packed.joint_names
    times = [0.3, 0.1]
    np.testing.assert_array_equal(again.sample(times).rotations, packed.sample(times).rotations)
