use crate::excess;

use excess::{angle_between, excess, turn_from_rest, wide};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::skeleton::limits::{
    AngleRange, FramedRotation, Freedom, LimitError, RotationFrame, RotationLimit, SlideRange,
};
use sinew::transform::{Axis, EulerOrder, quat};
use sinew::{Joint, LocalPose, Skeleton, Transform};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
const PROMISED_RAD: f64 = 1e-6;

fn freedom(turn: RotationLimit) -> Freedom {
    Freedom {
        rotation: turn,
        ..Freedom::default()
    }
}

fn range(min_rad: f32, max_rad: f32) -> AngleRange {
    AngleRange { min_rad, max_rad }
}

fn bits(q: Quat) -> [u32; 4] {
    q.to_array().map(f32::to_bits)
}

fn orders() -> Vec<EulerOrder> {
    let mut orders = Vec::new();
    for a in AXES {
        for b in AXES {
            orders.extend(AXES.iter().filter_map(|&c| EulerOrder::new([a, b, c])));
        }
    }
    orders
}

#[test]
fn limits_that_contradict_themselves_are_refused() {
    let (full, nan) = (AngleRange::FULL, f32::NAN);
    let empty = range(0.5, 0.4);
    let hinge = |axis, range| RotationLimit::Hinge { axis, range };
    let saddle = |axes, ranges| RotationLimit::Saddle { axes, ranges };
    let ball = |axis, swing_rad, twist| RotationLimit::Ball {
        axis,
        swing_rad,
        twist,
    };
    let euler = |ranges| RotationLimit::Euler {
        order: EulerOrder::XYZ,
        ranges,
    };
    let refused = [
        ("hinge without axis", hinge(Vec3::ZERO, full)),
        ("hinge with a NaN axis", hinge(Vec3::splat(nan), full)),
        ("hinge with an empty range", hinge(Vec3::X, empty)),
        ("hinge with a NaN range", hinge(Vec3::X, range(nan, 1.0))),
        ("endless hinge", hinge(Vec3::X, range(0.0, f32::INFINITY))),
        ("saddle of one axis", saddle([Axis::X, Axis::X], [full; 2])),
        ("empty saddle", saddle([Axis::X, Axis::Y], [full, empty])),
        ("ball without axis", ball(Vec3::ZERO, 1.0, full)),
        ("ball with a negative cone", ball(Vec3::X, -0.1, full)),
        ("ball with a NaN cone", ball(Vec3::X, nan, full)),
        ("ball with an empty twist", ball(Vec3::X, 1.0, empty)),
        ("euler with an empty range", euler([full, empty, full])),
    ];
    for (what, turn) in refused {
        assert!(freedom(turn).check().is_err(), "{what}");
    }
    assert_eq!(
        freedom(hinge(Vec3::X, empty)).check(),
        Err(LimitError::EmptyRange {
            min_rad: 0.5,
            max_rad: 0.4
        })
    );
    assert!(freedom(hinge(Vec3::X, range(7.0, 8.0))).check().is_ok());
}

#[test]
fn a_hinge_stops_at_the_nearer_end_on_the_circle() {
    let knee = freedom(RotationLimit::Hinge {
        axis: Vec3::new(0.0, 0.0, 2.0),
        range: AngleRange::degrees(-10.0, 100.0),
    });
    let table = [
        (50.0, 50.0),
        (120.0, 100.0),
        (-30.0, -10.0),
        (220.0, 100.0),
        (230.0, -10.0),
    ];
    for (degrees, wanted) in table {
        let now = Axis::Z.rotation(f32::to_radians(degrees));
        let clamped = knee.clamp_rotation(Quat::IDENTITY, now);
        let off = quat::angle_between(clamped, Axis::Z.rotation(f32::to_radians(wanted)));
        assert!(off < 1e-6, "{degrees}° went {off} rad from {wanted}°");
    }
}

