//! Automatic weights: which joints move each vertex of a mesh, and how much.

mod adjust;
mod auto;
mod bezier;
mod bodies;
mod bone_curves;
mod bones;
mod brush;
mod character;
mod cloth;
mod correct;
mod ends;
mod heat;
mod hints;
mod inpaint;
mod limbs;
mod mirror;
mod nearest;
mod parts;
mod report;
mod roots;
mod rows;
mod shape;
mod spread;
mod targets;
mod tears;
mod trial;
mod unweighted;
mod visibility;
mod volume;
mod warnings;

pub use adjust::{Adjust, AdjustError, MAX_SMOOTHING};
pub use bezier::{BezierCurve, NearestPoint};
pub use bones::{Bones, Flesh};
pub use brush::{Brush, Falloff, Mirror, Stroke};
pub use character::{
    BindHooks, bind_character, bind_character_with, bind_to_skeleton, bind_to_skeleton_with, unbind,
};
pub use mirror::mirrored_joints;
pub use report::{BindCharacterError, BindReport, ClothPiece};
pub use trial::trial_clip;
pub use unweighted::Unweighted;
pub use volume::KeptVolume;
pub use warnings::BindWarning;

use bodies::Bodies;
use bone_curves::{BoneCurve, CurvePoint, Reach, tie_share};
use cloth::Cloth;
use glam::Vec3;
use rows::Rows;
use shape::Shape;
use sinew::{Hierarchy, HierarchyError, InfluenceError, Influences};
use targets::Given;
use thiserror::Error;

/// The method that finds weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BindMethod {
    /// The best of the others.
    #[default]
    Auto,
    /// Equation (2) of Xu et al.: the nearest curve, blending within half a bone of each joint.
    Bezier,
    /// Equation (1) of Xu et al.: blending from the middle of a bone to the middle of the next.
    BezierWide,
    /// Diffusion from the bones through the solid.
    Heat,
    /// The nearest bone alone.
    Rigid,
}

/// The surface to bind: all vertices that one skin moves, at the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Where the vertices are; several at one place get the same weights.
    pub positions: &'a [Vec3],
    /// Corners of triangles; those past the last vertex are left out.
    pub triangles: &'a [[u32; 3]],
}

/// The options of a binding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindOptions {
    /// The method that finds weights.
    pub method: BindMethod,
    /// The most influences on a vertex, at least one.
    pub influences: usize,
    /// Keep the weights that vertices have, and find new ones only where joints blend.
    pub correct: bool,
    /// The blend radius of equation (2) about joints that [`Bones::radii`] says nothing of; half of the shorter bone
    /// where this is open too.
    pub radius: Option<f32>,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self {
            method: BindMethod::Auto,
            influences: 4,
            correct: false,
            radius: None,
        }
    }
}

/// The reason why a mesh was not bound.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// Nothing to bind to.
    #[error("the skeleton has no joint that may move vertices")]
    NoJoints,
    /// More joints than influences can name.
    #[error("the skeleton has {0} joints, and influences can name 65536")]
    TooManyJoints(usize),
    /// The lists of the bones differ in length.
    #[error(
        "bones have {heads} heads, and {other} parents, tails, flesh, radii or marks of what deforms"
    )]
    Mismatch {
        /// How many heads.
        heads: usize,
        /// How many of something else.
        other: usize,
    },
    /// Parents that do not exist, or that lead back to where they began.
    #[error("the bones are not a tree: {0}")]
    Parents(#[from] HierarchyError),
    /// A blend radius that is none.
    #[error(
        "the blend radius {radius} is not above 0, or more than the model is large, {size}: leave it out for half of the shorter bone"
    )]
    Radius {
        /// The joint; none where it is the one for all.
        joint: Option<usize>,
        /// What was asked for.
        radius: f32,
        /// The diagonal of the box around the mesh.
        size: f32,
    },
    /// More influences than can be counted.
    #[error(transparent)]
    Influences(#[from] InfluenceError),
}

/// Weights for every vertex: at least one joint, no negative weight, a sum of one.
///
/// Any mesh will do: open, intersecting, without triangles, of any size. Only bones that are none, or
/// no tree, are refused.
pub fn bind(
    surface: &Surface<'_>,
    bones: &Bones,
    options: &BindOptions,
) -> Result<Influences, BindError> {
    let may_end = |_| false;
    let bound = bind_with(surface, bones, options, &Given::NONE, (&may_end, &|_| ()))?;
    Ok(bound.influences)
}

/// Weights and what was found on the way.
pub(crate) struct Bound {
    influences: Influences,
    /// Joints that move nothing because no flesh is beyond them.
    ends: Vec<usize>,
    /// The vertices of every piece that was taken for cloth.
    cloth: Vec<Vec<usize>>,
    warnings: Vec<BindWarning>,
    volume: Option<KeptVolume>,
}

