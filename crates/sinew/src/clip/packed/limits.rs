//! The chunk of a `.sinew` file that says what joints can do, for those that do not simply turn freely.

use super::bytes::{PackedError, Reader, Write};
use crate::skeleton::Skeleton;
use crate::skeleton::limits::{AngleRange, FramedTurn, Freedom, Turn, TurnFrame};
use glam::{Quat, Vec3};
use sinew_math::transform::{Axis, EulerOrder};

const FIXED: u8 = 0;
const HINGE: u8 = 1;
const SADDLE: u8 = 2;
const BALL: u8 = 3;
const EULER: u8 = 4;
const FREE: u8 = 5;
const FRAMED: u8 = 6;

/// The limits chunk; empty when every joint turns freely and none slides.
pub(super) fn limit_bytes(skeleton: &Skeleton) -> Vec<u8> {
    let plain = Freedom::default();
    let said = |joint: &usize| *skeleton.freedom(*joint) != plain;
    let joints: Vec<usize> = (0..skeleton.len()).filter(said).collect();
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
        put_turn(&mut out, &freedom.turn);
    }
    out
}

fn put_turn(out: &mut Vec<u8>, turn: &Turn) {
    let put_range = |out: &mut Vec<u8>, range: &AngleRange| {
        out.f32s(&[range.min_rad, range.max_rad]);
    };
    match turn {
        Turn::Fixed => out.put(&[FIXED]),
        Turn::Free => out.put(&[FREE]),
        Turn::Hinge { axis, range } => {
            out.put(&[HINGE]);
            out.f32s(&axis.to_array());
            put_range(out, range);
        }
        Turn::Saddle { axes, ranges } => {
            out.put(&[SADDLE]);
            out.put(&axes.map(|axis| axis.index() as u8));
            ranges.iter().for_each(|range| put_range(out, range));
        }
        Turn::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            out.put(&[BALL]);
            out.f32s(&axis.to_array());
            out.f32s(&[*swing_rad]);
            put_range(out, twist);
        }
        Turn::Euler { order, ranges } => {
            out.put(&[EULER]);
            out.put(&order.axes().map(|axis| axis.index() as u8));
            ranges.iter().for_each(|range| put_range(out, range));
        }
        Turn::Framed(framed) => {
            out.put(&[FRAMED]);
            out.f32s(&framed.frame.axes.to_array());
            out.f32s(&framed.frame.rest.to_array());
            put_turn(out, &framed.turn);
        }
    }
}

/// A skeleton with the freedoms that the chunk says.
pub(super) fn read_limits(
    bytes: &[u8],
    file_offset: usize,
    skeleton: &Skeleton,
) -> Result<Skeleton, PackedError> {
    let mut reader = Reader::new(bytes, file_offset, "limits chunk");
    let mut joints = skeleton.joints();
    let mut next = 0;
    for _ in 0..reader.u32()? {
        let before = reader.clone();
        let joint = reader.u32()? as usize;
        if joint < next || joint >= joints.len() {
            return Err(before.bad(format!("limits of joint {joint}, which is out of turn")));
        }
        next = joint + 1;
        let slides = reader.u8()?;
        if slides > 7 {
            return Err(before.bad("a joint slides along three axes at most"));
        }
        let freedom = Freedom {
            turn: read_turn(&mut reader, true)?,
            slides: [0, 1, 2].map(|axis| slides >> axis & 1 == 1),
        };
        freedom.check().map_err(|e| before.bad(e.to_string()))?;
        joints[joint].freedom = freedom;
    }
    if reader.left() > 0 {
        return Err(reader.bad("bytes past the end"));
    }
    let (skeleton, _) = Skeleton::new(joints).map_err(|e| reader.bad(e.to_string()))?;
    Ok(skeleton)
}

fn read_turn(reader: &mut Reader<'_>, may_be_framed: bool) -> Result<Turn, PackedError> {
    let before = reader.clone();
    Ok(match reader.u8()? {
        FIXED => Turn::Fixed,
        FREE => Turn::Free,
        HINGE => Turn::Hinge {
            axis: Vec3::from_array(reader.f32s()?),
            range: read_range(reader)?,
        },
        SADDLE => Turn::Saddle {
            axes: [read_axis(reader)?, read_axis(reader)?],
            ranges: [read_range(reader)?, read_range(reader)?],
        },
        BALL => Turn::Ball {
            axis: Vec3::from_array(reader.f32s()?),
            swing_rad: reader.f32()?,
            twist: read_range(reader)?,
        },
        EULER => {
            let axes = [read_axis(reader)?, read_axis(reader)?, read_axis(reader)?];
            let order = EulerOrder::new(axes);
            Turn::Euler {
                order: order.ok_or_else(|| before.bad("two turns in a row about one axis"))?,
                ranges: [
                    read_range(reader)?,
                    read_range(reader)?,
                    read_range(reader)?,
                ],
            }
        }
        FRAMED if may_be_framed => Turn::Framed(Box::new(FramedTurn {
            frame: TurnFrame {
                axes: Quat::from_array(reader.f32s()?),
                rest: Quat::from_array(reader.f32s()?),
            },
            turn: read_turn(reader, false)?,
        })),
        kind => return Err(before.bad(format!("a joint of kind {kind}"))),
    })
}

fn read_range(reader: &mut Reader<'_>) -> Result<AngleRange, PackedError> {
    let [min_rad, max_rad] = reader.f32s()?;
    Ok(AngleRange { min_rad, max_rad })
}

fn read_axis(reader: &mut Reader<'_>) -> Result<Axis, PackedError> {
    let before = reader.clone();
    match reader.u8()? {
        0 => Ok(Axis::X),
        1 => Ok(Axis::Y),
        2 => Ok(Axis::Z),
        _ => Err(before.bad("an axis that is not x, y or z")),
    }
}
