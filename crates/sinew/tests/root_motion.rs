use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::root_motion::{Placement, RootAxes, RootMotion, RootMotionError};
use sinew::transform::{Axis, quat};
use sinew::{
    Clip, Interpolation, Joint, LocalPose, Player, Skeleton, Track, Transform, Wrap, sample,
    sample_joint,
};
use std::f64::consts::{PI, TAU};

fn skeleton(armature: Transform) -> Skeleton {
    let joints = vec![
        Joint::new("armature", None, armature),
        Joint::new("hips", Some(0), Transform::from_translation(Vec3::Y)),
        Joint::new("spine", Some(1), Transform::from_translation(Vec3::Y)),
    ];
    Skeleton::new(joints).expect("a chain").0
}

fn turn(axis: Vec3, degrees: f32) -> Quat {
    quat::from_axis_angle(axis, degrees.to_radians())
}

const HIPS: usize = 1;

/// Stride of one second along an arc of `degrees`, with a bob and a lean.
fn stride(degrees: f32) -> Clip {
    let times: Vec<f32> = (0..=10).map(|k| k as f32 / 10.0).collect();
    let place = |&t: &f32| {
        let heading = (degrees * t).to_radians();
        let radius = 1.5 / degrees.to_radians();
        let (x, z) = match degrees == 0.0 {
            true => (0.0, 1.5 * t),
            false => (radius * (1.0 - heading.cos()), radius * heading.sin()),
        };
        Vec3::new(x + 0.3, 1.0 + 0.05 * (t * 12.0).sin(), z - 0.2)
    };
    let facing = |&t: &f32| {
        quat::mul(
            turn(Vec3::Y, degrees * t),
            turn(Vec3::X, 10.0 * (t * TAU as f32).sin()),
        )
    };
    let mut clip = Clip::new("stride");
    let (places, facings): (Vec<Vec3>, Vec<Quat>) = (
        times.iter().map(place).collect(),
        times.iter().map(facing).collect(),
    );
    clip.joint_mut(HIPS).translation =
        Some(Track::vectors(times.clone(), &places, Interpolation::Linear).expect("good"));
    clip.joint_mut(HIPS).rotation =
        Some(Track::rotations(times, &facings, Interpolation::Slerp).expect("good"));
    clip.fit_duration();
    clip
}

#[test]
fn what_root_motion_refuses() {
    let (straight, upright) = (stride(0.0), skeleton(Transform::IDENTITY));
    let of = |clip: &Clip, skeleton: &Skeleton, joint| {
        RootMotion::of_clip(clip, skeleton, joint, RootAxes::GROUND)
    };
    assert_eq!(
        of(&straight, &upright, 3),
        Err(RootMotionError::NoSuchJoint { joint: 3, len: 3 })
    );
    let moving = RootMotionError::MovingAncestor {
        joint: "spine".into(),
        ancestor: "hips".into(),
    };
    assert_eq!(of(&straight, &upright, 2), Err(moving.clone()));
    let mut shake = Clip::new("shake");
    let there_and_back = [Vec3::Y, Vec3::X, Vec3::Y];
    shake.joint_mut(HIPS).translation = Some(
        Track::vectors(vec![0.0, 0.5, 1.0], &there_and_back, Interpolation::Linear).expect("good"),
    );
    shake.fit_duration();
    assert_eq!(of(&shake, &upright, 2), Err(moving));
    for scale in [Vec3::new(1.0, 2.0, 1.0), Vec3::ZERO] {
        let odd = skeleton(Transform {
            scale,
            ..Transform::IDENTITY
        });
        let joint = "hips".into();
        assert_eq!(
            of(&straight, &odd, HIPS),
            Err(RootMotionError::UnevenScale { joint })
        );
    }
    let mut held = straight.clone();
    held.joint_mut(0).rotation = Some(
        Track::rotations(vec![0.0, 1.0], &[Quat::IDENTITY; 2], Interpolation::Slerp).expect("good"),
    );
    assert!(of(&held, &upright, HIPS).is_ok());
}