#[test]
fn a_hinge_loses_its_swing_and_keeps_its_turn() {
    let elbow = freedom(RotationLimit::Hinge {
        axis: Vec3::Y,
        range: AngleRange::FULL,
    });
    let swung = quat::mul(Axis::X.rotation(0.7), Axis::Y.rotation(0.4));
    let clamped = elbow.clamp_rotation(Quat::IDENTITY, swung);
    assert!(quat::angle_between(clamped, Axis::Y.rotation(0.4)) < 1e-6);
}

#[test]
fn a_ball_swings_back_to_its_cone_in_the_same_direction() {
    let hip = freedom(RotationLimit::Ball {
        axis: Vec3::X,
        swing_rad: 0.5,
        twist: range(-0.2, 0.2),
    });
    let direction = Vec3::new(0.0, 0.6, 0.8);
    let swing = |angle| quat::from_axis_angle(direction, angle);
    let now = quat::mul(swing(1.3), Axis::X.rotation(0.7));
    let clamped = hip.clamp_rotation(Quat::IDENTITY, now);
    let wanted = quat::mul(swing(0.5), Axis::X.rotation(0.2));
    assert!(quat::angle_between(clamped, wanted) < 1e-6);
}

#[test]
fn a_locked_pose_is_in_range_if_any_of_its_angles_are() {
    // At gimbal lock, only the sum of 60° is known: 60° + 0° is out of range, 5° + 55° is in range.
    let order = EulerOrder::XYZ;
    let joint = freedom(RotationLimit::Euler {
        order,
        ranges: [
            AngleRange::degrees(0.0, 80.0),
            AngleRange::degrees(0.0, 90.0),
            AngleRange::degrees(50.0, 330.0),
        ],
    });
    for degrees in [[5.0_f32, 90.0, 55.0], [1.0, 90.0, 59.0], [0.0, 90.0, 50.0]] {
        let now = order.to_quat(degrees.map(f32::to_radians));
        let clamped = joint.clamp_rotation(Quat::IDENTITY, now);
        assert_eq!(bits(clamped), bits(now), "{degrees:?}");
    }
}

#[test]
fn limits_are_measured_from_rest() {
    let rest = quat::mul(Axis::X.rotation(1.0), Axis::Z.rotation(2.0));
    let hinge = freedom(RotationLimit::Hinge {
        axis: Vec3::Y,
        range: range(0.0, 0.3),
    });
    let clamped = hinge.clamp_rotation(rest, quat::mul(rest, Axis::Y.rotation(0.9)));
    assert!(quat::angle_between(clamped, quat::mul(rest, Axis::Y.rotation(0.3))) < 1e-6);
    assert_eq!(
        freedom(RotationLimit::Fixed).clamp_rotation(rest, Axis::X.rotation(0.4)),
        quat::aligned(rest, Axis::X.rotation(0.4)),
        "a fixed joint goes back to rest itself"
    );
}

#[test]
fn only_sliding_axes_move_and_scale_is_never_touched() {
    let slider = Freedom {
        rotation: RotationLimit::Free,
        slides: [false, true, false],
        ..Freedom::default()
    };
    let rest = Transform::from_translation(Vec3::new(1.0, 2.0, 3.0));
    let now = Transform {
        translation: Vec3::new(4.0, 5.0, 6.0),
        rotation: Axis::X.rotation(1.0),
        scale: Vec3::new(0.0, -2.0, 9.0),
    };
    let clamped = slider.clamp(&rest, &now);
    assert_eq!(clamped.translation, Vec3::new(1.0, 5.0, 3.0));
    assert_eq!(clamped.rotation, now.rotation);
    assert_eq!(clamped.scale, now.scale);
}

