//! Checks of decoded arrays. Each check adds at most one finding, with a count.

use std::fmt::Display;

use glam::{Vec3, Vec4};

use crate::gltf::document::format::ComponentType;
use crate::report::{FileReport, Severity};

/// Max error of the length of a unit vector: the precision of 8 bits per component.
const UNIT_TOLERANCE: f32 = 0.00674;

/// Max error of the squared length of a rotation that is not normalised: 2e-6 for floats. For
/// integers it is the rounding error, so that they stay as written.
pub fn rotation_tolerance(component: Option<ComponentType>) -> f32 {
    match component {
        Some(component) if component.can_be_normalized() => 2.0 / component.range().1 as f32,
        _ => 2e-6,
    }
}

/// Checks that times ascend and that the first is not negative. Returns true if they ascend.
pub fn check_times(times: &[f32], pointer: impl Display, report: &mut FileReport) -> bool {
    let negative = times.iter().filter(|time| **time < 0.0).count();
    if negative > 0 {
        let message = format_args!("{negative} of {} times are negative", times.len());
        report.add(
            Severity::Note,
            "ACCESSOR_ANIMATION_INPUT_NEGATIVE",
            &pointer,
            message,
        );
    }
    let backward = times.windows(2).filter(|pair| pair[1] <= pair[0]).count();
    if backward > 0 {
        let message = format_args!(
            "{backward} of {} times are not later than the time before them; their keys were left out",
            times.len()
        );
        report.add(
            Severity::Repaired,
            "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
            pointer,
            message,
        );
    }
    backward == 0
}

fn is_off(rotation: &[f32], tolerance: f32) -> bool {
    (rotation.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() > tolerance
}

/// Selects the rotations among elements: all elements, or every third element with tangents.
fn rotation_test(per_key: usize) -> impl Fn(usize) -> bool {
    move |index| per_key == 1 || index % 3 == 1
}

/// True if a rotation exceeds the tolerance. `per_key` is 3 with tangents, else 1.
pub fn has_non_unit_rotations(values: &[f32], per_key: usize, tolerance: f32) -> bool {
    let is_rotation = rotation_test(per_key);
    values
        .chunks_exact(4)
        .enumerate()
        .any(|(index, rotation)| is_rotation(index) && is_off(rotation, tolerance))
}

/// Normalises rotations that exceed the tolerance. `per_key` is 3 with tangents, else 1.
pub fn normalize_rotations(
    values: &mut [f32],
    per_key: usize,
    tolerance: f32,
    pointer: impl Display,
    report: &mut FileReport,
) {
    let is_rotation = rotation_test(per_key);
    let (mut changed, mut empty) = (0_usize, 0_usize);
    for (index, rotation) in values.chunks_exact_mut(4).enumerate() {
        if !is_rotation(index) || !is_off(rotation, tolerance) {
            continue;
        }
        changed += 1;
        let length = rotation
            .iter()
            .map(|value| f64::from(*value).powi(2))
            .sum::<f64>()
            .sqrt();
        if length > 0.0 {
            rotation
                .iter_mut()
                .for_each(|value| *value = (f64::from(*value) / length) as f32);
        } else {
            empty += 1;
            rotation.copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
        }
    }
    if changed > 0 {
        let message = format_args!(
            "{changed} rotations were not of unit length ({empty} of length zero) and were normalised"
        );
        report.add(
            Severity::Repaired,
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            pointer,
            message,
        );
    }
}

/// Checks that normals have unit length. Does not change them.
pub fn check_normals(normals: &[Vec3], pointer: impl Display, report: &mut FileReport) {
    let off = normals
        .iter()
        .filter(|normal| is_not_unit(**normal))
        .count();
    if off > 0 {
        let message = format_args!("{off} of {} normals are not of unit length", normals.len());
        report.add(
            Severity::Note,
            "ACCESSOR_VECTOR3_NON_UNIT",
            pointer,
            message,
        );
    }
}

/// Checks that tangents have unit length and w = ±1. Does not change them.
pub fn check_tangents(tangents: &[Vec4], pointer: impl Display, report: &mut FileReport) {
    let off = tangents
        .iter()
        .filter(|tangent| is_not_unit(tangent.truncate()))
        .count();
    if off > 0 {
        let message = format_args!(
            "{off} of {} tangents are not of unit length",
            tangents.len()
        );
        report.add(
            Severity::Note,
            "ACCESSOR_VECTOR3_NON_UNIT",
            &pointer,
            message,
        );
    }
    let unsigned = tangents
        .iter()
        .filter(|tangent| tangent.w.abs() != 1.0)
        .count();
    if unsigned > 0 {
        let message = format_args!(
            "{unsigned} of {} tangents have a w that is neither 1 nor -1",
            tangents.len()
        );
        report.add(Severity::Note, "ACCESSOR_INVALID_SIGN", pointer, message);
    }
}

fn is_not_unit(vector: Vec3) -> bool {
    // To first order, the error of the square is twice the error of the length.
    (vector.length_squared() - 1.0).abs() > 2.0 * UNIT_TOLERANCE
}

/// Checks that colours are in [0, 1]. Does not change them.
pub fn check_colors(colors: &[f32], pointer: impl Display, report: &mut FileReport) {
    let off = colors
        .iter()
        .filter(|value| !(0.0..=1.0).contains(*value))
        .count();
    if off > 0 {
        let message = format_args!(
            "{off} of {} components are not between 0 and 1",
            colors.len()
        );
        report.add(Severity::Note, "ACCESSOR_NON_CLAMPED", pointer, message);
    }
}

/// Checks that no index is the restart value and all vertices exist. Returns true if all exist.
pub fn check_indices(
    indices: &[u32],
    vertices: usize,
    restart: u32,
    pointer: impl Display,
    report: &mut FileReport,
) -> bool {
    let greatest = indices
        .iter()
        .fold(0, |greatest, index| (*index).max(greatest));
    if !indices.is_empty() && greatest == restart {
        let message =
            format_args!("{restart} is reserved as primitive restart and not allowed as an index");
        report.add(
            Severity::Repaired,
            "ACCESSOR_INDEX_PRIMITIVE_RESTART",
            &pointer,
            message,
        );
    }
    let all_exist = indices.is_empty() || (greatest as usize) < vertices;
    if !all_exist {
        let outside = indices
            .iter()
            .filter(|index| **index as usize >= vertices)
            .count();
        let message = format_args!(
            "{outside} of {} indices are past the last of {vertices} vertices",
            indices.len()
        );
        report.add(Severity::Repaired, "ACCESSOR_INDEX_OOB", pointer, message);
    }
    all_exist
}

/// Checks that inverse bind matrices are affine.
pub fn check_inverse_binds(matrices: &[[f32; 16]], pointer: impl Display, report: &mut FileReport) {
    let is_affine = |m: &[f32; 16]| [m[3], m[7], m[11], m[15]] == [0.0, 0.0, 0.0, 1.0];
    let off = matrices.iter().filter(|matrix| !is_affine(matrix)).count();
    if off > 0 {
        let message = format_args!(
            "the last row of {off} of {} matrices is not 0 0 0 1; this row was ignored",
            matrices.len()
        );
        report.add(Severity::Repaired, "ACCESSOR_INVALID_IBM", pointer, message);
    }
}

/// One set of four joints and weights per vertex.
#[derive(Clone, Copy, Debug)]
pub struct InfluenceSet<'a> {
    /// The `n` in `JOINTS_n`.
    pub number: u32,
    /// Joint indices, four per vertex.
    pub joints: &'a [u16],
    /// Weights, four per vertex.
    pub weights: &'a [f32],
}

