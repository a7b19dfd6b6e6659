//! Measurements that are not finite, because squares of coordinates overflow or a limb has no size.

use super::findings::Findings;
use super::text::{location, number};
use glam::Vec3;
use sinew::measure::{Metric, Reading};
use sinew::{Affine, LocalPose, ModelPose, sample};

/// First measurement that is not finite, with its clip and the joint that causes it. `None` if all are finite.
pub(super) fn line(findings: &Findings<'_>) -> Option<String> {
    let found = &findings.measurement;
    let of_method = found.methods.iter().find_map(|report| {
        let of_metric = Metric::ALL.iter().find_map(|(metric, name)| {
            let mut readings = metric.readings(found, report).into_iter();
            let reading = readings.find(|reading| !reading.value.is_finite())?;
            Some((reading, *name))
        });
        Some((report.method, of_metric?))
    });
    let (method, (reading, metric)) = of_method?;
    let clip = match findings.clip {
        Some(clip) => format!("clip \"{}\"", findings.character.clips[clip].name),
        None => "the rest pose".to_owned(),
    };
    let joint = match reading.joint {
        Some(_) => String::new(),
        None => largest(findings, &reading),
    };
    Some(format!(
        "{}: {metric} is {} in {clip} {}{joint}",
        method.name(),
        number(reading.value),
        location(findings, &reading)
    ))
}

fn largest(findings: &Findings<'_>, reading: &Reading) -> String {
    let character = findings.character;
    let skeleton = &character.skeleton;
    let mut local: LocalPose = skeleton.rest().clone();
    if let Some(clip) = findings.clip {
        let time = findings.measurement.times_secs[reading.frame];
        if sample(&character.clips[clip], skeleton, time, &mut local).is_err() {
            return String::new();
        }
    }
    let mut pose = ModelPose::identity(0);
    let updated = pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY);
    if updated.is_err() {
        return String::new();
    }
    let reach = |joint: usize| {
        let map = pose.get(joint);
        let ends = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let ends = ends.map(|end| map.transform_point(end).abs().max_element());
        ends.into_iter().fold(0.0, f32::max)
    };
    let far = (0..skeleton.len()).map(reach).fold(0.0, f32::max);
    // Finds the joint that moves its descendants far away, not the descendants.
    let first = (0..skeleton.len()).find(|&joint| reach(joint) >= 0.5 * far);
    let named = first.map(|joint| {
        let far = f64::from(far);
        format!(
            ", where joint \"{}\" reaches {far:.1e}",
            skeleton.name(joint)
        )
    });
    named.unwrap_or_default()
}
