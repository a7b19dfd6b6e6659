//! Degrees of freedom and limits in `extras.sinew.freedom` of a node, and its `deform` flag for
//! weights. `docs/format.md` describes them. An import gives the same bits. Other `extras` stay.

use super::own::{GROWTH, OURS, own, set_own_member};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested::{members, object};
use crate::report::Severity;
use glam::{Quat, Vec3};
use serde_json::value::{RawValue, to_raw_value};
use sinew::skeleton::limits::{
    AngleRange, FramedRotation, Freedom, RotationFrame, RotationLimit, SlideRange,
};
use sinew::transform::{Axis, EulerOrder};
use std::collections::BTreeMap;

const FREEDOM: &str = "freedom";
const DEFORM: &str = "deform";

type Json = Result<Box<RawValue>, serde_json::Error>;

/// Converts the freedom of a joint to JSON for `extras.sinew.freedom` of a node.
///
/// # Errors
/// If the limits are not valid. The limits of a skeleton are always valid.
pub fn freedom_json(freedom: &Freedom) -> Json {
    freedom.check().map_err(serde::ser::Error::custom)?;
    let mut members = Rest::default();
    let limit = match &freedom.rotation {
        RotationLimit::Framed(framed) => {
            let mut inside = Rest::default();
            inside.push("axes", to_raw_value(&framed.frame.axes.to_array())?);
            inside.push("rest", to_raw_value(&framed.frame.rest.to_array())?);
            members.push("frame", object(inside)?);
            &framed.rotation
        }
        limit => limit,
    };
    let ends = |range: &AngleRange| [range.min_rad, range.max_rad];
    let letters = |axes: &[Axis]| -> String { axes.iter().map(|axis| letter(*axis)).collect() };
    let kind = match limit {
        RotationLimit::Fixed => "fixed",
        // A frame cannot contain a frame.
        RotationLimit::Free | RotationLimit::Framed(_) => "free",
        RotationLimit::Hinge { axis, range } => {
            members.push("axis", to_raw_value(&axis.to_array())?);
            members.push("ranges", to_raw_value(&[ends(range)])?);
            "hinge"
        }
        RotationLimit::Saddle { axes, ranges } => {
            members.push("axes", to_raw_value(&letters(axes))?);
            members.push("ranges", to_raw_value(&ranges.each_ref().map(ends))?);
            "saddle"
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            members.push("axis", to_raw_value(&axis.to_array())?);
            members.push("swing", to_raw_value(swing_rad)?);
            members.push("twist", to_raw_value(&ends(twist))?);
            "ball"
        }
        RotationLimit::Euler { order, ranges } => {
            members.push("axes", to_raw_value(&letters(&order.axes()))?);
            members.push("ranges", to_raw_value(&ranges.each_ref().map(ends))?);
            "euler"
        }
    };
    let mut all = Rest::default();
    all.push("turn", to_raw_value(kind)?);
    for (name, value) in members.iter() {
        all.push(name, value.to_owned());
    }
    let slides = [Axis::X, Axis::Y, Axis::Z];
    let slides = slides.into_iter().filter(|a| freedom.slides[a.index()]);
    let slides: String = slides.map(letter).collect();
    if !slides.is_empty() {
        all.push("slides", to_raw_value(&slides)?);
    }
    if let Some(slide) = &freedom.slide_range {
        let mut inside = Rest::default();
        inside.push("axis", to_raw_value(&slide.axis.to_array())?);
        inside.push("range", to_raw_value(&[slide.min, slide.max])?);
        all.push("slide_range", object(inside)?);
    }
    object(all)
}

/// Sets or removes the freedom and the deform flag. False if `extras` is not an object.
pub(in crate::gltf) fn write_joint(
    freedom: Option<&Freedom>,
    deforms: Option<bool>,
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let freedom = freedom.filter(|freedom| **freedom != Freedom::default());
    let freedom = freedom.map(freedom_json).transpose()?;
    let deforms = deforms.map(|deforms| to_raw_value(&deforms)).transpose()?;
    Ok(set_own_member(rest, FREEDOM, freedom)? && set_own_member(rest, DEFORM, deforms)?)
}

#[derive(Default)]
pub(in crate::gltf) struct JointExtras {
    pub(in crate::gltf) freedoms: BTreeMap<usize, Freedom>,
    pub(in crate::gltf) deforms: BTreeMap<usize, bool>,
}

/// Reads the freedoms and deform flags of nodes. Reports and omits unreadable values.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the values exceed the budget of the decoder.
pub(in crate::gltf) fn read_joints(decoder: &mut Decoder<'_>) -> Result<JointExtras, GltfError> {
    let mut joint_extras = JointExtras::default();
    for (index, node) in decoder.document().nodes.iter().enumerate() {
        let Some(ours) = own(&node.rest) else {
            continue;
        };
        let pointer = format!("/nodes/{index}/extras/{OURS}");
        let bytes = (ours.len() as u64).saturating_mul(GROWTH);
        decoder.budget().charge(bytes, "limits", pointer.as_str())?;
        let mut unreadable = |what: std::fmt::Arguments<'_>| {
            let (kind, report) = ("EXTRAS_UNREADABLE", decoder.report());
            report.add(Severity::Ignored, kind, pointer.as_str(), what);
        };
        let Some(ours) = members(ours) else {
            unreadable(format_args!(
                "the value is not an object; the limits of this node were left out"
            ));
            continue;
        };
        match ours.get(FREEDOM).map(read).transpose() {
            Ok(freedom) => joint_extras
                .freedoms
                .extend(freedom.map(|freedom| (index, freedom))),
            Err(what) => unreadable(format_args!(
                "{what}; the limits of this node were left out"
            )),
        }
        let deforms = ours.get(DEFORM);
        match deforms.map(|deforms| serde_json::from_str(deforms.get())) {
            None => {}
            Some(Ok(deforms)) => {
                joint_extras.deforms.insert(index, deforms);
            }
            Some(Err(_)) => unreadable(format_args!(
                "`deform` is neither true nor false and was left out"
            )),
        }
    }
    Ok(joint_extras)
}