/// The same for vertices that may have weights to correct, and what is odd about the result; joints that
/// `may_end` names may be found to have no flesh, and `watch` is told how much is done.
pub(crate) fn bind_with(
    surface: &Surface<'_>,
    bones: &Bones,
    options: &BindOptions,
    given: &Given<'_>,
    (may_end, watch): (&dyn Fn(usize) -> bool, &dyn Fn(f64)),
) -> Result<Bound, BindError> {
    check(bones)?;
    let mut shape = Shape::new(surface, bones, options.radius);
    check_radii(bones, options, shape.size as f32)?;
    let mut cloth = match options.method {
        BindMethod::Auto => Cloth::find(&shape),
        _ => None,
    };
    if let Some(cloth) = &mut cloth {
        cloth.take_off(&mut shape);
    }
    let solid = auto::solid(&shape);
    let ends = ends::without_flesh(&shape, &solid, may_end);
    shape.end_at(&ends);
    if matches!(options.method, BindMethod::Auto | BindMethod::Heat) {
        ends::stop_at_skin(&mut shape.segments, &solid);
    }
    let bodies = Bodies::new(&shape, solid);
    let mut rows = match options.method {
        BindMethod::Auto => {
            let mut rows = parts::make_rigid(&shape, auto::weights(&shape, &bodies, watch));
            if let Some(cloth) = &mut cloth {
                rows = cloth.put_on(&mut shape, &rows);
                // Buttons and buckles.
                rows = parts::make_rigid(&shape, rows);
            }
            tears::mend(&shape, rows)
        }
        BindMethod::Heat => auto::heat(&shape, &bodies, watch),
        BindMethod::Bezier => nearest_span(&shape, Reach::Narrow),
        BindMethod::BezierWide => nearest_span(&shape, Reach::Wide),
        BindMethod::Rigid => {
            let mut rows = nearest_span(&shape, Reach::Narrow);
            rows.keep_heaviest(1);
            rows
        }
    };
    if options.correct {
        rows = correct::near_joints(&shape, &rows, given);
    }
    let volume = volume::kept(&shape, &rows);
    let warnings = warnings::warnings(&shape, &bodies, &rows, volume, given);
    let cloth = cloth.map_or(Vec::new(), |cloth| cloth.vertices(&shape));
    let influences =
        rows.into_influences(&shape.point_of_vertex, options.influences, bones.len())?;
    Ok(Bound {
        influences,
        ends,
        cloth,
        warnings,
        volume,
    })
}

/// Leaves at most `count` influences on every vertex: the heaviest, which loses least; of equal ones
/// all or none where that can be, so that what is symmetric stays so.
pub fn keep_heaviest(
    influences: &Influences,
    count: usize,
    joints: usize,
) -> Result<Influences, InfluenceError> {
    let mut lists: Vec<Vec<(u16, f32)>> = Vec::with_capacity(influences.len());
    for vertex in 0..influences.len() {
        let row = influences.get(vertex);
        let mut row: Vec<_> = row.map(|(joint, weight)| (joint as u16, weight)).collect();
        rows::heaviest(&mut row, count);
        lists.push(row);
    }
    Ok(Influences::from_lists(&lists, joints)?.0)
}

fn check(bones: &Bones) -> Result<(), BindError> {
    let heads = bones.len();
    let others = [
        bones.parents.len(),
        bones.tails.len(),
        bones.deforms.len(),
        bones.flesh.len(),
        bones.radii.len(),
    ];
    for other in others {
        if other != heads {
            return Err(BindError::Mismatch { heads, other });
        }
    }
    if heads > usize::from(u16::MAX) + 1 {
        return Err(BindError::TooManyJoints(heads));
    }
    Hierarchy::sort(&bones.parents)?;
    if !bones.deforms.contains(&true) {
        return Err(BindError::NoJoints);
    }
    Ok(())
}

fn check_radii(bones: &Bones, options: &BindOptions, size: f32) -> Result<(), BindError> {
    let of_joints = bones.radii.iter().enumerate();
    let of_joints = of_joints.filter_map(|(joint, radius)| Some((Some(joint), (*radius)?)));
    let for_all = options.radius.map(|radius| (None, radius));
    for (joint, radius) in for_all.into_iter().chain(of_joints) {
        if !(radius > 0.0 && radius <= size) {
            return Err(BindError::Radius {
                joint,
                radius,
                size,
            });
        }
    }
    Ok(())
}

/// Every point to the nearest curve alone.
fn nearest_span(shape: &Shape, reach: Reach) -> Rows {
    let curves = BoneCurve::all(&shape.segments, reach);
    let mut rows = Rows::with_capacity(shape.points.len(), 2);
    let mut near: Vec<(usize, CurvePoint)> = Vec::new();
    for &point in &shape.points {
        near.clear();
        let mut nearest = f64::INFINITY;
        for (index, curve) in curves.iter().enumerate() {
            if tie_share(curve.min_distance(point), nearest) > 0.0 {
                let place = curve.place(point);
                nearest = nearest.min(place.distance);
                near.push((index, place));
            }
        }
        for &(index, place) in &near {
            let share = tie_share(place.distance, nearest);
            let [first, second] = curves[index].joints;
            rows.add(first, share * place.weight);
            rows.add(second, share * (1.0 - place.weight));
        }
        rows.end_point();
    }
    rows
}
