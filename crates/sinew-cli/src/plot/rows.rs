use serde::Serialize;
use sinew::clip::{Clip, ClipSpace, Track};
use sinew::{Character, Skeleton};

/// A number of a clip over time, drawn as one row.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Name of a joint, a mesh or a curve.
    pub of: String,
    /// Channel, such as "rotation x".
    pub channel: String,
    pub kind: Kind,
    pub min: f32,
    pub max: f32,
    pub keys: usize,
    /// Points of the drawn line: seconds and finite values.
    #[serde(skip)]
    pub line: Vec<[f32; 2]>,
    /// True if some values are not finite, as between huge keys. The line omits them.
    #[serde(skip)]
    pub is_cut: bool,
    #[serde(skip)]
    pub key_times: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Joint,
    Morph,
    Curve,
}

/// Rows of a clip: joints in order, then morph weights and curves.
pub fn rows(character: &Character, clip: &Clip, joints: &[usize]) -> Vec<Row> {
    let skeleton: &Skeleton = &character.skeleton;
    let space = match clip.space {
        ClipSpace::Model => " in the model",
        ClipSpace::Local => "",
    };
    let mut rows = Vec::new();
    for tracks in &clip.joints {
        if !joints.is_empty() && !joints.contains(&tracks.joint) {
            continue;
        }
        let name = if tracks.joint < skeleton.len() {
            skeleton.name(tracks.joint)
        } else {
            "?"
        };
        let channels = [
            ("translation", &tracks.translation),
            ("rotation", &tracks.rotation),
            ("scale", &tracks.scale),
        ];
        for (channel, track) in channels {
            if let Some(track) = track {
                let channel = format!("{channel}{space}");
                add(
                    &mut rows,
                    Kind::Joint,
                    name,
                    &channel,
                    track,
                    clip.duration_secs,
                );
            }
        }
    }
    for morph in &clip.morphs {
        let node = character.nodes.get(morph.node);
        let name = node.map_or("?", |node| node.name.as_str());
        add(
            &mut rows,
            Kind::Morph,
            name,
            "morph",
            &morph.weights,
            clip.duration_secs,
        );
    }
    for curve in &clip.curves {
        add(
            &mut rows,
            Kind::Curve,
            &curve.name,
            "",
            &curve.track,
            clip.duration_secs,
        );
    }
    rows
}

fn add(rows: &mut Vec<Row>, kind: Kind, of: &str, channel: &str, track: &Track, duration: f32) {
    /// Number of steps of a line, enough to show every bend at the width of a page.
    const STEPS: usize = 600;
    let mut times: Vec<f32> = (0..=STEPS)
        .map(|step| duration * step as f32 / STEPS as f32)
        .collect();
    times.extend(
        track
            .times()
            .iter()
            .filter(|time| (0.0..=duration).contains(*time)),
    );
    times.sort_by(f32::total_cmp);
    times.dedup();
    let width = track.width();
    let mut values = vec![0.0; width];
    let mut lines: Vec<Vec<[f32; 2]>> = vec![Vec::with_capacity(times.len()); width];
    for &time in &times {
        if track.sample(f64::from(time), &mut values).is_ok() {
            for (line, &value) in lines.iter_mut().zip(&values) {
                line.push([time, value]);
            }
        }
    }
    for (nth, mut line) in lines.into_iter().enumerate() {
        let points = line.len();
        line.retain(|point| point[1].is_finite());
        let letter = match (kind, width) {
            (Kind::Morph, _) => nth.to_string(),
            (_, 1) => String::new(),
            (_, 2..=4) => ["x", "y", "z", "w"][nth].to_owned(),
            _ => nth.to_string(),
        };
        let fold = |start: f32, pick: fn(f32, f32) -> f32| {
            line.iter()
                .fold(start, |found, point| pick(found, point[1]))
        };
        rows.push(Row {
            of: of.to_owned(),
            channel: [channel, &letter].join(" ").trim().to_owned(),
            kind,
            min: fold(f32::INFINITY, f32::min),
            max: fold(f32::NEG_INFINITY, f32::max),
            keys: track.keys(),
            is_cut: line.len() < points,
            line,
            key_times: track.times().to_vec(),
        });
    }
}