/// Checks that joints exist and are unique per vertex, and that weights are positive and sum to 1.
/// `import::influences` repairs these faults. `attributes` is a JSON pointer.
pub fn check_influences(
    sets: &[InfluenceSet<'_>],
    joint_count: usize,
    attributes: &str,
    report: &mut FileReport,
) {
    for set in sets {
        let used = set
            .joints
            .iter()
            .zip(set.weights)
            .filter(|(_, weight)| **weight != 0.0);
        let outside = used
            .filter(|(joint, _)| usize::from(**joint) >= joint_count)
            .count();
        if outside > 0 {
            let message = format_args!(
                "{outside} influences refer to joints beyond the skin's {joint_count} and were left out"
            );
            let at = format_args!("{attributes}/JOINTS_{}", set.number);
            report.add(Severity::Repaired, "ACCESSOR_JOINTS_INDEX_OOB", at, message);
        }
        let negative = set.weights.iter().filter(|weight| **weight < 0.0).count();
        if negative > 0 {
            let at = format_args!("{attributes}/WEIGHTS_{}", set.number);
            let message = format_args!("{negative} weights are negative and were left out");
            report.add(Severity::Repaired, "ACCESSOR_WEIGHTS_NEGATIVE", at, message);
        }
    }
    check_duplicate_joints(sets, attributes, report);
}

fn check_duplicate_joints(sets: &[InfluenceSet<'_>], attributes: &str, report: &mut FileReport) {
    let vertices = sets
        .iter()
        .map(|set| set.joints.len() / 4)
        .min()
        .unwrap_or(0);
    let mut duplicates = vec![0_usize; sets.len()];
    let mut seen: Vec<(u16, usize)> = Vec::with_capacity(sets.len() * 4);
    for vertex in 0..vertices {
        seen.clear();
        for (set_index, set) in sets.iter().enumerate() {
            let range = vertex * 4..vertex * 4 + 4;
            let (Some(joints), Some(weights)) =
                (set.joints.get(range.clone()), set.weights.get(range))
            else {
                continue;
            };
            seen.extend(
                joints
                    .iter()
                    .zip(weights)
                    .filter(|(_, weight)| **weight != 0.0)
                    .map(|(joint, _)| (*joint, set_index)),
            );
        }
        if seen.len() > 1 {
            seen.sort_unstable();
            for pair in seen.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                duplicates[pair[1].1] += 1;
            }
        }
    }
    for (set, count) in sets.iter().zip(duplicates).filter(|(_, count)| *count > 0) {
        let at = format_args!("{attributes}/JOINTS_{}", set.number);
        let message = format_args!(
            "{count} influences repeat a joint of their vertex; their weights were added"
        );
        report.add(
            Severity::Repaired,
            "ACCESSOR_JOINTS_INDEX_DUPLICATE",
            at,
            message,
        );
    }
}