#[test]
fn what_is_asked_for_is_taken_and_nothing_else() {
    let skeleton = skeleton(Transform::IDENTITY);
    let clip = stride(80.0);
    let bools = [false, true];
    for heading in bools {
        for (x, y, z) in [
            (true, false, true),
            (false, false, true),
            (false, false, false),
            (true, true, true),
        ] {
            let axes = RootAxes {
                translation: [x, y, z],
                heading,
                up: Axis::Y,
            };
            let motion = RootMotion::of_clip(&clip, &skeleton, HIPS, axes).expect("good");
            let mut pose = LocalPose::identity(0);
            sample(&clip, &skeleton, 0.0, &mut pose).unwrap();
            let first = pose.get(HIPS);
            sample(&clip, &skeleton, 0.63, &mut pose).unwrap();
            let whole = pose.get(HIPS);
            let placement = motion.take_out(0.0, &mut pose);
            let left = pose.get(HIPS);
            for axis in 0..3 {
                let wanted = if axes.translation[axis] { first } else { whole };
                assert_eq!(left.translation[axis], wanted.translation[axis], "{axes:?}");
            }
            let turned = if heading { 80.0 * 0.63 } else { 0.0 };
            assert!(
                (placement.heading_rad.to_degrees() - turned).abs() < 0.05,
                "{axes:?}"
            );
            let lean = quat::mul(turn(Vec3::Y, -turned as f32), whole.rotation);
            assert!(quat::angle_between(left.rotation, lean) < 1e-3);
            motion.put_back(&placement, &mut pose);
            let back = pose.get(HIPS);
            assert!(
                (back.translation - whole.translation).length() < 1e-6,
                "{axes:?}"
            );
            assert!(quat::angle_between(back.rotation, whole.rotation) < 1e-6);
        }
    }
}

/// Armature on its back and in centimetres, as in some files.
#[test]
fn placements_are_in_the_models_frame_and_units() {
    let upright = skeleton(Transform::IDENTITY);
    let lying = Transform {
        translation: Vec3::new(0.1, 0.0, 0.2),
        rotation: turn(Vec3::X, -90.0),
        scale: Vec3::splat(0.01),
    };
    let clip = stride(50.0);
    let model_from_armature = lying.inverse().expect("even");
    let mut same = clip.clone();
    let tracks = same.joint_mut(HIPS);
    let times: Vec<f32> = tracks.translation.as_ref().unwrap().times().to_vec();
    let keys: Vec<Transform> = times
        .iter()
        .map(|&t| sample_joint(&clip, &upright, HIPS, f64::from(t)))
        .map(|t| model_from_armature.compose(&t).expect("even"))
        .collect();
    let (places, facings): (Vec<_>, Vec<_>) =
        keys.iter().map(|t| (t.translation, t.rotation)).unzip();
    tracks.translation =
        Some(Track::vectors(times.clone(), &places, Interpolation::Linear).expect("good"));
    tracks.rotation = Some(Track::rotations(times, &facings, Interpolation::Slerp).expect("good"));
    let lying = skeleton(lying);
    let ours = RootMotion::of_clip(&clip, &upright, HIPS, RootAxes::GROUND).expect("good");
    let theirs = RootMotion::of_clip(&same, &lying, HIPS, RootAxes::GROUND).expect("good");
    for time in [0.0, 0.27, 0.8, 1.0] {
        let at = |motion: &RootMotion, clip: &Clip, skeleton: &Skeleton| {
            motion.placement(2.0, &sample_joint(clip, skeleton, HIPS, time))
        };
        let (ours, theirs) = (at(&ours, &clip, &upright), at(&theirs, &same, &lying));
        assert!((ours.heading_rad - theirs.heading_rad).abs() < 1e-5);
        for axis in 0..3 {
            assert!(
                (ours.translation[axis] - theirs.translation[axis]).abs() < 1e-5,
                "{time}"
            );
        }
    }
}

fn distance(a: &Placement, b: &Placement) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| a.translation[axis] - b.translation[axis]);
    (x * x + y * y + z * z).sqrt()
}

fn angle(a: &Placement, b: &Placement) -> f64 {
    let off = a.heading_rad - b.heading_rad;
    (off - TAU * (off / TAU).round()).abs()
}

