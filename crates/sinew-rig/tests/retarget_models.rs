//! Level motion on models of people and animals by others, if the conformance files exist.

use crate::foreign::foreign_files;
use crate::people;

use glam::Vec3;
use people::model_places;
use sinew::{Character, Clip, Interpolation, Skeleton, Track};
use sinew_rig::retarget::{
    RetargetError, RetargetOptions, Retargeted, Role, Side, Stance, check_limbs, find_roles,
    pair_joints, retarget, stance_of,
};

fn characters(folder: &str, ending: &str) -> Vec<(String, Character)> {
    let paths = foreign_files(folder, &[ending]);
    let named = paths.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        (name.into_owned(), sinew_io::import(path).unwrap().character)
    });
    named.collect()
}

fn motions() -> Vec<(String, Character)> {
    let mut motions = characters("bvh", "bvh");
    motions.retain(|(_, file)| {
        let roles = find_roles(&file.skeleton);
        roles.joint(Role::Hips).is_some() && people::times(&file.clips[0]).len() > 10
    });
    motions
}

/// Up axis of a file's motion: two makers use z, and the last file lies at rest in its own world.
fn up(motion: &str) -> Vec3 {
    match motion {
        "animateddrawings_fair1_dab" | "pybvh_example" | "pybvh_test3" => Vec3::Z,
        _ => Vec3::Y,
    }
}

fn hips_places(skeleton: &Skeleton, clip: &Clip, times: &[f32]) -> Vec<Vec3> {
    let hips = find_roles(skeleton).joint(Role::Hips).unwrap();
    let places = model_places(skeleton, clip, times);
    places.iter().map(|p| p[hips]).collect()
}

/// The same motion on a straight level path, four hip heights long.
fn levelled(motion: &str, file: &Character) -> Clip {
    let mut clip = file.clips[0].clone();
    let up = up(motion);
    let hips = find_roles(&file.skeleton).joint(Role::Hips).unwrap();
    let times = people::times(&clip);
    let places = hips_places(&file.skeleton, &clip, &times);
    let height = places.iter().map(|p| p.dot(up)).sum::<f32>() / places.len() as f32;
    let end = times.last().copied().unwrap();
    let aside = up.any_orthonormal_vector();
    let way = (0.6 * aside + 0.8 * up.cross(aside)) * 4.0 * height;
    let keys: Vec<Vec3> = times
        .iter()
        .map(|t| up * height + way * (t / end))
        .collect();
    clip.joint_mut(hips).translation =
        Some(Track::vectors(times, &keys, Interpolation::Linear).unwrap());
    clip
}

fn way(places: &[Vec3], up: Vec3) -> (f32, f32) {
    let length = places
        .windows(2)
        .map(|p| (p[1] - p[0]).reject_from(up).length());
    (length.sum(), spread(places.iter().map(|p| p.dot(up))))
}

fn spread(values: impl Iterator<Item = f32>) -> f32 {
    let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    high - low
}

fn carried(
    file: &Character,
    clip: &Clip,
    onto: &Skeleton,
    options: &RetargetOptions,
) -> Retargeted {
    let pairs = pair_joints(&file.skeleton, onto).unwrap();
    retarget(&file.skeleton, clip, onto, &pairs, options).unwrap()
}

#[test]
fn a_level_way_stays_level_to_a_hundredth_of_its_length_on_every_model() {
    let models = characters("weights/artist", "glb");
    let (mut worst, mut count) = (0.0_f32, 0);
    for (motion, file) in motions() {
        let level = levelled(&motion, &file);
        let times = people::times(&level);
        let (_, climbs) = way(&hips_places(&file.skeleton, &level, &times), up(&motion));
        assert!(climbs < 1e-3, "{motion} climbs by {climbs}");
        for (model, character) in &models {
            for feet in [false, true] {
                let options = RetargetOptions::default().feet(feet);
                let onto = &character.skeleton;
                let done = carried(&file, &level, onto, &options);
                let times = people::times(&done.clip);
                let (length, climbs) = way(&hips_places(onto, &done.clip, &times), Vec3::Y);
                let part = climbs / length;
                println!(
                    "{motion} onto {model}, feet {feet}: {length:.3} long, {:.3} % up and down",
                    100.0 * part
                );
                assert!(part < 0.01, "{motion} onto {model}, feet {feet}: {part}");
                worst = worst.max(part);
                count += 1;
            }
        }
    }
    println!("{count} ways, {:.3} % at most", 100.0 * worst);
}

