//! Keys of morph weights and curves are bit-exact through glTF and `.sinew`.

use crate::made;
use glam::Quat;
use sinew::clip::packed::PackedFile;
use sinew::clip::{Curve, MorphTrack};
use sinew::{Character, Clip, Interpolation, Track};
use sinew_io::gltf::{ExportOptions, GltfImport, SourceDocument, export, import_bytes};
use sinew_pack::{PackOptions, file_bytes, pack};

const TIMES: [f32; 4] = [0.0, 0.1, 0.7, 1.3];

/// Values that change with any rounding.
fn track(width: usize, interpolation: Interpolation) -> Track {
    let count = TIMES.len() * interpolation.elements_per_key() * width;
    let values: Vec<f32> = (0..count).map(|i| (1.7 * i as f32).sin() / 3.0).collect();
    Track::new(TIMES.to_vec(), values, width, interpolation).unwrap()
}

fn keyed(interpolations: &[Interpolation]) -> Character {
    let mut character = made::morphed();
    character.clips.clear();
    for &interpolation in interpolations {
        let mut clip = Clip::new(format!("{interpolation:?}"));
        clip.morphs.push(MorphTrack {
            node: 4,
            weights: track(4, interpolation),
        });
        for width in [1, 3] {
            clip.curves.push(Curve {
                name: format!("of {width}"),
                track: track(width, interpolation),
            });
        }
        let rotations = TIMES.map(|time| Quat::from_rotation_x(0.3 * time));
        let rotations = Track::rotations(TIMES.to_vec(), &rotations, Interpolation::Slerp);
        clip.joint_mut(1).rotation = Some(rotations.unwrap());
        clip.fit_duration();
        character.clips.push(clip);
    }
    character
}

fn again(character: &Character, source: Option<&SourceDocument>) -> GltfImport {
    let written = export(character, &ExportOptions::new().source(source)).unwrap();
    assert!(written.report.is_empty(), "{}", written.report);
    import_bytes(&written.to_glb().unwrap(), None).unwrap()
}

fn bits(track: &Track) -> (Vec<u32>, Vec<u32>, usize, Interpolation) {
    let bits = |list: &[f32]| list.iter().map(|n| n.to_bits()).collect();
    (
        bits(track.times()),
        bits(track.values()),
        track.width(),
        track.interpolation(),
    )
}

fn assert_same_keys(a: &[Clip], b: &[Clip], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().zip(b) {
        let curves = |clip: &Clip| -> Vec<_> {
            let each = clip.curves.iter();
            each.map(|curve| (curve.name.clone(), bits(&curve.track)))
                .collect()
        };
        let morphs = |clip: &Clip| -> Vec<_> {
            let each = clip.morphs.iter();
            each.map(|morph| (morph.node, bits(&morph.weights)))
                .collect()
        };
        assert_eq!(curves(a), curves(b), "{what}: {}", a.name);
        assert_eq!(morphs(a), morphs(b), "{what}: {}", a.name);
        assert_eq!(a.duration_secs, b.duration_secs, "{what}: {}", a.name);
    }
}