#[test]
fn ten_thousand_cycles_do_not_drift() {
    let skeleton = skeleton(Transform::IDENTITY);
    for degrees in [0.0, 0.02, 37.0, -120.0, 180.0] {
        let clip = stride(degrees);
        let motion = RootMotion::of_clip(&clip, &skeleton, HIPS, RootAxes::GROUND).expect("good");
        let mut world = Placement::identity(Axis::Y);
        let mut player = Player::new(Wrap::Loop);
        let now = |player: &Player| {
            let local = sample_joint(&clip, &skeleton, HIPS, player.clip_time_secs(&clip));
            (player.cycle(&clip), local)
        };
        let mut seed = 1_u64;
        let (mut farthest, start) = (0.0_f64, now(&player));
        let mut walk = |player: &mut Player, world: &mut Placement, to: f64| {
            while player.time_secs() != to {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let step = 0.9 * (seed >> 33) as f64 / f64::from(1_u32 << 31);
                let left = to - player.time_secs();
                let before = now(player);
                player.scrub(
                    &clip,
                    player.time_secs() + left.signum() * step.min(left.abs()),
                    |_| {},
                );
                let after = now(player);
                let step = motion.step((before.0, &before.1), (after.0, &after.1));
                farthest = farthest.max(step.translation.iter().fold(0.0, |m, c| m.max(c.abs())));
                *world = world.then(&step);
            }
        };
        walk(&mut player, &mut world, 10_000.0);
        let wanted = motion.cycle().repeated(10_000.0);
        assert!(
            distance(&world, &wanted) < 1e-6,
            "{degrees}: {world:?} is not {wanted:?}"
        );
        assert!(angle(&world, &wanted) < 1e-9, "{degrees}");
        let at_end = now(&player);
        assert_eq!(motion.placement(at_end.0, &at_end.1), wanted, "{degrees}");
        if degrees == 0.0 {
            assert!((wanted.translation[2] - 15_000.0).abs() < 1e-3);
            assert_eq!([wanted.translation[0], wanted.heading_rad], [0.0, 0.0]);
        }
        walk(&mut player, &mut world, 0.0);
        assert!(
            distance(&world, &Placement::identity(Axis::Y)) < 1e-6,
            "{degrees}"
        );
        assert_eq!(now(&player), start);
        // No step is far too long: 0.9 of a stride, and a rotation of the origin about the hips.
        assert!(farthest < 0.9 * 1.5 + 2.0 * 0.36, "{farthest}");
    }
}

#[test]
fn nothing_is_lost_where_a_loop_starts_over() {
    let skeleton = skeleton(Transform::IDENTITY);
    let clip = stride(30.0);
    let motion = RootMotion::of_clip(&clip, &skeleton, HIPS, RootAxes::GROUND).expect("good");
    let at = |time: f64| {
        let (time, cycle) = Wrap::Loop.fold(time, 1.0);
        (cycle, sample_joint(&clip, &skeleton, HIPS, time))
    };
    for k in 0..60 {
        let time = f64::from(k) * 0.05;
        let (from, to) = (at(time), at(time + 0.05));
        let step = motion.step((from.0, &from.1), (to.0, &to.1));
        // The hips start beside the origin of the model.
        let hips = Placement {
            translation: [0.3, 0.0, -0.2],
            ..Placement::identity(Axis::Y)
        };
        let length = distance(&step.then(&hips), &hips);
        assert!((length - 0.075).abs() < 1e-3, "{time}: {length}");
        assert!((step.heading_rad.to_degrees() - 1.5).abs() < 0.05, "{time}");
    }
}

