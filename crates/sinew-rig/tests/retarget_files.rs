//! Motion files of many makers onto one body, when the shared ones are there.

mod people;

use people::{Person, model_places};
use sinew::Clip;
use sinew_rig::retarget::{RetargetOptions, Retargeted, Role, find_roles, pair_joints, retarget};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/bvh");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("SKIPPED: no folder {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "bvh"));
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Those that people move in; the others are hand-made tests of the format.
const CAPTURED: [&str; 7] = [
    "animateddrawings_fair1_dab",
    "cmu_02_03",
    "cmu_09_01",
    "pybvh_example",
    "pybvh_test3",
    "pymo_AV_8Walk_Meredith",
    "threejs_pirouette",
];

#[test]
fn captured_feet_that_stand_move_at_most_a_centimetre_a_second() {
    let body = Person {
        arms_down_deg: 40.0,
        axes: 3,
        ..Person::default()
    }
    .skeleton();
    let roles = find_roles(&body);
    let mut stood = 0;
    for path in files()
        .iter()
        .filter(|p| CAPTURED.contains(&name(p).as_str()))
    {
        let file = sinew_io::import(path).unwrap().character;
        let pairs = pair_joints(&file.skeleton, &body).unwrap();
        let clip = &file.clips[0];
        let Retargeted { clip, report } = retarget(
            &file.skeleton,
            clip,
            &body,
            &pairs,
            &RetargetOptions::default(),
        )
        .unwrap();
        let name = name(path);
        println!(
            "{name}: {} pairs, scale {:.4}, {} frames, hips lowered {:.3}, {} unreached, at rest {:?}, not followed {:?}",
            report.pairs.len(),
            report.scale,
            report.frames,
            report.hips_lowered,
            report.unreached_frames,
            report.still_target,
            report.unused_source,
        );
        let times = people::times(&clip);
        let places = model_places(&body, &clip, &times);
        let head = roles.joint(Role::Head).unwrap();
        let up = places
            .iter()
            .map(|p| (p[head] - p[0]).normalize().y)
            .sum::<f32>()
            / places.len() as f32;
        assert!(up > 0.8, "{name}: {up}");
        let high = places.iter().map(|p| p[0].y).fold(0.0, f32::max);
        assert!((0.75..1.5).contains(&high), "{name}: hips at {high}");
        for foot in &report.feet {
            println!(
                "  {:?}: {} contacts, {} frames, {:.4} m/s before, {:.6} after",
                foot.side,
                foot.contacts.len(),
                foot.contact_frames(),
                foot.slide_before,
                foot.slide_after
            );
            stood += foot.contact_frames();
            let ball = roles.joint(Role::Toes(foot.side)).unwrap();
            let fastest = fastest_step(&clip, &body, &foot.contacts, &times, ball);
            println!("  between keys {fastest}");
            assert!(
                foot.slide_after < 0.01,
                "{name}, {:?}: {fastest} m/s",
                foot.side
            );
        }
    }
    if !files().is_empty() {
        assert!(stood > 1000, "only {stood} frames in which a foot stands");
    }
}

/// Between keys and the middles between them.
fn fastest_step(
    clip: &Clip,
    body: &sinew::Skeleton,
    contacts: &[sinew_rig::retarget::Contact],
    times: &[f32],
    joint: usize,
) -> f32 {
    let mut fastest = 0.0_f32;
    for contact in contacts {
        let frames = contact.first..contact.last;
        let mut moments: Vec<f32> = frames
            .flat_map(|f| [times[f], 0.5 * (times[f] + times[f + 1])])
            .collect();
        moments.push(times[contact.last]);
        let places = model_places(body, clip, &moments);
        for f in 0..moments.len() - 1 {
            let speed =
                places[f][joint].distance(places[f + 1][joint]) / (moments[f + 1] - moments[f]);
            fastest = fastest.max(speed);
        }
    }
    fastest
}

#[test]
fn every_file_onto_itself_is_what_it_was() {
    for path in files() {
        let file = sinew_io::import(&path).unwrap().character;
        let (skeleton, name) = (&file.skeleton, name(&path));
        let Ok(pairs) = pair_joints(skeleton, skeleton) else {
            assert!(name.starts_with("bvh_anim_test"), "{name} has no roles");
            continue;
        };
        let done = retarget(
            skeleton,
            &file.clips[0],
            skeleton,
            &pairs,
            &RetargetOptions::default(),
        )
        .unwrap();
        let times = people::times(&file.clips[0]);
        let [before, after] =
            [&file.clips[0], &done.clip].map(|clip| people::poses(skeleton, clip, &times));
        for (a, b) in before.iter().zip(&after) {
            for (a, b) in a.iter().zip(b.iter()) {
                let turned = (a.rotation - b.rotation)
                    .length()
                    .min((a.rotation + b.rotation).length());
                let moved = a.translation.distance(b.translation) / (1.0 + a.translation.length());
                assert!(turned < 1e-5 && moved < 1e-5, "{name}: {turned} {moved}");
            }
        }
    }
}
