//! Limits chunk of a `.sinew` file: joints that slide or that do not rotate freely. The ranges of
//! slides have their own chunk, which older readers skip.

use super::write::Write;
use sinew::clip::packed::format::rotation_kind::{BALL, EULER, FIXED, FRAMED, FREE, HINGE, SADDLE};
use sinew::skeleton::Skeleton;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};

/// Bytes of the limits chunk. Empty if every joint rotates freely and none slides.
pub(crate) fn limit_bytes(skeleton: &Skeleton) -> Vec<u8> {
    let plain = Freedom::default();
    let is_limited = |joint: &usize| *skeleton.freedom(*joint) != plain;
    let joints: Vec<usize> = (0..skeleton.len()).filter(is_limited).collect();
    let mut out = Vec::new();
    if joints.is_empty() {
        return out;
    }
    out.u32(joints.len());
    for joint in joints {
        let freedom = skeleton.freedom(joint);
        out.u32(joint);
        let [x, y, z] = freedom.slides.map(u8::from);
        out.put(&[x | y << 1 | z << 2]);
        put_rotation(&mut out, &freedom.rotation);
    }
    out
}

/// Bytes of the chunk with the ranges of slides. Empty if there are none.
pub(crate) fn slide_bytes(skeleton: &Skeleton) -> Vec<u8> {
    let range = |joint| Some((joint, skeleton.freedom(joint).slide_range?));
    let ranges: Vec<_> = (0..skeleton.len()).filter_map(range).collect();
    let mut out = Vec::new();
    if ranges.is_empty() {
        return out;
    }
    out.u32(ranges.len());
    for (joint, slide) in ranges {
        out.u32(joint);
        out.f32s(&slide.axis.to_array());
        out.f32s(&[slide.min, slide.max]);
    }
    out
}

fn put_rotation(out: &mut Vec<u8>, turn: &RotationLimit) {
    let put_range = |out: &mut Vec<u8>, range: &AngleRange| {
        out.f32s(&[range.min_rad, range.max_rad]);
    };
    match turn {
        RotationLimit::Fixed => out.put(&[FIXED]),
        RotationLimit::Free => out.put(&[FREE]),
        RotationLimit::Hinge { axis, range } => {
            out.put(&[HINGE]);
            out.f32s(&axis.to_array());
            put_range(out, range);
        }
        RotationLimit::Saddle { axes, ranges } => {
            out.put(&[SADDLE]);
            out.put(&axes.map(|axis| axis.index() as u8));
            ranges.iter().for_each(|range| put_range(out, range));
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            out.put(&[BALL]);
            out.f32s(&axis.to_array());
            out.f32s(&[*swing_rad]);
            put_range(out, twist);
        }
        RotationLimit::Euler { order, ranges } => {
            out.put(&[EULER]);
            out.put(&order.axes().map(|axis| axis.index() as u8));
            ranges.iter().for_each(|range| put_range(out, range));
        }
        RotationLimit::Framed(framed) => {
            out.put(&[FRAMED]);
            out.f32s(&framed.frame.axes.to_array());
            out.f32s(&framed.frame.rest.to_array());
            put_rotation(out, &framed.rotation);
        }
    }
}