#[test]
fn a_skeleton_clamps_each_joint_by_its_own_limits() {
    let stiff = freedom(RotationLimit::Fixed);
    let joints = vec![
        Joint::new("free", None, Transform::IDENTITY),
        Joint::new("stiff", Some(0), Transform::IDENTITY).with_freedom(stiff),
    ];
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let turned = Transform::from_rotation(Axis::Y.rotation(1.0));
    let mut pose = LocalPose::from_transforms(&[turned, turned]);
    skeleton.clamp(&mut pose).expect("of this skeleton");
    assert_eq!(pose.get(0), turned);
    assert_eq!(pose.get(1), Transform::IDENTITY);
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    let general = prop::array::uniform4(-1.0_f32..1.0)
        .prop_filter("a direction", |c| {
            c.iter().map(|c| c * c).sum::<f32>() > 1e-3
        })
        .prop_map(|[x, y, z, w]| quat::normalized(Quat::from_xyzw(x, y, z, w)));
    // Multiples of 90° about coordinate axes, exact or almost. Angles are ambiguous there.
    let special = (
        prop::array::uniform3((0..3_usize, -4..=4_i32)),
        -1e-5_f32..1e-5,
    )
        .prop_map(|(turns, nudge)| {
            turns
                .into_iter()
                .fold(Axis::X.rotation(nudge), |q, (axis, quarters)| {
                    quat::mul(
                        q,
                        AXES[axis].rotation(quarters as f32 * std::f32::consts::FRAC_PI_2),
                    )
                })
        });
    prop_oneof![
        general,
        special.clone(),
        special.prop_map(|q| {
            let exact = q.to_array().map(|c| (c * 2.0).round() / 2.0);
            quat::normalized(Quat::from_array(exact))
        })
    ]
}

fn any_range() -> impl Strategy<Value = AngleRange> {
    let width = prop_oneof![Just(0.0_f32), 0.0_f32..0.1, 0.0_f32..7.0];
    prop_oneof![
        Just(AngleRange::FULL),
        (-7.0_f32..7.0, width).prop_map(|(min, width)| range(min, min + width)),
        (-90.0_f32..=0.0, 0.0_f32..=90.0).prop_map(|(min, max)| AngleRange::degrees(min, max)),
    ]
}

fn any_turn() -> impl Strategy<Value = RotationLimit> {
    let axis = prop::array::uniform3(-1.0_f32..1.0)
        .prop_map(Vec3::from_array)
        .prop_filter("a direction", |v| v.length() > 1e-2);
    let order = prop::sample::select(orders());
    prop_oneof![
        Just(RotationLimit::Fixed),
        Just(RotationLimit::Free),
        (axis.clone(), any_range()).prop_map(|(axis, range)| RotationLimit::Hinge { axis, range }),
        (0..3_usize, 1..3_usize, prop::array::uniform2(any_range())).prop_map(
            |(first, step, ranges)| RotationLimit::Saddle {
                axes: [AXES[first], AXES[(first + step) % 3]],
                ranges,
            }
        ),
        (
            axis,
            prop_oneof![0.0_f32..3.2, Just(std::f32::consts::PI)],
            any_range()
        )
            .prop_map(|(axis, swing_rad, twist)| RotationLimit::Ball {
                axis,
                swing_rad,
                twist,
            }),
        (order, prop::array::uniform3(any_range()))
            .prop_map(|(order, ranges)| RotationLimit::Euler { order, ranges }),
    ]
}

/// Allowed rotation. `at` is the position in each range, in [0, 1].
fn allowed_turn(turn: &RotationLimit, at: [f32; 3], direction_rad: f32) -> Quat {
    let angle = |range: &AngleRange, at: f32| {
        (range.min_rad + (range.max_rad - range.min_rad) * at).clamp(range.min_rad, range.max_rad)
    };
    match turn {
        RotationLimit::Fixed => Quat::IDENTITY,
        RotationLimit::Free => quat::from_axis_angle(Vec3::new(at[0], at[1], 1.0), at[2] * 3.0),
        RotationLimit::Hinge { axis, range } => quat::from_axis_angle(*axis, angle(range, at[0])),
        RotationLimit::Saddle { axes, ranges } => quat::mul(
            axes[0].rotation(angle(&ranges[0], at[0])),
            axes[1].rotation(angle(&ranges[1], at[1])),
        ),
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            let across = axis.normalize().any_orthonormal_vector();
            let direction = quat::rotate(quat::from_axis_angle(*axis, direction_rad), across);
            let swing =
                quat::from_axis_angle(direction, swing_rad.min(std::f32::consts::PI) * at[0]);
            quat::mul(swing, quat::from_axis_angle(*axis, angle(twist, at[1])))
        }
        RotationLimit::Euler { order, ranges } => {
            order.to_quat([0, 1, 2].map(|i| angle(&ranges[i], at[i])))
        }
        RotationLimit::Framed(_) => unreachable!("`ik_framed` holds these to plain limits"),
    }
}

