//! Exact normals, mapped by the derivative of the whole skinning map.
//!
//! There are three kinds of normals. The approximate normals of skinning treat the blended map of a
//! vertex as constant around it. The exact normals here include the change of the weights from
//! point to point (Merry, Marais and Gain 2006, "Normal transformations for articulated models";
//! Tarini, Panozzo and Sorkine-Hornung 2014, "Accurate and efficient lighting for skinned models").
//! The third kind, [`super::mesh_normals`], comes from the moved triangles.
//!
//! For the skinned position p′(p) of a point, F = ∂p′/∂p + Σ ∂p′/∂wⱼ ∇wⱼᵀ, and a normal n becomes
//! cof(F) n. Differences of large numbers are computed in `f64`.

use super::dual_quat::{JointSum, signed};
use super::linear::blended;
use super::weight_gradients::WeightGradients;
use crate::error::SkinError;
use crate::influences::Influences;
use crate::palette::DualQuatPalette;
use crate::vertices::{Vertices, check_joints, check_lengths};
use glam::{DMat3, DQuat, DVec3, Vec3};
use sinew_math::DualQuat;
use sinew_math::transform::{Affine, quat};

/// Writes the exact unit normals of [`super::linear`] skinning.
///
/// ```
/// use glam::Vec3;
/// use sinew::skin::{Vertices, WeightGradients, exact_normals_linear};
/// use sinew::{Affine, Influences};
/// // The weight of the second joint grows along x, and the joint lifts by one unit: 45°.
/// let (influences, _) = Influences::from_lists(&[vec![(0, 0.5), (1, 0.5)]], 2)?;
/// let gradients = WeightGradients::new(&influences, vec![-Vec3::X, Vec3::X])?;
/// let palette = [Affine::IDENTITY, Affine::from_translation(Vec3::Y)];
/// let bind = Vertices { positions: &[Vec3::ZERO], normals: Some(&[Vec3::Y]), tangents: None };
/// let mut normals = [Vec3::ZERO];
/// exact_normals_linear(&palette, &influences, &gradients, &bind, &mut normals)?;
/// assert!(normals[0].distance(Vec3::new(-1.0, 1.0, 0.0).normalize()) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_normals_linear(
    model_from_bind: &[Affine],
    influences: &Influences,
    gradients: &WeightGradients,
    bind: &Vertices<'_>,
    out: &mut [Vec3],
) -> Result<(), SkinError> {
    let normals = check(model_from_bind.len(), influences, gradients, bind, out)?;
    for (vertex, out) in out.iter_mut().enumerate() {
        let p = bind.positions[vertex];
        let blended = blended(model_from_bind, influences, vertex);
        let moved = point(&blended, p);
        let mut derivative = linear_part(&blended);
        let gradients = gradients.get(influences, vertex);
        for ((joint, _), gradient) in influences.get(vertex).zip(gradients) {
            // Gradients sum to zero, so subtracting `moved` changes only the rounding.
            derivative += outer(point(&model_from_bind[joint], p) - moved, *gradient);
        }
        *out = carried(&derivative, normals[vertex]);
    }
    Ok(())
}

/// Writes the exact unit normals of [`super::dual_quat()`] skinning, including stretch. If the
/// motions cancel out, uses the heaviest joint.
pub fn exact_normals_dual_quat(
    palette: &DualQuatPalette,
    influences: &Influences,
    gradients: &WeightGradients,
    bind: &Vertices<'_>,
    out: &mut [Vec3],
) -> Result<(), SkinError> {
    let normals = check(palette.len(), influences, gradients, bind, out)?;
    for (vertex, out) in out.iter_mut().enumerate() {
        let p = bind.positions[vertex];
        let heaviest = influences.heaviest(vertex);
        let heaviest = heaviest.map(|(joint, _)| palette.joint(joint));
        let (sum, vanished) = JointSum::of(palette, influences, vertex);
        let (motion, stretch) = (sum.motion(), sum.whole_stretch());
        let blend = Blend::new(&motion, point(&stretch, p));
        let rotation = DMat3::from_quat(blend.real.normalize());
        let mut derivative = rotation * linear_part(&stretch);
        let gradients = gradients.get(influences, vertex);
        let (s, centre) = (f64::from(sum.scale), sum.centre.as_dvec3());
        for ((joint, _), gradient) in influences.get(vertex).zip(gradients) {
            if vanished {
                break;
            }
            let joint = signed(palette, palette.joint(joint), heaviest.as_ref());
            // Change of the stretched position and of the motion per unit of weight; s changes by
            // σ. Gradients sum to zero, so subtracting the common part changes only the rounding.
            let (scale, c) = (f64::from(joint.scale), joint.bind_position.as_dvec3());
            let levers = (scale - s) * centre + s * (c - centre);
            let stretched = point(&joint.stretch, p) + s * centre - blend.stretched + levers;
            let mut motion = joint.motion(sum.scale);
            motion.dual = quat::add_scaled(motion.dual, sum.lever, sum.scale - joint.scale);
            let moved = blend.change_along(&motion);
            derivative += outer(rotation * stretched + moved, *gradient);
        }
        *out = carried(&derivative, normals[vertex]);
    }
    Ok(())
}