#[test]
fn keys_of_morphs_and_curves_are_the_same_bits_by_every_way() {
    use Interpolation::{CubicHermite, Linear, Step};
    let character = keyed(&[Step, Linear, CubicHermite]);
    let read = again(&character, None);
    assert_same_keys(&character.clips, &read.character.clips, "glTF");
    let twice = again(&read.character, Some(&read.source));
    assert_same_keys(&character.clips, &twice.character.clips, "glTF to glTF");

    let skeleton = &read.character.skeleton;
    let packed = read.character.clips.iter();
    let packed: Vec<_> = packed
        .map(|clip| pack(skeleton, clip, &PackOptions::default()).unwrap().clip)
        .collect();
    let bytes = file_bytes(skeleton, &packed.iter().collect::<Vec<_>>()).unwrap();
    let file = PackedFile::from_bytes(&bytes).unwrap();
    let unpacked = file.clips.iter().map(|clip| clip.unpack().unwrap());
    let mut onto = read.character.clone();
    onto.clips = unpacked.collect();
    assert_same_keys(&character.clips, &onto.clips, ".sinew");
    let back = again(&onto, Some(&read.source));
    assert_same_keys(
        &character.clips,
        &back.character.clips,
        "glTF to .sinew to glTF",
    );

    let alone = sinew_io::import_bytes(&bytes).unwrap();
    let reported = alone.report.findings.iter().map(|finding| finding.code);
    assert_eq!(reported.collect::<Vec<_>>(), ["SINEW_MORPHS"; 3]);
    let mut without = character.clips.clone();
    without.iter_mut().for_each(|clip| clip.morphs.clear());
    let alone = again(&alone.character, None);
    assert_same_keys(&without, &alone.character.clips, ".sinew to glTF");
}

/// glTF has no parabolas, so weights become cubics. Curves stay, because they are in `extras`.
#[test]
fn parabolas_of_weights_become_cubics_and_curves_stay() {
    use Interpolation::{CatmullRom, CubicHermite, Quadratic};
    let mut character = keyed(&[Quadratic, CatmullRom]);
    let read = again(&character, None).character;
    for (before, after) in character.clips.iter().zip(&read.clips) {
        let [a, b] = [before, after].map(|clip| &clip.morphs[0].weights);
        assert_eq!(b.interpolation(), CubicHermite);
        let (mut a_at, mut b_at) = ([0.0; 4], [0.0; 4]);
        for step in 0..=130 {
            let time = f64::from(step) / 100.0;
            a.sample(time, &mut a_at).unwrap();
            b.sample(time, &mut b_at).unwrap();
            for (a, b) in a_at.iter().zip(&b_at) {
                assert!((a - b).abs() < 2e-6, "{} at {time}: {a}, {b}", before.name);
            }
        }
    }
    let mut read = read;
    for character in [&mut character, &mut read] {
        character
            .clips
            .iter_mut()
            .for_each(|clip| clip.morphs.clear());
    }
    assert_same_keys(&character.clips, &read.clips, "curves");
}

/// Between keys, quaternions of a cubic are shorter than 1. Cutting adds keys there. The new keys
/// are normalised, so their slopes grow too.
#[test]
fn a_spline_that_was_cut_between_far_keys_rotates_as_before() {
    let rotation = Quat::from_axis_angle(glam::Vec3::new(0.6, 0.8, 0.0), 2.4);
    let slope = [0.1, -0.2, 0.3, 0.1];
    let values = [
        slope,
        Quat::IDENTITY.to_array(),
        slope,
        [0.0; 4],
        rotation.to_array(),
        slope,
    ];
    let times = vec![0.0, 2.0];
    let track = Track::new(times, values.concat(), 4, Interpolation::CubicHermite).unwrap();
    let mut character = made::skinned(2, 6, 2);
    let mut clip = Clip::new("spin");
    clip.joint_mut(1).rotation = Some(track);
    clip.fit_duration();
    let cut = clip.trimmed(0.3, 1.1).unwrap();
    character.clips = vec![cut];
    let read = again(&character, None).character;
    let rotation_at = |clip: &Clip, secs: f64| {
        let mut pose = read.skeleton.rest().clone();
        sinew::sample(clip, &read.skeleton, secs, &mut pose).unwrap();
        pose.get(1).rotation
    };
    let mut worst: f32 = 0.0;
    for step in 0..=80 {
        let secs = f64::from(step) * 0.01;
        let off = rotation_at(&read.clips[0], secs).angle_between(rotation_at(&clip, secs + 0.3));
        worst = worst.max(off);
    }
    println!("{} degrees off", worst.to_degrees());
    assert!(worst.to_degrees() < 0.1, "{}", worst.to_degrees());
}