/// All models face z, with x on their left.
#[test]
fn captured_motions_stand_and_look_where_the_model_does() {
    let models = characters("weights/artist", "glb");
    for (motion, file) in motions() {
        let (clip, from) = (&file.clips[0], &file.skeleton);
        let rest = from.rest_model();
        let thigh = |side| find_roles(from).joint(Role::UpperLeg(side)).unwrap();
        let [left, right] = Side::ALL.map(|side| rest.get(thigh(side)).translation());
        for (model, character) in &models {
            let onto = &character.skeleton;
            let options = RetargetOptions::default();
            let [free, held] =
                [false, true].map(|feet| carried(&file, clip, onto, &options.feet(feet)));
            let rotation = free.report.rotation;
            let what = format!("{motion} onto {model}");
            assert!((rotation * up(&motion)).y > 0.999, "{what}: {rotation}");
            assert!(
                (rotation * (left - right).normalize()).x > 0.9,
                "{what}: {rotation}"
            );
            // Hips move vertically as on the source, apart from foot corrections.
            for (done, lowered) in [(&free, 0.0), (&held, held.report.hips_lowered)] {
                let times = people::times(&done.clip);
                let before = hips_places(from, clip, &times);
                let after = hips_places(onto, &done.clip, &times);
                let scale = done.report.scale;
                let pairs = before.iter().zip(&after);
                let more = spread(pairs.map(|(a, b)| b.y - scale * a.dot(up(&motion))));
                let size = after.iter().map(|p| p.length()).fold(0.0, f32::max);
                assert!(more < lowered + 1e-4 * size, "{what}: {more}, {lowered}");
            }
        }
    }
}

#[test]
fn animals_whose_limbs_are_not_known_are_told_apart_from_people() {
    for (motion, file) in motions() {
        for (model, character) in characters("weights/artist", "glb") {
            let (from, onto) = (&file.skeleton, &character.skeleton);
            let pairs = pair_joints(from, onto).unwrap();
            let checked = check_limbs(from, onto, &pairs);
            match model.as_str() {
                "m2m-dog" | "m2m-t-rex" => assert!(
                    matches!(checked, Err(RetargetError::FewLimbs { found: 0, .. })),
                    "{motion} onto {model}: {checked:?}"
                ),
                _ => assert_eq!(checked, Ok(()), "{motion} onto {model}"),
            }
        }
    }
}

#[test]
fn animals_on_four_legs_are_told_from_people() {
    let known = [
        ("weights/artist", "Fox", Stance::FourLegs),
        ("weights/artist", "m2m-dog", Stance::FourLegs),
        ("weights/artist", "m2m-t-rex", Stance::TwoLegs),
        ("weights/artist", "m2m-human-male", Stance::TwoLegs),
        ("weights/artist", "MakeHuman", Stance::TwoLegs),
        ("weights/artist", "CesiumMan", Stance::TwoLegs),
        ("bodies/artist", "q-woman-suit", Stance::TwoLegs),
    ];
    for (folder, wanted, stance) in known {
        let all = characters(folder, "glb");
        let found = all.iter().find(|(name, _)| name == wanted);
        if let Some((_, character)) = found {
            assert_eq!(stance_of(&character.skeleton), Some(stance), "{wanted}");
        }
    }
    for (motion, file) in motions() {
        assert_ne!(
            stance_of(&file.skeleton),
            Some(Stance::FourLegs),
            "{motion}"
        );
    }
}
