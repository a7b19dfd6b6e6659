use super::text::name;
use serde_json::{Map, Value, json};
use sinew::Skeleton;
use sinew_rig::motion::{MotionReport, PartContacts};

/// All measures by name, and the contacts in frames. Measures that this motion does not have are null.
pub fn document(skeleton: &Skeleton, report: &MotionReport) -> Value {
    let values = report.values().into_iter();
    let values: Map<String, Value> = values
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let ground = report.ground.as_ref();
    let parts = ground.map(|g| g.contacts.iter().map(contacts).collect::<Vec<_>>());
    let worst = report.limits.as_ref().and_then(|limits| limits.worst_joint);
    json!({
        "frames": report.frames,
        "fps": report.fps,
        "metres_per_unit": report.metres,
        "floor_m": ground.map(|g| g.floor),
        "standing_secs": ground.and_then(|g| g.slide).map(|s| s.standing_secs),
        "limit_worst_joint": worst.map(|joint| skeleton.name(joint)),
        "measures": values,
        "contacts": parts,
    })
}

fn contacts(part: &PartContacts) -> Value {
    let contacts = part.contacts.iter().map(|c| json!([c.first, c.last]));
    json!({
        "part": name(part.part),
        "share": part.share,
        "frames": contacts.collect::<Vec<_>>(),
    })
}
