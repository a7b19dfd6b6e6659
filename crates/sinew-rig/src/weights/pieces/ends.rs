//! The last bones of chains, whose length nobody tells: they end where the flesh does.
//!
//! A hand, a head or the end of a tail has as much flesh beyond its joint as a bone, or more. A joint on
//! the skin has nothing beyond it and only tells where the bone above ends; and so does one that is
//! called a tip, where little is beyond.

use crate::solid::Solid;
use crate::weights::bones::joints::Flesh;
use crate::weights::bones::segments::Segment;
use crate::weights::shape::Shape;

/// A joint with less flesh beyond it marks an end, in lengths of its bone.
const NO_FLESH: f64 = 0.1;
/// The same for one that is called a tip.
const LITTLE_FLESH: f64 = 0.7;
/// Positions that are looked at within the length of a cell.
const STEPS_A_CELL: f64 = 4.0;

/// The joints without flesh beyond them, of those that `may` names, and never all that there are.
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

/// Lets bones whose length was a guess end at the skin.
pub(crate) fn stop_at_skin(segments: &mut [Segment], solid: &Solid) {
    for segment in segments.iter_mut().filter(|segment| segment.guessed) {
        segment.to = segment.from.lerp(segment.to, flesh(solid, segment));
    }
}

/// The part of a bone that is in flesh, up to where it leaves it.
fn flesh(solid: &Solid, segment: &Segment) -> f64 {
    let length = segment.from.distance(segment.to);
    // Bones longer than any mesh are looked at coarsely.
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
