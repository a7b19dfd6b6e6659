//! Computes weights for a mesh.

use super::bones::joints::Bones;
use super::edit::correct;
use super::error::BindError;
use super::field::auto;
use super::field::bone_curves::Reach;
use super::field::nearest_curve::nearest_curve;
use super::given::Given;
use super::options::{BindMethod, BindOptions};
use super::pieces::bodies::Bodies;
use super::pieces::cloth::Cloth;
use super::pieces::{ends, parts};
use super::report::motions::Limbs;
use super::report::tears;
use super::report::volume::{self, KeptVolume};
use super::report::warnings::{self, BindWarning};
use super::shape::Shape;
use super::surface::Surface;
use sinew::{Hierarchy, Influences};

/// Computes weights for every vertex: at least one joint, none negative, sum 1.
///
/// Accepts any mesh: open, intersecting, without triangles, of any size.
///
/// # Errors
/// [`BindError`] if there are no bones, or if they are not a tree.
pub fn bind(
    surface: &Surface<'_>,
    bones: &Bones,
    options: &BindOptions,
) -> Result<Influences, BindError> {
    let may_end = |_| false;
    let (given, limbs) = (Given::NONE, Limbs::default());
    let bound = bind_with(
        surface,
        bones,
        options,
        (&given, &limbs),
        (&may_end, &|_| ()),
    )?;
    Ok(bound.influences)
}

pub(crate) struct Bound {
    pub influences: Influences,
    /// Joints without weights, because there is no flesh beyond them.
    pub ends: Vec<usize>,
    /// Vertices of each piece that is treated as cloth.
    pub cloth: Vec<Vec<usize>>,
    pub warnings: Vec<BindWarning>,
    pub volume: Option<KeptVolume>,
}

/// Binds like [`bind`], corrects given weights, and adds warnings by motions of `limbs`. Joints for which `may_end` is true may have no
/// flesh. `watch` receives the completed fraction, in [0, 1].
pub(crate) fn bind_with(
    surface: &Surface<'_>,
    bones: &Bones,
    options: &BindOptions,
    (given, limbs): (&Given<'_>, &Limbs),
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
                rows = parts::make_rigid(&shape, rows);
            }
            tears::mend(&shape, rows)
        }
        BindMethod::Heat => auto::heat(&shape, &bodies, watch),
        BindMethod::Bezier => nearest_curve(&shape, Reach::Narrow),
        BindMethod::BezierWide => nearest_curve(&shape, Reach::Wide),
        BindMethod::Rigid => {
            let mut rows = nearest_curve(&shape, Reach::Narrow);
            rows.keep_heaviest(1);
            rows
        }
    };
    if options.correct {
        rows = correct::near_joints(&shape, &rows, given);
    }
    let volume = volume::kept(&shape, &rows);
    // Rigid weights part where limbs meet, so limbs do not move together.
    let none = Limbs::default();
    let limbs = match options.method {
        BindMethod::Rigid => &none,
        _ => limbs,
    };
    let warnings = warnings::warnings(&shape, &bodies, &rows, volume, (given, limbs));
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
