use serde_json::Value;
use sinew::{Character, Clip, Track};
use sinew_edit::{Document, Edit, Editor};

pub fn edit(value: Value) -> Edit {
    serde_json::from_value(value).expect("an edit")
}

pub fn run(editor: &mut Editor, value: Value) {
    let text = value.to_string();
    editor
        .run(edit(value))
        .unwrap_or_else(|error| panic!("{text}: {error}"));
}

pub fn humanoid() -> Editor {
    Editor::new(sinew_samples::humanoid_character())
}

pub fn mannequin() -> Editor {
    Editor::new(sinew_samples::mannequin::Mannequin::default().build())
}

pub fn clip<'d>(document: &'d Document, name: &str) -> &'d Clip {
    let motion = document
        .motions()
        .iter()
        .find(|motion| motion.clip.name == name);
    &motion.expect("the clip").clip
}

/// Every number of the clips as bits, so that equality is exact.
pub fn bits(character: &Character) -> Vec<u32> {
    let mut bits = Vec::new();
    let track = |track: &Track, bits: &mut Vec<u32>| {
        bits.push(track.interpolation() as u32);
        bits.extend(
            track
                .times()
                .iter()
                .chain(track.values().iter())
                .map(|v| v.to_bits()),
        );
    };
    for clip in &character.clips {
        bits.extend(clip.name.bytes().map(u32::from));
        bits.push(clip.duration_secs.to_bits());
        for joint in &clip.joints {
            bits.push(joint.joint as u32);
            let tracks = [&joint.translation, &joint.rotation, &joint.scale];
            for (channel, own) in tracks.into_iter().enumerate() {
                bits.push(channel as u32);
                own.iter().for_each(|own| track(own, &mut bits));
            }
        }
        clip.morphs
            .iter()
            .for_each(|morph| track(&morph.weights, &mut bits));
        for curve in &clip.curves {
            bits.extend(curve.name.bytes().map(u32::from));
            track(&curve.track, &mut bits);
        }
        for event in &clip.events {
            bits.push(event.time_secs.to_bits());
            bits.extend(event.name.bytes().map(u32::from));
        }
    }
    bits
}
