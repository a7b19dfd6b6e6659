"""Twelve steps that all languages do, each with a hash of its poses (docs/guests.md).

usage: python scenario.py FOLDER [--vertices FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sinew


class Hash:
    """FNV-1a of 64 bits."""

    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add_bytes(self, data: bytes) -> None:
        value = self.value
        for byte in data:
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        self.value = value

    def add(self, numbers: NDArray[np.float32] | list[float]) -> None:
        self.add_bytes(np.asarray(numbers, dtype="<f4").tobytes())

    def add_pose(self, actor: sinew.Actor) -> None:
        self.add(actor.model)

    def __str__(self) -> str:
        return f"{self.value:016x}"


class Scenario:
    """The characters of a folder, and what one step leaves to the next."""

    def __init__(self, folder: Path) -> None:
        self.hero = sinew.load(folder / "hero.glb")
        self.other = sinew.load(folder / "other.glb")
        self.rig = self.hero.rig("dqs")
        machine = (folder / "machine.json").read_text()
        self.graph = self.rig.graph(machine, root="hips")
        self.player = self.graph.player()
        self.packed = b""
        self.vertices = np.empty((0, 6), np.float32)

    def sampled(self, rig: sinew.Rig, clip: str) -> Hash:
        hash, actor, player = Hash(), rig.actor(), rig.player(clip)
        for i in range(10):
            player.seek(i * 0.1)
            actor.sample(player)
            hash.add_pose(actor)
        return hash

    def load(self) -> Hash:
        hash = Hash()
        hash.add_pose(self.rig.actor())
        return hash

    def sample(self) -> Hash:
        return self.sampled(self.rig, "walk")

    def play(self) -> Hash:
        hash, actor, player = Hash(), self.rig.actor(), self.rig.player("run")
        player.speed = 1.25
        fired = 0
        for _ in range(60):
            fired += len(player.advance(1 / 60))
            actor.sample(player)
            hash.add_pose(actor)
        hash.add([fired])
        return hash

    def blend(self) -> Hash:
        hash, actor, poses = Hash(), self.rig.actor(), []
        for clip, time_secs in [("walk", 0.3), ("idle", 0.1)]:
            player, pose = self.rig.player(clip), self.rig.pose()
            player.seek(time_secs)
            pose.sample(player)
            poses.append(pose)
        for i in range(11):
            weight = np.float32(i) / np.float32(10)
            rest = np.float32(1) - weight
            actor.blend([(poses[0], float(weight)), (poses[1], float(rest))])
            hash.add_pose(actor)
        return hash

    def updated(self, hash: Hash, actor: sinew.Actor, steps: int) -> int:
        fired = 0
        for _ in range(steps):
            fired += len(self.player.update(1 / 60))
            self.player.pose(actor)
            hash.add_pose(actor)
        return fired

    def machine(self) -> Hash:
        hash = Hash()
        self.player.set("speed", 2)
        self.updated(hash, self.rig.actor(), 60)
        return hash

    def interrupted(self) -> Hash:
        hash, actor = Hash(), self.rig.actor()
        self.player.set("speed", 0)
        fired = self.updated(hash, actor, 6)
        self.player.set("speed", 3)
        fired += self.updated(hash, actor, 30)
        hash.add([fired])
        return hash

    def root(self) -> Hash:
        hash, player = Hash(), self.graph.player()
        player.set("speed", 3)
        for _ in range(90):
            player.update(1 / 60)
            translation, heading = player.root_step
            hash.add([*translation, heading])
        return hash

    def two_bone(self) -> Hash:
        hash, actor, player = Hash(), self.rig.actor(), self.rig.player("walk")
        player.seek(0.25)
        actor.sample(player)
        arm = ("left_upper_arm", "left_lower_arm", "left_hand")
        actor.two_bone(*arm, goal=(0.35, 1.3, 0.3), weight=0.8)
        hash.add_pose(actor)
        self.vertices = actor.skin()
        return hash

    def aim(self) -> Hash:
        hash, actor, player = Hash(), self.rig.actor(), self.rig.player("idle")
        player.seek(0.5)
        actor.sample(player)
        shares = [("neck", 0.4), ("head", 0.6)]
        actor.aim(shares, eye="head", axis=(0, 0, 1), target=(1, 1.8, 2))
        hash.add_pose(actor)
        return hash

    def pack(self) -> Hash:
        hash = Hash()
        self.packed = self.hero.pack("walk", max_error=1e-4)
        hash.add_bytes(self.packed)
        return hash

    def play_packed(self) -> Hash:
        return self.sampled(self.hero.rig("dqs", packed=self.packed), "walk")

    def retarget(self) -> Hash:
        clip = self.other.retarget(self.hero, "walk")
        return self.sampled(self.other.rig("dqs"), clip.name)


def main() -> None:
    parser = argparse.ArgumentParser(description="prints a hash of each step")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vertices", type=Path, help="file for the vertices of step 8")
    arguments = parser.parse_args()
    scenario = Scenario(arguments.folder)
    steps = {
        "load": scenario.load,
        "sample": scenario.sample,
        "play": scenario.play,
        "blend": scenario.blend,
        "machine": scenario.machine,
        "interrupted": scenario.interrupted,
        "root": scenario.root,
        "two_bone": scenario.two_bone,
        "aim": scenario.aim,
        "pack": scenario.pack,
        "packed": scenario.play_packed,
        "retarget": scenario.retarget,
    }
    for name, step in steps.items():
        print(name, step())
    if arguments.vertices:
        arguments.vertices.write_bytes(scenario.vertices.astype("<f4").tobytes())


if __name__ == "__main__":
    main()