/// Weighted sum Q + εE of dual quaternions as a map of one point: x ↦ (Q x Q* + 2 E Q*) / |Q|².
struct Blend {
    real: DQuat,
    dual: DQuat,
    stretched: DVec3,
    moved: DVec3,
}

impl Blend {
    fn new(sum: &DualQuat, stretched: DVec3) -> Self {
        let (real, dual) = (sum.real.as_dquat(), sum.dual.as_dquat());
        let rotated = vector(real * DQuat::from_vec4(stretched.extend(0.0)) * real.conjugate());
        let shifted = vector(dual * real.conjugate()) * 2.0;
        Self {
            moved: (rotated + shifted) / real.length_squared(),
            real,
            dual,
            stretched,
        }
    }

    fn change_along(&self, motion: &DualQuat) -> DVec3 {
        let (q, e) = (motion.real.as_dquat(), motion.dual.as_dquat());
        let x = DQuat::from_vec4(self.stretched.extend(0.0));
        // q x Q* and Q x q* are conjugates up to sign, so their sum is twice one vector part.
        let rotated = vector(q * x * self.real.conjugate());
        let shifted = vector(e * self.real.conjugate()) + vector(self.dual * q.conjugate());
        let longer = self.moved * self.real.dot(q);
        (rotated + shifted - longer) * (2.0 / self.real.length_squared())
    }
}

fn vector(q: DQuat) -> DVec3 {
    DVec3::new(q.x, q.y, q.z)
}

fn point(map: &Affine, p: Vec3) -> DVec3 {
    linear_part(map) * p.as_dvec3() + map.translation().as_dvec3()
}

fn linear_part(map: &Affine) -> DMat3 {
    let [x, y, z] = map.linear_f64();
    DMat3::from_cols(x.into(), y.into(), z.into()).transpose()
}

/// `column · rowᵀ`.
fn outer(column: DVec3, row: Vec3) -> DMat3 {
    let row = row.as_dvec3();
    DMat3::from_cols(column * row.x, column * row.y, column * row.z)
}

/// Cofactor matrix times a normal, at unit length. The normal itself if the product is zero.
fn carried(derivative: &DMat3, normal: Vec3) -> Vec3 {
    let (x, y, z) = (derivative.x_axis, derivative.y_axis, derivative.z_axis);
    let cofactor = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let carried = cofactor * normal.as_dvec3();
    carried.normalize_or(normal.as_dvec3()).as_vec3()
}

fn check<'a>(
    palette_len: usize,
    influences: &Influences,
    gradients: &WeightGradients,
    bind: &Vertices<'a>,
    out: &[Vec3],
) -> Result<&'a [Vec3], SkinError> {
    let normals = bind.normals.ok_or(SkinError::Missing { what: "normals" })?;
    let expected = bind.positions.len();
    let lengths = [
        ("the influence list", Some(influences.len())),
        ("the normal stream", Some(normals.len())),
        ("the normal output", Some(out.len())),
    ];
    check_lengths(&lengths, expected)?;
    if gradients.len() != influences.total() {
        return Err(SkinError::Gradients {
            found: gradients.len(),
            expected: influences.total(),
        });
    }
    check_joints(palette_len, influences)?;
    Ok(normals)
}
