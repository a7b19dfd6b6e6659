//! Captures damaged by code and cleaned again, if the conformance files exist, and motions made by
//! code.

use crate::damage::{ALL, Damage, damaged};
use crate::foreign::foreign;
use crate::made_motion;
use sinew::{Clip, Skeleton};
use sinew_rig::clean::{CleanOptions, clean};
use sinew_rig::motion::{MotionOptions, MotionReport, measure_motion, person_metres};

/// Captures on which thresholds were chosen.
const CHOSEN_ON: [&str; 3] = ["pymo_AV_8Walk_Meredith", "cmu_02_03", "pybvh_example"];
/// Captures on which no threshold was chosen. That feet are held twice was decided with the second in
/// view.
const SCORED_ON: [&str; 4] = [
    "cmu_09_01",
    "animateddrawings_fair1_dab",
    "threejs_pirouette",
    "pybvh_test3",
];

/// Skeleton and clip of a capture, without its first frame if it is a T pose for calibration.
fn capture(name: &str) -> Option<(Skeleton, Clip)> {
    let path = foreign(&format!("bvh/{name}.bvh"))?;
    let mut import = sinew_io::import(&path).unwrap();
    sinew_io::leave_out_calibration(&mut import, &[0], None);
    let clip = import.character.clips.remove(0);
    Some((import.character.skeleton, clip))
}

fn compared(skeleton: &Skeleton, clip: &Clip, truth: &Clip) -> MotionReport {
    let options = MotionOptions::default();
    measure_motion(skeleton, clip, Some((skeleton, truth)), &options).unwrap()
}

fn error_cm(found: &MotionReport) -> f64 {
    found.reference.expect("a reference").error_mean_cm
}

fn slide_cm_s(found: &MotionReport) -> Option<f64> {
    found.ground.as_ref()?.slide.map(|slide| slide.mean_cm_s)
}

fn line(what: &str, found: &MotionReport) {
    let there = found.reference.unwrap();
    println!(
        "  {what:12} error {:6.3} cm, max {:7.2}; slide {:?} cm/s ({:?} at true contacts); jerk {:8.1} ({:.2} x); contact kept {:?}",
        there.error_mean_cm,
        there.error_max_cm,
        slide_cm_s(found).map(|s| (1e3 * s).round() / 1e3),
        there.slide_mean_cm_s.map(|s| (1e2 * s).round() / 1e2),
        found.jerk_mean,
        found.jerk_mean / there.jerk_mean,
        there.contact_kept,
    );
}

/// Holds the figures of `docs/motion.md`. The only goal that they miss: 1.2 times the jerk (1.25) on
/// `animateddrawings_fair1_dab`.
#[test]
fn a_damaged_capture_comes_nearer_to_the_truth_and_a_clean_one_stays_near() {
    let mut failed = Vec::new();
    for name in CHOSEN_ON.iter().chain(&SCORED_ON) {
        let Some((skeleton, truth)) = capture(name) else {
            continue;
        };
        println!("{name}");
        let run = |clip: &Clip, options: &CleanOptions, what: &str| {
            let done = clean(&skeleton, clip, options).unwrap();
            let found = compared(&skeleton, &done.clip, &truth);
            line(what, &found);
            found
        };
        line("truth", &compared(&skeleton, &truth, &truth));
        let without = run(&truth, &CleanOptions::new().feet(false), "without feet");
        let with = run(&truth, &CleanOptions::new(), "with feet");
        let metres = person_metres(&skeleton);
        let bad = damaged(&skeleton, &truth, &ALL, metres, 7);
        let before = compared(&skeleton, &bad, &truth);
        line("damaged", &before);
        let after = run(&bad, &CleanOptions::new(), "cleaned");
        let there = after.reference.unwrap();
        let goals = [
            (
                error_cm(&without) < 0.2,
                "an undamaged one stays within 2 mm",
            ),
            (error_cm(&with) < 1.0, "and within 10 mm with its feet held"),
            (
                error_cm(&after) < 0.5 * error_cm(&before),
                "less than half the error is left",
            ),
            (after.jerk_mean < 1.3 * there.jerk_mean, "jerk"),
            (slide_cm_s(&after).is_none_or(|slide| slide < 0.5), "slide"),
            (
                there.slide_mean_cm_s.is_none_or(|slide| slide < 0.5),
                "slide at true contacts",
            ),
        ];
        let is_scored = SCORED_ON.contains(name);
        let missed = goals.iter().filter(|(met, _)| is_scored && !met);
        missed.for_each(|(_, what)| failed.push(format!("{name}: {what}")));
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_jump_a_crawl_a_cartwheel_and_stairs_keep_their_contacts() {
    let mut failed = Vec::new();
    for made in made_motion::all() {
        let (name, skeleton, truth) = (made.name, &made.skeleton, &made.clip);
        let found = compared(skeleton, truth, truth);
        let parts = &found.ground.as_ref().unwrap().contacts;
        let counts: Vec<usize> = parts.iter().map(|part| part.contacts.len()).collect();
        println!("{name}: contacts {counts:?}");
        for part in parts {
            let secs = |frame: usize| frame as f64 / found.fps;
            let spans = part.contacts.iter();
            let spans: Vec<_> = spans.map(|c| (secs(c.first), secs(c.last))).collect();
            println!("    {:?} {spans:.2?}", part.part);
        }
        let noise = Damage {
            skate_m: 0.0,
            gaps: 0.0,
            ..ALL
        };
        for (what, clip) in [
            ("as made", truth.clone()),
            ("damaged", damaged(skeleton, truth, &noise, 1.0, 3)),
        ] {
            let done = clean(skeleton, &clip, &CleanOptions::new()).unwrap();
            let after = compared(skeleton, &done.clip, truth);
            line(what, &after);
            let kept = after.reference.unwrap().contact_kept.unwrap();
            let rougher = after.jerk_mean / after.reference.unwrap().jerk_mean;
            let least = if what == "as made" { 0.99 } else { 0.95 };
            if !(kept > least && slide_cm_s(&after).unwrap() < 0.5 && rougher < 1.5) {
                failed.push(format!("{name}, {what}: {kept}, {rougher} x"));
            }
            // Contacts that need no correction get none.
            if what == "as made" && ["jump", "stairs"].contains(&name) && error_cm(&after) > 0.05 {
                failed.push(format!("{name}: {} cm", error_cm(&after)));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn without_steps_a_clip_keeps_its_keys() {
    let made = &made_motion::all()[3];
    let done = clean(&made.skeleton, &made.clip, &CleanOptions::none()).unwrap();
    let found = compared(&made.skeleton, &done.clip, &made.clip);
    assert!(error_cm(&found) < 1e-4);
    let bad = damaged(&made.skeleton, &made.clip, &ALL, 1.0, 5);
    let range = CleanOptions::new().range_secs(Some([1.0, 2.0]));
    let done = clean(&made.skeleton, &bad, &range).unwrap();
    for (tracks, before) in done.clip.joints.iter().zip(&bad.joints) {
        let (track, before) = (tracks.rotation.as_ref(), before.rotation.as_ref());
        for secs in [0.5, 0.9, 2.2, 3.5] {
            let [a, b] = [track, before].map(|t| t.unwrap().sample_rotation(secs).unwrap());
            assert!(a.dot(b).abs() > 1.0 - 1e-6, "{} at {secs}", tracks.joint);
        }
    }
}
