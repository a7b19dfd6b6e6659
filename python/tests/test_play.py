"""Playback: actors, players, blends, state machines, inverse kinematics, skinning."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sinew
from content import TRIANGLE


@pytest.fixture
def rig(body: sinew.Character) -> sinew.Rig:
    return body.rig()


def test_an_actor_shows_the_sample(body: sinew.Character, rig: sinew.Rig) -> None:
    actor, player = rig.actor(), rig.player("0")
    player.seek(0.4)
    actor.sample(player)
    frames = body.clips[0].sample([0.4])
    expected = body.fk(frames.rotations, frames.translations)[0]
    np.testing.assert_array_equal(actor.model, expected)
    np.testing.assert_array_equal(actor.socket("joint7"), expected[7])
    np.testing.assert_array_equal(rig.sample("0", [0.4]).rotations, frames.rotations)
    pose = actor.pose()
    np.testing.assert_array_equal(pose.rotations, frames.rotations[0])
    turned = rig.actor()
    turned.set_pose(pose)
    np.testing.assert_array_equal(turned.model, expected)


def test_a_pose_of_another_rig_is_refused(body: sinew.Character, rig: sinew.Rig) -> None:
    with pytest.raises(sinew.Error, match="another rig"):
        rig.actor().set_pose(body.rig().pose())


def test_a_player_wraps(rig: sinew.Rig) -> None:
    player = rig.player("0")
    duration = player.duration_secs
    player.advance(1.5 * duration)
    assert player.time_secs == pytest.approx(0.5 * duration)
    player.wrap, player.speed = "ping_pong", -2.0
    assert (player.wrap, player.speed) == ("ping_pong", -2.0)
    player.seek(1.25 * duration)
    assert player.time_secs == pytest.approx(0.75 * duration)
    player.wrap = "clamp"
    assert player.time_secs == pytest.approx(0.75 * duration)
    player.seek(99)
    assert player.time_secs == pytest.approx(duration)
    with pytest.raises(sinew.Error, match="wrap is"):
        player.wrap = "twice"  # type: ignore[assignment]


def test_blends_are_means(rig: sinew.Rig) -> None:
    actor, poses = rig.actor(), [rig.pose(), rig.pose()]
    translations = poses[0].translations
    translations[0] = [2, 0, 0]
    poses[0].translations = translations
    translations[0] = [0, 4, 0]
    poses[1].translations = translations
    actor.blend([(poses[0], 0.5), (poses[1], 0.5)])
    np.testing.assert_allclose(actor.model[0, :, 3], [1, 2, 0], atol=1e-6)
    mask = np.zeros(rig.joint_count)
    actor.blend([(poses[0], 1.0), (poses[1], 1.0, mask)])
    np.testing.assert_allclose(actor.model[0, :, 3], [2, 0, 0], atol=1e-6)
    with pytest.raises(sinew.Error, match="weight"):
        actor.blend([(poses[0], -1.0)])
    with pytest.raises(sinew.Error, match="mask"):
        actor.blend([(poses[0], 1.0, [1.0])])
    with pytest.raises(sinew.Error, match="has the shape"):
        poses[0].rotations = np.zeros((3, 4))


def test_inverse_kinematics_reaches(rig: sinew.Rig) -> None:
    actor = rig.actor()
    start = actor.model[:, :, 3]
    goal = (start[20] + [0.4, -0.8, 0.3]).tolist()
    for solve in [actor.ccd, actor.fabrik]:
        reached, left = solve("joint0", 20, goal)
        assert reached and left < 1e-2
        assert np.linalg.norm(actor.model[20, :, 3] - goal) < 1e-2
        actor.set_pose(rig.pose())
    assert actor.dls([("joint20", goal)])
    assert np.linalg.norm(actor.model[20, :, 3] - goal) < 1e-2
    actor.set_pose(rig.pose())
    goal = (start[5] + [0.2, 0.4, 0.1]).tolist()
    reached, left = actor.two_bone("joint5", "joint10", "joint15", goal, pole=(0, 0, 9))
    assert reached
    np.testing.assert_allclose(actor.model[15, :, 3], goal, atol=1e-4)
    actor.set_pose(rig.pose())
    reached, left = actor.aim([("joint28", 0.5), ("joint29", 0.5)], "joint29", (0, 1, 0), (9, 3, 0))
    assert reached and left < 1e-3
    eye = actor.model[29]
    sight = np.array([9, 3, 0]) - eye[:, 3]
    np.testing.assert_allclose(eye[:, 1], sight / np.linalg.norm(sight), atol=1e-4)


MACHINE = {
    "parameters": [{"name": "speed"}],
    "states": [
        {"name": "slow", "motion": {"clip": "0"}},
        {"name": "fast", "motion": {"clip": "0"}, "speed": 2.0},
    ],
    "transitions": [
        {
            "from": "slow",
            "to": "fast",
            "when": [{"above": {"parameter": "speed", "value": 0.5}}],
            "duration_secs": 0.2,
        }
    ],
}


def test_a_machine_changes_its_state(body: sinew.Character) -> None:
    body.add_clip(body.clips[0].renamed("0"))
    rig = body.rig()
    graph = rig.graph(json.dumps(MACHINE))
    assert graph.parameters == ["speed"]
    player, actor = graph.player(), rig.actor()
    player.update(0.1)
    player.pose(actor)
    before = actor.model
    assert player.state == "slow" and not player.is_in_transition
    player.set("speed", 1)
    assert player.get("speed") == 1
    assert player.update(0.05) == []
    assert player.state == "fast" and player.is_in_transition
    player.update(0.3)
    assert not player.is_in_transition and player.phase > 0
    player.pose(actor)
    assert np.abs(actor.model - before).max() > 1e-3
    player.jump("slow", 0.25)
    assert (player.state, player.phase) == ("slow", 0.25)
    assert player.root_step == ((0, 0, 0), 0)
    with pytest.raises(sinew.Error, match="parameter"):
        player.set("sped", 1)
    with pytest.raises(sinew.Error, match="parameter"):
        player.get("sped")
    with pytest.raises(sinew.Error):
        player.jump("nowhere")
    with pytest.raises(sinew.Error):
        player.pose(body.rig().actor())


def test_vertices_follow_their_node(tmp_path: Path) -> None:
    character = sinew.load(TRIANGLE)
    rig = character.rig("lbs")
    assert rig.vertex_count == 3
    np.testing.assert_array_equal(rig.triangles, [[0, 1, 2]])
    vertices = rig.actor().skin()
    np.testing.assert_allclose(vertices[:, :3], [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_allclose(vertices[:, 3:], [[0, 0, 1]] * 3)
    out = np.empty((3, 3), np.float32)
    assert rig.actor().skin(normals=False, out=out) is out
    joints = rig.joint_count
    batch = rig.skin(np.tile([0, 0, 0, 1.0], (5, joints, 1)))
    np.testing.assert_array_equal(batch, np.stack([vertices] * 5))
    assert rig.actor().palette().shape[1:] == (3, 4)
    with pytest.raises(sinew.Error, match="there is no part 9"):
        rig.actor().palette(9)


def test_packed_clips_play(body: sinew.Character) -> None:
    contents = body.pack()
    packed = body.rig(packed=contents)
    clip = sinew.load_packed(contents)[0]
    assert packed.clip_names == [clip.name]
    assert clip.measured_error <= 1e-4
    times = np.linspace(0, 1, 7)
    np.testing.assert_array_equal(
        packed.sample("0", times).rotations, clip.sample(times).rotations
    )
    near = body.clips[0].sample(times)
    maps = [body.fk(f.rotations, f.translations) for f in (near, clip.sample(times))]
    assert np.abs(maps[0][..., 3] - maps[1][..., 3]).max() <= 1.01e-4


def test_packed_clips_of_other_joints_are_refused(body_bytes: bytes) -> None:
    other = sinew.load(body_bytes.replace(b"joint7", b"elbow"))
    with pytest.raises(sinew.Error, match='joint 7 is "joint7" in the file and "elbow" in'):
        other.rig(packed=sinew.load(body_bytes).pack())


def test_other_rigs_are_refused(body: sinew.Character, rig: sinew.Rig) -> None:
    with pytest.raises(sinew.Error, match="another rig"):
        rig.actor().sample(body.rig().player("0"))
    with pytest.raises(sinew.Error):
        rig.graph("{}")
    with pytest.raises(sinew.Error, match="unknown"):
        rig.graph(json.dumps({"nothing": 1}))
