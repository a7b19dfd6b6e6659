"""Arrays: values against numpy in double precision, shapes, memory that is shared or given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oracle
import sinew
from content import TRIANGLE


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_fk_is_that_of_numpy(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays(fps=30)
    assert frames.rotations.shape == (40, 31, 4)
    maps = body.fk(frames.rotations, frames.translations)
    double = [frames.rotations.astype(np.float64), frames.translations.astype(np.float64)]
    expected = oracle.fk(body.parents, *double)
    assert maps.shape == (40, 31, 3, 4) and maps.dtype == np.float32
    np.testing.assert_allclose(maps, expected, atol=2e-6)


def test_fk_keeps_dimensions_and_takes_rest_or_root(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays()
    rotations = np.stack([frames.rotations] * 2)
    path = frames.translations[:, 0]
    maps = body.fk(rotations, np.stack([path] * 2))
    assert maps.shape == (2, 40, 31, 3, 4)
    np.testing.assert_array_equal(maps[1], body.fk(frames.rotations, frames.translations))
    at_rest = body.fk(frames.rotations[3])
    np.testing.assert_array_equal(at_rest[0, :, 3], body.rest_translations[0])


def test_out_receives_the_result(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays()
    out = np.empty((40, 31, 3, 4), np.float32)
    assert body.fk(frames.rotations, frames.translations, out=out) is out
    np.testing.assert_array_equal(out, body.fk(frames.rotations, frames.translations))


@pytest.mark.parametrize(
    "out",
    [
        np.empty((40, 31, 12), np.float32),
        np.empty((40, 31, 3, 4), np.float64),
        np.empty((40, 31, 3, 8), np.float32)[..., ::2],
        np.empty((40, 31, 3, 4), np.float32, order="F"),
        np.frombuffer(bytes(40 * 31 * 48), np.float32).reshape(40, 31, 3, 4),
    ],
)
def test_other_outputs_are_refused(body: sinew.Character, out: Any) -> None:
    rotations = body.clips[0].to_arrays().rotations
    with pytest.raises(sinew.Error, match="out "):
        body.fk(rotations, out=out)


@pytest.mark.parametrize("shape", [(4,), (30, 4), (31, 3), (2, 31, 5), (0,), (31, 4, 1)])
def test_other_shapes_are_refused(body: sinew.Character, shape: tuple[int, ...]) -> None:
    with pytest.raises(sinew.Error, match="rotations has the shape"):
        body.fk(np.zeros(shape))


def test_arrays_that_disagree_are_refused(body: sinew.Character) -> None:
    rotations = body.clips[0].to_arrays().rotations
    with pytest.raises(sinew.Error, match=r"translations has the shape \[39, 3\]"):
        body.fk(rotations, np.zeros((39, 3)))
    with pytest.raises(sinew.Error, match="scales has the shape"):
        body.fk(rotations, scales=np.ones((40, 31)))
    with pytest.raises(sinew.Error, match="rotations: could not convert"):
        body.fk([["text"]])


def test_frames_without_frames(body: sinew.Character) -> None:
    assert body.fk(np.empty((0, 31, 4))).shape == (0, 31, 3, 4)
    assert body.clips[0].sample([]).rotations.shape == (0, 31, 4)


@pytest.mark.parametrize("form", ["quat", "6d", "matrix", "euler"])
def test_forms_return_to_the_same_pose(body: sinew.Character, form: Any) -> None:
    clip = body.clips[0]
    frames = clip.to_arrays(form=form, order="yzx")
    again = sinew.Clip.from_arrays(
        body,
        frames.rotations,
        frames.translations,
        times=frames.times,
        form=form,
        order="yzx",
        name="again",
    )
    assert again.name == "again"
    assert again.duration_secs == pytest.approx(clip.duration_secs)
    expected, found = clip.to_arrays(), again.to_arrays()
    expected_maps = body.fk(expected.rotations, expected.translations)
    np.testing.assert_allclose(
        body.fk(found.rotations, found.translations), expected_maps, atol=5e-6
    )
    direct = body.fk(frames.rotations, frames.translations, form=form, order="yzx")
    np.testing.assert_allclose(direct, expected_maps, atol=5e-6)


def test_matrices_are_those_of_numpy(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays()
    found = sinew.convert_rotations(frames.rotations, "quat", "matrix")
    np.testing.assert_allclose(found, oracle.matrices(frames.rotations), atol=1e-6)
    six = sinew.convert_rotations(found, "matrix", "6d")
    np.testing.assert_allclose(six, np.swapaxes(found, -1, -2)[..., :2, :].reshape(40, 31, 6), atol=1e-6)


def test_numbers_that_are_no_rotation_are_refused(body: sinew.Character) -> None:
    with pytest.raises(sinew.Error, match="element 0 is not a rotation"):
        sinew.convert_rotations(np.zeros((2, 6)), "6d", "quat")
    with pytest.raises(sinew.Error, match="no form"):
        sinew.convert_rotations([0, 0, 0, 1], "quat", "axis")  # type: ignore[arg-type]
    with pytest.raises(sinew.Error, match="no order"):
        sinew.convert_rotations([0, 0, 0, 1], "quat", "euler", "xxy")
    with pytest.raises(sinew.Error, match="is not a rotation"):
        sinew.Clip.from_arrays(body, np.zeros((2, 31, 4)))
    with pytest.raises(sinew.Error, match="not finite"):
        sinew.Clip.from_arrays(body, np.tile([0, 0, 0, 1.0], (2, 31, 1)), np.full((2, 3), np.nan))


def test_poses_of_other_rotations_are_refused(body: sinew.Character) -> None:
    rotations = np.tile(np.array([0, 0, 0, 1], np.float32), (9, 31, 1))
    rotations[8, 2] *= 2
    with pytest.raises(sinew.Error, match="rotation 250 is not a unit quaternion"):
        body.fk(rotations)
    pose = body.rig().pose()
    before = pose.rotations
    with pytest.raises(sinew.Error, match="rotations, joint 2: .* not a unit quaternion"):
        pose.rotations = rotations[8]
    with pytest.raises(sinew.Error, match="scales, joint 0: .* not finite"):
        pose.scales = np.full((31, 3), np.inf)
    np.testing.assert_array_equal(pose.rotations, before)


def test_arrays_of_meshes_and_tracks_are_not_copied(body: sinew.Character) -> None:
    primitive = sinew.load(TRIANGLE).meshes[0].primitives[0]
    first, second = primitive.positions, primitive.positions
    assert address(first) == address(second)
    assert first.shape == (3, 3) and not first.flags.writeable
    np.testing.assert_array_equal(first[1], [1, 0, 0])
    normals = primitive.normals
    assert normals is not None and address(normals) != address(first)
    track, again = (body.clips[0].track("joint1", "rotation") for _ in range(2))
    assert track is not None and again is not None
    # Each access to `clips` makes a new object over the same keys.
    assert address(track[1]) == address(again[1])
    assert track[0].shape == (40,) and track[1].shape == (40, 4)


def test_shared_memory_outlives_its_owner() -> None:
    positions = sinew.load(TRIANGLE).meshes[0].primitives[0].positions
    for _ in range(50):
        sinew.load(TRIANGLE.replace(b"1 0 0", b"7 7 7"))
    np.testing.assert_array_equal(positions, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])


def test_results_own_their_memory(body: sinew.Character) -> None:
    frames = body.clips[0].to_arrays()
    assert frames.rotations.flags.writeable
    frames.rotations[:] = 0
    assert body.clips[0].to_arrays().rotations.any()
