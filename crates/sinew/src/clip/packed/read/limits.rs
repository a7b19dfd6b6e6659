use super::bytes::{PackedError, Reader};
use crate::skeleton::Skeleton;
use crate::skeleton::limits::{
    AngleRange, FramedRotation, Freedom, RotationFrame, RotationLimit, SlideRange,
};
use glam::{Quat, Vec3};
use rotation_kind::{BALL, EULER, FIXED, FRAMED, FREE, HINGE, SADDLE};
use sinew_math::transform::{Axis, EulerOrder};

/// Codes for the kinds of rotation of a joint.
pub mod rotation_kind {
    /// No rotation.
    pub const FIXED: u8 = 0;
    /// Rotation about one axis.
    pub const HINGE: u8 = 1;
    /// Rotation about two axes in sequence.
    pub const SADDLE: u8 = 2;
    /// Swing within a cone, then a twist.
    pub const BALL: u8 = 3;
    /// Rotation about three axes in sequence.
    pub const EULER: u8 = 4;
    /// Any rotation.
    pub const FREE: u8 = 5;
    /// One of the other kinds, with its own axes.
    pub const FRAMED: u8 = 6;
}

pub(in crate::clip::packed) fn read_limits(
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
            return Err(before.bad(format!(
                "limits of joint {joint} are out of order: joints must be in ascending order"
            )));
        }
        next = joint + 1;
        let slides = reader.u8()?;
        if slides > 7 {
            return Err(before.bad("a joint can slide along at most three axes"));
        }
        let freedom = Freedom {
            rotation: read_rotation(&mut reader, true)?,
            slides: [0, 1, 2].map(|axis| slides >> axis & 1 == 1),
            slide_range: joints[joint].freedom.slide_range,
        };
        freedom.check().map_err(|e| before.bad(e.to_string()))?;
        joints[joint].freedom = freedom;
    }
    if reader.left() > 0 {
        return Err(reader.bad("there are bytes past the end"));
    }
    let (skeleton, _) = Skeleton::new(joints).map_err(|e| reader.bad(e.to_string()))?;
    Ok(skeleton)
}

pub(in crate::clip::packed) fn read_slides(
    bytes: &[u8],
    file_offset: usize,
    skeleton: &Skeleton,
) -> Result<Skeleton, PackedError> {
    let mut reader = Reader::new(bytes, file_offset, "slides chunk");
    let mut joints = skeleton.joints();
    let mut next = 0;
    for _ in 0..reader.u32()? {
        let before = reader.clone();
        let joint = reader.u32()? as usize;
        if joint < next || joint >= joints.len() {
            return Err(before.bad(format!(
                "the slide of joint {joint} is out of order: joints must be in ascending order"
            )));
        }
        next = joint + 1;
        let axis = Vec3::from_array(reader.f32s()?);
        let [min, max] = reader.f32s()?;
        let freedom = &mut joints[joint].freedom;
        freedom.slide_range = Some(SlideRange { axis, min, max });
        freedom.check().map_err(|e| before.bad(e.to_string()))?;
    }
    if reader.left() > 0 {
        return Err(reader.bad("there are bytes past the end"));
    }
    let (skeleton, _) = Skeleton::new(joints).map_err(|e| reader.bad(e.to_string()))?;
    Ok(skeleton)
}

fn read_rotation(
    reader: &mut Reader<'_>,
    may_be_framed: bool,
) -> Result<RotationLimit, PackedError> {
    let before = reader.clone();
    Ok(match reader.u8()? {
        FIXED => RotationLimit::Fixed,
        FREE => RotationLimit::Free,
        HINGE => RotationLimit::Hinge {
            axis: Vec3::from_array(reader.f32s()?),
            range: read_range(reader)?,
        },
        SADDLE => RotationLimit::Saddle {
            axes: [read_axis(reader)?, read_axis(reader)?],
            ranges: [read_range(reader)?, read_range(reader)?],
        },
        BALL => RotationLimit::Ball {
            axis: Vec3::from_array(reader.f32s()?),
            swing_rad: reader.f32()?,
            twist: read_range(reader)?,
        },
        EULER => {
            let axes = [read_axis(reader)?, read_axis(reader)?, read_axis(reader)?];
            let order = EulerOrder::new(axes);
            RotationLimit::Euler {
                order: order
                    .ok_or_else(|| before.bad("two successive rotations have the same axis"))?,
                ranges: [
                    read_range(reader)?,
                    read_range(reader)?,
                    read_range(reader)?,
                ],
            }
        }
        FRAMED if may_be_framed => RotationLimit::Framed(Box::new(FramedRotation {
            frame: RotationFrame {
                axes: Quat::from_array(reader.f32s()?),
                rest: Quat::from_array(reader.f32s()?),
            },
            rotation: read_rotation(reader, false)?,
        })),
        kind => return Err(before.bad(format!("joint kind {kind} is unknown"))),
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
        _ => Err(before.bad("the axis is not x, y or z")),
    }
}