/// Reads a freedom. The error is a message.
pub(crate) fn read(freedom: &RawValue) -> Result<Freedom, String> {
    let all = members(freedom.get()).ok_or("the value is not an object")?;
    let missing = |name: &str| format!("`{name}` is missing or invalid");
    let text = |name: &str| -> Option<String> { serde_json::from_str(all.get(name)?.get()).ok() };
    let axis = || {
        let axis = all.get("axis").and_then(numbers::<3>);
        axis.map(Vec3::from_array).ok_or_else(|| missing("axis"))
    };
    let axes = || {
        let axes = text("axes").filter(|axes| axes.len() <= 3);
        let axes = axes.and_then(|axes| axes.chars().map(axis_of).collect::<Option<Vec<_>>>());
        axes.ok_or_else(|| missing("axes"))
    };
    let ranges = || {
        let list: Option<Vec<&RawValue>> = all
            .get("ranges")
            .and_then(|ranges| serde_json::from_str(ranges.get()).ok())
            .filter(|list: &Vec<_>| list.len() <= 3);
        let ranges = list.and_then(|list| list.into_iter().map(range).collect::<Option<Vec<_>>>());
        ranges.ok_or_else(|| missing("ranges"))
    };
    let kind = text("turn").ok_or_else(|| missing("turn"))?;
    let limit = match kind.as_str() {
        "fixed" => RotationLimit::Fixed,
        "free" => RotationLimit::Free,
        "hinge" => {
            let [range] = exactly(ranges()?).ok_or("a hinge must have one range")?;
            let axis = axis()?;
            RotationLimit::Hinge { axis, range }
        }
        "saddle" => RotationLimit::Saddle {
            axes: exactly(axes()?).ok_or("a saddle must have two axes")?,
            ranges: exactly(ranges()?).ok_or("a saddle must have two ranges")?,
        },
        "ball" => {
            let swing = all.get("swing").and_then(|swing| number(swing.get()));
            let twist = all.get("twist").and_then(range);
            RotationLimit::Ball {
                axis: axis()?,
                swing_rad: swing.ok_or_else(|| missing("swing"))?,
                twist: twist.ok_or_else(|| missing("twist"))?,
            }
        }
        "euler" => RotationLimit::Euler {
            order: exactly(axes()?)
                .and_then(EulerOrder::new)
                .ok_or("Euler angles must have three axes, with no two neighbours equal")?,
            ranges: exactly(ranges()?).ok_or("Euler angles must have three ranges")?,
        },
        _ => return Err("`turn` is not fixed, hinge, saddle, ball, euler or free".to_owned()),
    };
    let limit = match all.get("frame") {
        None => limit,
        Some(frame) => {
            let frame = members(frame.get()).ok_or_else(|| missing("frame"))?;
            let rotation = |name: &str| {
                let numbers = frame.get(name).and_then(numbers::<4>);
                numbers.map(Quat::from_array).ok_or_else(|| missing(name))
            };
            RotationLimit::Framed(Box::new(FramedRotation {
                frame: RotationFrame {
                    axes: rotation("axes")?,
                    rest: rotation("rest")?,
                },
                rotation: limit,
            }))
        }
    };
    let mut slides = [false; 3];
    if all.get("slides").is_some() {
        let letters = text("slides").ok_or_else(|| missing("slides"))?;
        for letter in letters.chars() {
            slides[axis_of(letter).ok_or_else(|| missing("slides"))?.index()] = true;
        }
    }
    let slide_range = match all.get("slide_range") {
        None => None,
        Some(slide) => {
            let slide = members(slide.get()).ok_or_else(|| missing("slide_range"))?;
            let axis = slide.get("axis").and_then(numbers::<3>);
            let [min, max] = slide
                .get("range")
                .and_then(numbers)
                .ok_or_else(|| missing("range"))?;
            let axis = Vec3::from_array(axis.ok_or_else(|| missing("axis"))?);
            Some(SlideRange { axis, min, max })
        }
    };
    let freedom = Freedom {
        rotation: limit,
        slides,
        slide_range,
    };
    freedom.check().map_err(|error| error.to_string())?;
    Ok(freedom)
}

pub(in crate::gltf) fn number(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

pub(in crate::gltf) fn numbers<const N: usize>(list: &RawValue) -> Option<[f32; N]> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    if list.len() != N {
        return None;
    }
    let numbers: Option<Vec<f32>> = list.into_iter().map(|n| number(n.get())).collect();
    exactly(numbers?)
}

fn range(ends: &RawValue) -> Option<AngleRange> {
    let [min_rad, max_rad] = numbers(ends)?;
    Some(AngleRange { min_rad, max_rad })
}

fn exactly<T, const N: usize>(list: Vec<T>) -> Option<[T; N]> {
    list.try_into().ok()
}

fn letter(axis: Axis) -> char {
    match axis {
        Axis::X => 'x',
        Axis::Y => 'y',
        Axis::Z => 'z',
    }
}

fn axis_of(letter: char) -> Option<Axis> {
    [Axis::X, Axis::Y, Axis::Z]
        .into_iter()
        .find(|axis| self::letter(*axis) == letter)
}