fn place_in_range() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0_f32), Just(1.0), 0.0_f32..1.0]
}

proptest! {
    #[test]
    fn a_pose_in_range_comes_back_to_the_bit(
        turn in any_turn(),
        rest in any_rotation(),
        at in prop::array::uniform3(place_in_range()),
        direction_rad in 0.0_f32..6.0,
    ) {
        let now = quat::mul(rest, allowed_turn(&turn, at, direction_rad));
        let clamped = freedom(turn).clamp_rotation(rest, now);
        prop_assert_eq!(bits(clamped), bits(now));
    }

    #[test]
    fn any_pose_ends_up_in_range_and_stays_there(
        turn in any_turn(),
        rest in any_rotation(),
        now in any_rotation(),
    ) {
        let joint = freedom(turn);
        let once = joint.clamp_rotation(rest, now);
        prop_assert!(once.is_finite() && (wide_length(once) - 1.0).abs() < 1e-6);
        let off = excess(&joint.rotation, turn_from_rest(rest, once));
        prop_assert!(off <= PROMISED_RAD, "{} rad out of range: {:?}", off, once);
        let twice = joint.clamp_rotation(rest, once);
        prop_assert!(angle_between(once, twice) <= PROMISED_RAD);
    }

    #[test]
    fn gimbal_lock_is_no_way_out_of_range(
        order in prop::sample::select(orders()),
        outer in any_range(),
        inner in any_range(),
        (a, c) in (-4.0_f32..4.0, -4.0_f32..4.0),
        at in prop::array::uniform2(place_in_range()),
        nudge in prop_oneof![Just(0.0_f32), -1e-3_f32..1e-3],
        upper in any::<bool>(),
    ) {
        let [first, _, last] = order.axes();
        let lock = match (first == last, upper) {
            (true, true) => std::f32::consts::PI,
            (true, false) => 0.0,
            (false, true) => std::f32::consts::FRAC_PI_2,
            (false, false) => -std::f32::consts::FRAC_PI_2,
        };
        let ranges = [outer, range(lock - 0.5, lock + 0.5), inner];
        let joint = freedom(RotationLimit::Euler { order, ranges });
        let once = joint.clamp_rotation(Quat::IDENTITY, order.to_quat([a, lock + nudge, c]));
        let off = excess(&joint.rotation, wide(once));
        prop_assert!(off <= PROMISED_RAD, "{} rad out of range: {:?}", off, once);
        let twice = joint.clamp_rotation(Quat::IDENTITY, once);
        prop_assert!(angle_between(once, twice) <= PROMISED_RAD);

        let within = allowed_turn(&joint.rotation, [at[0], 0.5 + nudge, at[1]], 0.0);
        let same = joint.clamp_rotation(Quat::IDENTITY, within);
        prop_assert_eq!(bits(same), bits(within));
    }

    #[test]
    fn a_swing_of_half_a_turn_has_any_twist(
        twist in any_range(),
        at in place_in_range(),
        direction_rad in 0.0_f32..6.0,
        nudge in prop_oneof![Just(0.0_f32), 0.0_f32..1e-3],
    ) {
        let ball = RotationLimit::Ball { axis: Vec3::Z, swing_rad: std::f32::consts::PI, twist };
        let joint = freedom(ball);
        let now = allowed_turn(&joint.rotation, [1.0 - nudge, at, 0.0], direction_rad);
        prop_assert_eq!(bits(joint.clamp_rotation(Quat::IDENTITY, now)), bits(now));
    }
}

fn wide_length(q: Quat) -> f64 {
    q.to_array()
        .map(|c| f64::from(c).powi(2))
        .iter()
        .sum::<f64>()
        .sqrt()
}