#[test]
fn deltas_are_mixed_by_weight() {
    let ahead = Placement {
        translation: [0.0, 0.0, 2.0],
        heading_rad: 0.0,
        up: Axis::Y,
    };
    let aside = Placement {
        translation: [1.0, 0.0, 0.0],
        heading_rad: 0.4,
        up: Axis::Y,
    };
    let mixed = |a, b| Placement::blend(Axis::Y, [(ahead, a), (aside, b)]);
    assert_eq!(mixed(0.5, 0.5).translation, [0.5, 0.0, 1.0]);
    assert_eq!(mixed(0.5, 0.5).heading_rad, 0.2);
    assert_eq!(
        mixed(0.5, 0.0).translation,
        [0.0, 0.0, 1.0],
        "the rest stands still"
    );
    assert_eq!(mixed(2.0, 2.0), mixed(0.5, 0.5));
    assert_eq!(Placement::blend(Axis::Y, []), Placement::identity(Axis::Y));
    let turned = aside.to_transform();
    assert!(quat::angle_between(turned.rotation, quat::from_axis_angle(Vec3::Y, 0.4)) < 1e-6);
}

fn placements() -> impl Strategy<Value = Placement> {
    let up = prop::sample::select(&[Axis::X, Axis::Y, Axis::Z][..]);
    let number = -2.0_f64..2.0;
    (prop::array::uniform3(number), -PI..PI, up).prop_map(|(translation, heading_rad, up)| {
        Placement {
            translation,
            heading_rad,
            up,
        }
    })
}

proptest! {
    #[test]
    fn a_repeated_placement_is_the_product_of_itself(p in placements(), times in -60_i32..60) {
        let one = if times < 0 { p.inverse() } else { p };
        let product = (0..times.abs()).fold(Placement::identity(p.up), |sum, _| sum.then(&one));
        let closed = p.repeated(f64::from(times));
        prop_assert!(distance(&product, &closed) < 1e-11);
        prop_assert!(angle(&product, &closed) < 1e-11);
    }

    #[test]
    fn placements_are_what_their_transforms_are(p in placements(), mut q in placements()) {
        q.up = p.up;
        let product = p.to_transform().compose(&q.to_transform()).expect("rigid").to_affine();
        let ours = p.then(&q).to_transform().to_affine();
        prop_assert!(product.max_difference(&ours) < 2e-6);
        let back = p.then(&q).then(&q.inverse());
        prop_assert!(distance(&back, &p) < 1e-14 && angle(&back, &p) < 1e-14);
        prop_assert!(distance(&p.then(&p.to(&q)), &q) < 1e-14);
    }

    #[test]
    fn what_is_taken_out_can_be_put_back(
        numbers in prop::array::uniform16(-1.0_f32..1.0),
        translation in prop::array::uniform3(any::<bool>()),
        heading in any::<bool>(),
        up in prop::sample::select(&[Axis::X, Axis::Y, Axis::Z][..]),
    ) {
        let unit = |n: &[f32]| quat::normalized(Quat::from_xyzw(n[0], n[1], n[2], n[3] + 0.01));
        let at = |n: &[f32]| Vec3::new(n[0], n[1], n[2]);
        let skeleton = skeleton(Transform {
            translation: at(&numbers[..3]),
            rotation: unit(&numbers[3..]),
            scale: Vec3::splat(1.5 + numbers[7]),
        });
        let hips = |n: &[f32]| {
            let mut pose = skeleton.rest().clone();
            pose.set(HIPS, Transform::from_rotation_translation(unit(n), at(&n[1..])));
            pose
        };
        let (first, last, whole) = (hips(&numbers[8..]), hips(&numbers[10..]), hips(&numbers[4..]));
        let axes = RootAxes { translation, heading, up };
        let motion = RootMotion::new(&skeleton, HIPS, axes, &first, &last).expect("good");
        let mut pose = whole.clone();
        let placement = motion.take_out(0.0, &mut pose);
        motion.put_back(&placement, &mut pose);
        let off = pose.get(HIPS).to_affine().max_difference(&whole.get(HIPS).to_affine());
        prop_assert!(off < 1e-5, "off by {off}");
        let mut pose = first.clone();
        let start = motion.take_out(0.0, &mut pose);
        prop_assert!(distance(&start, &Placement::identity(up)) < 1e-6 && start.heading_rad.abs() < 1e-6);
        let end = motion.placement(0.0, &last.get(HIPS));
        prop_assert!(distance(&end, &motion.cycle()) < 1e-12);
    }
}
