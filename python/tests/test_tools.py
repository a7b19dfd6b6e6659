"""Tools: save and load, edits with undo, retargeting, weights, measures, motion capture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sinew
from content import TRIANGLE, chain


@pytest.mark.parametrize("name", ["a.glb", "a.gltf", "a.bvh", "a.sinew"])
def test_saved_motion_is_the_same(body: sinew.Character, tmp_path: Path, name: str) -> None:
    findings = body.save(tmp_path / name)
    assert all(isinstance(finding, str) for finding in findings)
    again = sinew.load(tmp_path / name)
    times = np.linspace(0, 1, 11)
    maps = []
    for character in [body, again]:
        frames = character.clips[0].sample(times)
        tree = dict(zip(character.joint_names, range(99)))
        maps.append(character.fk(frames.rotations, frames.translations)[:, tree["joint29"]])
    np.testing.assert_allclose(maps[0], maps[1], atol=2e-4)


@pytest.mark.parametrize("name", ["a.obj", "a.ply", "a.glb"])
def test_saved_meshes_are_the_same(tmp_path: Path, name: str) -> None:
    mesh = sinew.load(TRIANGLE)
    mesh.save(tmp_path / name)
    positions = sinew.load((tmp_path / name).read_bytes()).meshes[0].primitives[0].positions
    np.testing.assert_array_equal(positions, mesh.meshes[0].primitives[0].positions)


def test_clips_are_added_and_replaced(body: sinew.Character) -> None:
    clip = body.clips[0].renamed("walk")
    body.add_clip(clip)
    assert [clip.name for clip in body.clips][1:] == ["walk"]
    still = sinew.Clip.from_arrays(body, np.tile([0, 0, 0, 1.0], (2, 31, 1)), fps=1, name="walk")
    body.add_clip(still)
    assert len(body.clips) == 2 and body.clip("walk").duration_secs == 1
    with pytest.raises(sinew.Error, match="moves 30 joints, but the skeleton has 4"):
        sinew.load(chain(joints=4)).add_clip(clip)


def test_edits_can_be_undone(body: sinew.Character) -> None:
    editor = sinew.Editor(body)
    script = """[
        {"do": "new_clip", "name": "nod"},
        {"do": "insert_key", "clip": "nod", "joint": "joint29", "time_secs": 0.5, "rotation": [0.6, 0, 0, 0.8]}
    ]"""
    assert len(editor.run(script)) == 2 and len(editor) == 2
    edited = editor.character()
    np.testing.assert_allclose(
        edited.clip("nod").sample([0.5]).rotations[0, 29], [0.6, 0, 0, 0.8], atol=1e-6
    )
    assert editor.undo() and editor.undo() and not editor.undo()
    assert len(editor.character().clips) == 1
    assert editor.redo() and len(editor.character().clips) == 2
    with pytest.raises(sinew.Error, match="edit 1"):
        editor.run('[{"do": "nothing"}]')
    with pytest.raises(sinew.Error, match="joint99"):
        editor.run('[{"do": "insert_key", "clip": 0, "joint": "joint99", "time_secs": 0}]')


def test_motion_is_transferred_by_names() -> None:
    source, target = sinew.load(chain()), sinew.load(chain(frames=1))
    pairs = {name: name for name in source.joint_names}
    clip = target.retarget(source, "0", pairs=pairs, feet=False)
    assert target.clips[-1].name == clip.name
    times = [0.1, 0.5]
    expected, found = source.clips[0].sample(times), clip.sample(times)
    np.testing.assert_allclose(
        target.fk(found.rotations, found.translations),
        source.fk(expected.rotations, expected.translations),
        atol=1e-4,
    )
    with pytest.raises(sinew.Error, match="no_joint"):
        target.retarget(source, "0", pairs={"no_joint": "joint1"})


def test_a_column_is_bound_to_a_chain(tmp_path: Path) -> None:
    ring = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
    lines = [f"v {0.08 * x} {1 + 0.05 * i} {0.08 * z}" for i in range(9) for x, z in ring]
    for i in range(8):
        for k in range(12):
            a, b = 12 * i + k + 1, 12 * i + (k + 1) % 12 + 1
            lines += [f"f {a} {a + 12} {b}", f"f {b} {a + 12} {b + 12}"]
    lines += ["f " + " ".join(str(k + 1) for k in range(12))]
    lines += ["f " + " ".join(str(12 * 8 + k + 1) for k in reversed(range(12)))]
    column = sinew.load("\n".join(lines).encode())
    bare = column.meshes[0].primitives[0].influences
    assert bare is None
    vertices, joints = column.bind(sinew.load(chain(joints=4, frames=1)))
    assert vertices == 108 and joints >= 3
    influences = column.meshes[0].primitives[0].influences
    assert influences is not None
    np.testing.assert_allclose(influences[1].sum(axis=1), 1, atol=1e-5)
    figures = column.measure(methods=["lbs"])
    assert set(figures) == {"lbs"}
    np.testing.assert_allclose(figures["lbs"]["volume"], 1, atol=1e-3)
    with pytest.raises(sinew.Error, match="no method"):
        column.bind(method="quick")  # type: ignore[arg-type]


def test_markers_become_a_character() -> None:
    labels = ["LASI", "RASI", "LPSI", "RPSI", "C7", "T10", "CLAV", "STRN", "LFHD", "RFHD"]
    with pytest.raises(sinew.Error):
        sinew.mocap(b"not C3D")
    with pytest.raises(sinew.Error, match="shape"):
        sinew.mocap_arrays(np.zeros((4, 9, 3)), labels, 100)
    with pytest.raises(sinew.Error, match="labels|label"):
        sinew.mocap_arrays(np.zeros((4, 2, 3)), ["one", "two"], 100)
    # Markers on a body of the same size, which moves along x.
    body = sinew.load(chain(joints=4, frames=1))
    markers = [
        (f"m{joint}{axis}", f"joint{joint}", tuple(0.05 * np.eye(3)[axis]))
        for joint in range(3)
        for axis in range(3)
    ]
    rest = body.fk(body.rest_rotations)
    seen = np.array([rest[body.joint(j)] @ [*offset, 1] for _, j, offset in markers])
    points = np.stack([seen + [0.1 * frame, 0, 0] for frame in range(5)])
    points[2, 3] = np.nan
    names = [label for label, _, _ in markers]
    subject, report = sinew.mocap_arrays(points, names, 10, onto=body, markers=markers)
    assert report["rms_m"] < 1e-3 and report["size"] == pytest.approx(1, abs=0.02)
    path = subject.clips[0].sample([0.4])
    np.testing.assert_allclose(path.translations[0, 0], [0.4, 1, 0], atol=1e-2)


def test_positions_become_a_clip() -> None:
    body = sinew.load(chain(joints=4, frames=1))
    source = sinew.load(chain(joints=4, frames=10))
    frames = source.clips[0].to_arrays()
    positions = source.fk(frames.rotations, frames.translations)[..., 3]
    body.add_positions(positions, 30, "from points")
    found = body.clip("from points").to_arrays()
    again = body.fk(found.rotations, found.translations)[..., 3]
    np.testing.assert_allclose(again, positions, atol=1e-3)
    with pytest.raises(sinew.Error, match="must end with"):
        body.add_positions(positions[:, :3], 30)