#[test]
fn angles_of_a_rotation_give_this_rotation() {
    let range = AngleRange::degrees(100.0, 300.0);
    let hinge = RotationLimit::Hinge {
        axis: Vec3::new(2.0, -4.0, 4.0),
        range,
    };
    let saddle = RotationLimit::Saddle {
        axes: [Axis::X, Axis::Z],
        ranges: [AngleRange::FULL; 2],
    };
    let euler = RotationLimit::Euler {
        order: EulerOrder::new([Axis::X, Axis::Z, Axis::Y]).unwrap(),
        ranges: [AngleRange::FULL; 3],
    };
    let framed = RotationLimit::Framed(Box::new(FramedRotation {
        frame: RotationFrame {
            axes: Quat::from_xyzw(0.5, 0.5, -0.5, 0.5),
            rest: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        },
        rotation: saddle.clone(),
    }));
    for limit in [
        hinge,
        saddle,
        euler,
        framed,
        RotationLimit::Free,
        RotationLimit::Fixed,
    ] {
        for turn in [0.0, 0.3, -1.2, 1.5] {
            let angles: Vec<f32> = (0..limit.count())
                .map(|nth| turn + 0.04 * nth as f32)
                .collect();
            let rotation = limit.at(&angles).expect("as many angles");
            for rotation in [rotation, -rotation] {
                let again = limit.at(&limit.angles(rotation)).expect("as many angles");
                let off = 1.0 - again.dot(rotation).abs();
                assert!(off < 1e-6, "{limit:?} {angles:?}: {off}");
            }
        }
    }
    let hinge = RotationLimit::Hinge {
        axis: Vec3::Y,
        range,
    };
    let turned = hinge.at(&[250_f32.to_radians()]).expect("an angle");
    let angle = hinge.angles(turned)[0].to_degrees();
    assert!((angle - 250.0).abs() < 1e-3, "in its range: {angle}");
}

#[test]
fn a_slide_ends_at_its_range_and_leaves_its_axis_never() {
    let axis = Vec3::new(0.0, 3.0, 4.0);
    let slide = SlideRange {
        axis,
        min: -0.5,
        max: 1.5,
    };
    let spindle = Freedom {
        rotation: RotationLimit::Fixed,
        slide_range: Some(slide),
        ..Freedom::default()
    };
    assert_eq!((spindle.count(), spindle.is_limited()), (1, true));
    let rest = Vec3::new(1.0, -2.0, 0.5);
    let at = |distance: f32| rest + Vec3::new(0.0, 0.6, 0.8) * distance;
    for (distance, wanted) in [
        (-3.0, -0.5),
        (-0.5, -0.5),
        (0.7, 0.7),
        (1.5, 1.5),
        (9.0, 1.5),
    ] {
        let aside = at(distance) + Vec3::new(0.3, -0.8, 0.6);
        for now in [at(distance), aside] {
            let allowed = spindle.clamp_translation(rest, now);
            assert!(allowed.distance(at(wanted)) < 1e-6, "{distance}: {allowed}");
            assert_eq!(spindle.clamp_translation(rest, allowed), allowed);
            assert!((slide.distance(rest, now) - distance).abs() < 2e-6);
        }
    }
    let kept = slide.at(rest, 0.123);
    assert_eq!(spindle.clamp_translation(rest, kept), kept);
    let wrong = |change: &dyn Fn(&mut Freedom)| {
        let mut wrong = spindle.clone();
        change(&mut wrong);
        wrong.check().unwrap_err()
    };
    let range =
        |min, max| wrong(&|freedom| freedom.slide_range = Some(SlideRange { axis, min, max }));
    assert_eq!(
        range(1.0, 0.0),
        LimitError::EmptySlide { min: 1.0, max: 0.0 }
    );
    assert!(matches!(
        range(f32::NAN, 0.0),
        LimitError::EmptySlide { .. }
    ));
    assert!(matches!(
        range(0.0, f32::INFINITY),
        LimitError::EmptySlide { .. }
    ));
    assert_eq!(
        wrong(&|freedom| freedom.slide_range.as_mut().unwrap().axis = Vec3::ZERO),
        LimitError::ZeroAxis
    );
    assert_eq!(
        wrong(&|freedom| freedom.slides[1] = true),
        LimitError::TwoSlides
    );
}
