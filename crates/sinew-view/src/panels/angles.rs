//! A slider for each angle of joints with axes: hinges, saddles and Euler joints. A slider for each
//! slide with a range.

use super::pictures::Pictures;
use super::style::widgets::heading;
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Command, HistoryCommand};
use egui::{Response, Slider, Ui, WidgetInfo};
use glam::{Quat, Vec3};
use sinew::Skeleton;
use sinew::skeleton::limits::{AngleRange, RotationLimit, SlideRange};
use sinew_edit::{JointValue, Name, PoseEdit};
use std::ops::RangeInclusive;

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    file: &OpenFile,
    joints: &[usize],
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) {
    let skeleton = &file.character.skeleton;
    let limit = |joint: usize| &skeleton.freedom(joint).rotation;
    if joints.iter().all(|&joint| count(skeleton, joint) == 0) {
        return;
    }
    heading(ui, "Angles");
    for &joint in joints {
        let Some((local, _)) = pictures.joint(joint) else {
            continue;
        };
        let rest = skeleton.rest().get(joint).rotation;
        let now = limit(joint).angles(rest.conjugate() * local.rotation);
        let all = axes(limit(joint));
        for (at, (axis, range)) in all.iter().enumerate() {
            let name = match all.len() {
                1 => skeleton.name(joint).to_owned(),
                _ => format!("{} {axis}", skeleton.name(joint)),
            };
            let mut angle = now[at].to_degrees().round();
            let title = format!("Angle of {name}");
            let response = labeled_slider(ui, &name, &title, &mut angle, degrees(range), "°");
            if response.changed() {
                let mut angles = now.clone();
                angles[at] = angle.to_radians();
                let turned = limit(joint).at(&angles).unwrap_or(Quat::IDENTITY);
                let edit = posed(session, joint, None, Some(rest * turned));
                push_edit(&response, edit, commands);
            }
            if response.drag_stopped() {
                commands.push(HistoryCommand::Release.into());
            }
        }
        if let Some(slide) = &skeleton.freedom(joint).slide_range {
            let from = [skeleton.rest().get(joint).translation, local.translation];
            let (response, moved) = slide_slider(ui, skeleton.name(joint), slide, from);
            if moved.is_some() {
                push_edit(&response, posed(session, joint, moved, None), commands);
            }
            if response.drag_stopped() {
                commands.push(HistoryCommand::Release.into());
            }
        }
    }
}

/// Number of sliders of a joint.
fn count(skeleton: &Skeleton, joint: usize) -> usize {
    let freedom = skeleton.freedom(joint);
    axes(&freedom.rotation).len() + usize::from(freedom.slide_range.is_some())
}

/// Joints with axes of a skeleton with few angles. Empty for a skeleton with many.
pub(crate) fn few(skeleton: &Skeleton) -> Vec<usize> {
    const MANY: usize = 24;
    let joints: Vec<usize> = (0..skeleton.len())
        .filter(|&joint| count(skeleton, joint) > 0)
        .collect();
    match joints
        .iter()
        .map(|&joint| count(skeleton, joint))
        .sum::<usize>()
    {
        0..=MANY => joints,
        _ => Vec::new(),
    }
}

fn posed(
    session: &Session,
    joint: usize,
    translation: Option<Vec3>,
    rotation: Option<Quat>,
) -> PoseEdit {
    PoseEdit::Pose {
        joints: vec![JointValue {
            joint: Name::Index(joint),
            translation,
            rotation,
            scale: None,
        }],
        over: session.state().moment(),
        limits: session.state().posing.limits(),
        weight: 1.0,
    }
}

/// Axes of the angles with their ranges.
fn axes(limit: &RotationLimit) -> Vec<(String, AngleRange)> {
    let named = |axes: &[sinew::transform::Axis], ranges: &[AngleRange]| {
        let names = axes.iter().map(|axis| format!("{axis:?}").to_lowercase());
        names.zip(ranges.iter().copied()).collect()
    };
    match limit {
        RotationLimit::Fixed | RotationLimit::Free | RotationLimit::Ball { .. } => Vec::new(),
        RotationLimit::Hinge { range, .. } => vec![(String::new(), *range)],
        RotationLimit::Saddle { axes, ranges } => named(axes, ranges),
        RotationLimit::Euler { order, ranges } => named(&order.axes(), ranges),
        RotationLimit::Framed(framed) => axes(&framed.rotation),
    }
}

fn degrees(range: &AngleRange) -> RangeInclusive<f32> {
    if range.ends() {
        range.min_rad.to_degrees()..=range.max_rad.to_degrees()
    } else {
        -180.0..=180.0
    }
}

/// Runs an edit of a widget: as a part of a drag while the pointer drags it.
pub(super) fn push_edit(response: &Response, edit: PoseEdit, commands: &mut Vec<Command>) {
    // The value may also change in the frame in which the pointer lets go.
    commands.push(if response.dragged() || response.drag_stopped() {
        HistoryCommand::drag(edit).into()
    } else {
        edit.into()
    });
}

/// Slider with a name for screen readers.
pub(super) fn labeled_slider(
    ui: &mut Ui,
    label: &str,
    title: &str,
    value: &mut f32,
    range: RangeInclusive<f32>,
    suffix: &str,
) -> Response {
    let row = ui.horizontal(|ui| {
        if !label.is_empty() {
            ui.label(label);
        }
        ui.spacing_mut().slider_width = (ui.available_width() - 70.0).max(40.0);
        let slider = Slider::new(value, range)
            .max_decimals(0)
            .suffix(suffix)
            .update_while_editing(false);
        let response = ui.add(slider);
        let value = f64::from(*value);
        response.widget_info(|| WidgetInfo::slider(true, value, title));
        response
    });
    row.inner
}

/// Slider for the distance of a joint from rest. Returns its translation, too, if the slider moved.
fn slide_slider(
    ui: &mut Ui,
    name: &str,
    slide: &SlideRange,
    [rest, now]: [Vec3; 2],
) -> (Response, Option<Vec3>) {
    /// Decimals of a metre that the slider shows.
    const DECIMALS: usize = 3;
    let steps = 10_f32.powi(DECIMALS as i32);
    let shown = (slide.distance(rest, now) * steps).round() / steps;
    let mut distance = shown;
    let row = ui.horizontal(|ui| {
        ui.label(name);
        ui.spacing_mut().slider_width = (ui.available_width() - 80.0).max(40.0);
        let slider = Slider::new(&mut distance, slide.min..=slide.max)
            .max_decimals(DECIMALS)
            .suffix(" m")
            .update_while_editing(false);
        let response = ui.add(slider);
        let (value, title) = (f64::from(distance), format!("Slide of {name}"));
        response.widget_info(|| WidgetInfo::slider(true, value, &title));
        response
    });
    // A slider reports a value that it rounds as a change.
    let is_moved = row.inner.changed() && (distance - shown).abs() > 0.4 / steps;
    (row.inner, is_moved.then(|| slide.at(rest, distance)))
}
