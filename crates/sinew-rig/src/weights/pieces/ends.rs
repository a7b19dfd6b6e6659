//! Ends of the last bones of chains. Their length is unknown: they end at the skin.
//! A hand, a head or the end of a tail has at least a bone length of flesh beyond its joint. A
//! joint on the skin, or a tip with little flesh, only marks the end of the bone above.

use crate::solid::Solid;
use crate::weights::bones::joints::Flesh;
use crate::weights::bones::segments::Segment;
use crate::weights::shape::Shape;

/// Max flesh beyond a joint that only marks an end, in lengths of its bone.
const NO_FLESH: f64 = 0.1;
/// Max flesh beyond a joint that is a tip by name and only marks an end, in lengths of its bone.
const LITTLE_FLESH: f64 = 0.7;
const STEPS_A_CELL: f64 = 4.0;

/// Joints with `may` that have no flesh beyond them. Never all joints.
pub(crate) fn without_flesh(
    shape: &Shape,
    solid: &Solid,
    may: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    let bones = &shape.bones;
    let is_end = |segment: &&Segment| {
        let little = match bones.flesh[segment.joint] {
            Flesh::Tip => LITTLE_FLESH,
            Flesh::Around | Flesh::Digit => NO_FLESH,
            Flesh::Jaw | Flesh::Bulge(_) | Flesh::End => return false,
        };
        segment.guessed
            && bones.deforming_above(segment.joint).is_some()
            && may(segment.joint)
            && flesh(solid, segment) < little
    };
    let ends = shape.segments.iter().filter(is_end);
    ends.map(|segment| segment.joint).collect()
}

pub(crate) fn stop_at_skin(segments: &mut [Segment], solid: &Solid) {
    for segment in segments.iter_mut().filter(|segment| segment.guessed) {
        segment.to = segment.from.lerp(segment.to, flesh(solid, segment));
    }
}

fn flesh(solid: &Solid, segment: &Segment) -> f64 {
    let length = segment.from.distance(segment.to);
    let steps = (STEPS_A_CELL * length / solid.cell).ceil();
    let steps = steps.clamp(1.0, 512.0) as usize;
    let mut last = None;
    for step in 0..=steps {
        let part = step as f64 / steps as f64;
        let cell = solid.in_cells(segment.from.lerp(segment.to, part));
        let cell = solid.index(cell.floor().as_ivec3());
        if cell.is_some_and(|cell| solid.is_solid[cell]) {
            last = Some(part);
        } else if last.is_some() {
            break;
        }
    }
    last.unwrap_or(0.0)
}
