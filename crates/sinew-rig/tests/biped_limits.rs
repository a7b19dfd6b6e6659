//! Limits of a person on skeletons with other axes and another rest pose than the template.

use crate::people;

use glam::{Quat, Vec3};
use people::Person;
use sinew::skeleton::limits::RotationLimit;
use sinew::transform::quat;
use sinew::{Joint, LocalPose, Skeleton, Transform};
use sinew_rig::retarget::{BipedLimits, with_biped_limits};
use sinew_rig::template::Biped;

struct Dice(u64);

impl Dice {
    fn part(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn rotation(&mut self, max_rad: f32) -> Quat {
        let axis = Vec3::new(self.part() - 0.5, self.part() - 0.5, self.part() - 0.5);
        Quat::from_axis_angle(axis.normalize_or(Vec3::X), max_rad * self.part())
    }
}

/// The same body with other joint axes and names and no limits.
struct Reframed {
    /// `joint_from_new_joint`.
    axes: Vec<Quat>,
    /// `new_model_from_model`.
    world: Quat,
    skeleton: Skeleton,
}

impl Reframed {
    fn new(
        base: &Skeleton,
        rest: &LocalPose,
        axes: Vec<Quat>,
        world: Quat,
        name: impl Fn(&str) -> String,
    ) -> Self {
        let mut body = Self {
            axes,
            world,
            skeleton: base.clone(),
        };
        let rest = body.pose(rest);
        let joints = base.joints().into_iter().enumerate();
        let joints = joints
            .map(|(index, joint)| Joint::new(name(&joint.name), joint.parent, rest.get(index)));
        body.skeleton = Skeleton::new(joints.collect()).unwrap().0;
        body
    }

    fn pose(&self, pose: &LocalPose) -> LocalPose {
        let mut new = pose.clone();
        for joint in 0..pose.len() {
            let above = match self.skeleton.parent(joint) {
                Some(parent) => self.axes[parent].inverse(),
                None => self.world,
            };
            let was = pose.get(joint);
            let rotation = above * was.rotation * self.axes[joint];
            let now = Transform::from_rotation_translation(rotation, above * was.translation);
            new.set(joint, now);
        }
        new
    }
}

fn model_turns(skeleton: &Skeleton) -> Vec<Quat> {
    let model = skeleton.rest_model();
    let turn = |joint| Transform::from_affine(model.get(joint)).0.rotation;
    (0..skeleton.len()).map(turn).collect()
}

fn mixamo(name: &str) -> String {
    let side = |name: &str, left: &str| name.replace("left_", left);
    let plain = side(name, "Left_").replace("right_", "Right_");
    let (side, part) = match plain.split_once('_') {
        Some((side @ ("Left" | "Right"), part)) => (side, part),
        _ => ("", name),
    };
    let part = match part {
        "hips" => "Hips".to_owned(),
        "spine_1" => "Spine".to_owned(),
        "spine_2" => "Spine1".to_owned(),
        "chest" => "Spine2".to_owned(),
        "neck" => "Neck".to_owned(),
        "head" => "Head".to_owned(),
        "shoulder" => "Shoulder".to_owned(),
        "upper_arm" => "Arm".to_owned(),
        "lower_arm" => "ForeArm".to_owned(),
        "hand" => "Hand".to_owned(),
        "upper_leg" => "UpLeg".to_owned(),
        "lower_leg" => "Leg".to_owned(),
        "foot" => "Foot".to_owned(),
        "toes" => "ToeBase".to_owned(),
        finger => {
            let (finger, number) = finger.split_once('_').unwrap();
            let finger = match finger {
                "thumb" => "Thumb",
                "index" => "Index",
                "middle" => "Middle",
                "ring" => "Ring",
                _ => "Pinky",
            };
            format!("Hand{finger}{number}")
        }
    };
    format!("mixamorig:{side}{part}")
}

fn blender(name: &str) -> String {
    let parts = [
        ("upper_arm", "upper_arm"),
        ("lower_arm", "forearm"),
        ("upper_leg", "thigh"),
        ("lower_leg", "shin"),
        ("toes", "toe"),
    ];
    for (side, letter) in [("left_", "L"), ("right_", "R")] {
        if let Some(part) = name.strip_prefix(side) {
            let known = parts.iter().find(|(ours, _)| *ours == part);
            let part = known.map_or(part.to_owned(), |(_, theirs)| (*theirs).to_owned());
            return format!("{part}.{letter}");
        }
    }
    name.to_owned()
}

/// Body of the template as in other programs. Mixamo: y along the bone, any roll. BVH: world axes
/// in every joint. Blender: y along the bone, z up, sides as letters.
fn foreign(base: &Skeleton, rest: &LocalPose, dice: &mut Dice) -> [(&'static str, Reframed); 3] {
    let mut posed = base.joints();
    for (index, joint) in posed.iter_mut().enumerate() {
        joint.rest = rest.get(index);
    }
    let turns = model_turns(&Skeleton::new(posed).unwrap().0);
    let mut rolls = || -> Vec<Quat> {
        let roll = |_| Quat::from_rotation_y(6.0 * dice.part());
        (0..base.len()).map(roll).collect()
    };
    let world: Vec<Quat> = turns.iter().map(|turn| turn.inverse()).collect();
    let up = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let plain = |name: &str| mixamo(name).replace("mixamorig:", "");
    [
        (
            "mixamo",
            Reframed::new(base, rest, rolls(), Quat::IDENTITY, mixamo),
        ),
        (
            "bvh",
            Reframed::new(base, rest, world, Quat::IDENTITY, plain),
        ),
        ("blender", Reframed::new(base, rest, rolls(), up, blender)),
    ]
}

fn laid(skeleton: &Skeleton) -> BipedLimits {
    with_biped_limits(skeleton).expect("a person")
}

fn angle(a: Quat, b: Quat) -> f32 {
    quat::angle_between(a, b)
}

fn template() -> Skeleton {
    Biped::default().template().skeleton().unwrap()
}

#[test]
fn in_the_templates_pose_limits_allow_what_the_templates_do_in_any_axes() {
    let base = template();
    let mut dice = Dice(5);
    for (kind, body) in foreign(&base, base.rest(), &mut dice) {
        let limits = laid(&body.skeleton);
        assert_eq!(limits.joints.len(), base.len(), "{kind}");
        assert!(limits.widened.is_empty(), "{kind}: {:?}", limits.widened);
        let dof = limits.skeleton.degrees_of_freedom();
        assert_eq!(dof, base.degrees_of_freedom(), "{kind}");
        let (mut stopped, mut let_be) = (0, 0);
        for _ in 0..200 {
            let mut pose = base.rest().clone();
            for joint in 0..base.len() {
                let turn = dice.rotation(2.5);
                pose.set_rotation(joint, pose.get(joint).rotation * turn);
            }
            let mut new = body.pose(&pose);
            limits.skeleton.clamp(&mut new).expect("of this skeleton");
            let before = pose.clone();
            base.clamp(&mut pose).expect("of this skeleton");
            let wanted = body.pose(&pose);
            for joint in 0..base.len() {
                let off = angle(new.get(joint).rotation, wanted.get(joint).rotation);
                let name = base.name(joint);
                assert!(off < 1e-4, "{kind}: {name} is off by {off}");
                match before.get(joint) == pose.get(joint) {
                    true => let_be += 1,
                    false => stopped += 1,
                }
            }
        }
        assert!(stopped > 1000 && let_be > 200, "{stopped} {let_be}");
    }
}

fn posed(base: &Skeleton, turns: &[(&str, Quat)]) -> LocalPose {
    let mut pose = base.rest().clone();
    for (name, turn) in turns {
        let joint = base.find(name).unwrap();
        pose.set_rotation(joint, pose.get(joint).rotation * *turn);
    }
    pose
}

#[test]
fn limits_count_from_the_templates_rest_whatever_the_files_rest_is() {
    let base = template();
    let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    // Arms level, elbows straight, one knee bent and one thigh raised and aside.
    let model = model_turns(&base);
    let raised = |name: &str, degrees: f32| {
        let of = model[base.find(name).unwrap()];
        of.inverse() * Quat::from_rotation_z(degrees.to_radians()) * of
    };
    let rest = posed(
        &base,
        &[
            ("left_upper_arm", raised("left_upper_arm", 42.0)),
            ("right_upper_arm", raised("right_upper_arm", -42.0)),
            ("left_lower_arm", x(-7.5)),
            ("right_lower_arm", x(60.0)),
            ("right_lower_leg", x(40.0)),
            ("right_upper_leg", x(-30.0)),
            ("left_index_2", x(30.0)),
        ],
    );
    let mut dice = Dice(6);
    for (kind, body) in foreign(&base, &rest, &mut dice) {
        let limits = laid(&body.skeleton);
        assert!(limits.widened.is_empty(), "{kind}: {:?}", limits.widened);
        let mut worst = (0.0, String::new());
        for _ in 0..200 {
            let mut pose = base.rest().clone();
            for joint in 0..base.len() {
                pose.set_rotation(joint, pose.get(joint).rotation * dice.rotation(1.5));
            }
            let mut new = body.pose(&pose);
            limits.skeleton.clamp(&mut new).expect("of this skeleton");
            base.clamp(&mut pose).expect("of this skeleton");
            let wanted = body.pose(&pose);
            // Near the rim of a cone small errors grow, so only some joints are tested.
            for name in ["lower_leg", "lower_arm", "index_2", "upper_leg"] {
                for side in ["left", "right"] {
                    let joint = base.find(&format!("{side}_{name}")).unwrap();
                    let off = angle(new.get(joint).rotation, wanted.get(joint).rotation);
                    // The elbow axis of a straight arm is uncertain: twice the error is allowed.
                    let off = if name == "lower_arm" { 0.5 * off } else { off };
                    if off > worst.0 {
                        worst = (off, format!("{side}_{name}"));
                    }
                }
            }
        }
        println!("{kind}: off by {} at most, {}", worst.0, worst.1);
        assert!(worst.0 < 0.055, "{kind}: {worst:?}");
        for (name, low, high) in [
            ("left_lower_leg", -8.0, 150.0),
            ("right_lower_leg", -8.0, 150.0),
            ("left_index_2", -8.0, 110.0),
        ] {
            let joint = base.find(name).unwrap();
            for (asked, end) in [(low - 30.0, low), (high + 30.0, high)] {
                let wanted = body.pose(&posed(&base, &[(name, x(end))]));
                let mut new = body.pose(&posed(&base, &[(name, x(asked))]));
                limits.skeleton.clamp(&mut new).expect("of this skeleton");
                let off = angle(new.get(joint).rotation, wanted.get(joint).rotation);
                assert!(off < 0.03, "{kind}: {name} to {asked}: off by {off}");
            }
        }
    }
}

#[test]
fn the_same_person_has_the_same_limits_in_any_axes() {
    for (arms_down_deg, legs_apart_deg) in [(0.0, 0.0), (45.0, 10.0), (85.0, 0.0)] {
        let person = |axes, world| Person {
            arms_down_deg,
            legs_apart_deg,
            axes,
            world,
            ..Person::default()
        };
        let plain = person(0, Quat::IDENTITY).skeleton();
        let of_plain = laid(&plain);
        let worlds = [
            Quat::IDENTITY,
            Quat::from_rotation_x(1.57),
            Quat::from_rotation_y(2.0),
        ];
        for (axes, world) in [1, 2, 3].into_iter().zip(worlds) {
            let other = person(axes, world).skeleton();
            let of_other = laid(&other);
            assert_eq!(of_plain.joints, of_other.joints);
            assert_eq!(of_plain.widened, of_other.widened);
            let turns = [&plain, &other].map(model_turns);
            let body = Reframed {
                axes: (0..plain.len())
                    .map(|j| turns[0][j].inverse() * world.inverse() * turns[1][j])
                    .collect(),
                world,
                skeleton: other,
            };
            let mut dice = Dice(7);
            for _ in 0..50 {
                let mut pose = plain.rest().clone();
                for joint in 0..plain.len() {
                    pose.set_rotation(joint, pose.get(joint).rotation * dice.rotation(2.0));
                }
                let mut new = body.pose(&pose);
                of_other.skeleton.clamp(&mut new).expect("of this skeleton");
                of_plain
                    .skeleton
                    .clamp(&mut pose)
                    .expect("of this skeleton");
                let wanted = body.pose(&pose);
                for joint in 1..plain.len() {
                    let off = angle(new.get(joint).rotation, wanted.get(joint).rotation);
                    // One degree, because small errors grow at a corner of the ranges.
                    assert!(off < 0.02, "{}: off by {off}", plain.name(joint));
                }
            }
        }
    }
}

fn rest_is_allowed(limits: &BipedLimits) {
    let mut pose = limits.skeleton.rest().clone();
    limits.skeleton.clamp(&mut pose).expect("of this skeleton");
    for joint in 0..pose.len() {
        let rest = limits.skeleton.rest().get(joint).rotation;
        let off = angle(pose.get(joint).rotation, rest);
        assert!(off < 1e-5, "{}: {off}", limits.skeleton.name(joint));
    }
}

#[test]
fn a_rest_pose_beyond_the_limits_widens_them() {
    let base = template();
    let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let rest = posed(
        &base,
        &[("left_index_2", x(-12.0)), ("right_foot", x(75.0))],
    );
    let mut dice = Dice(8);
    for (_, body) in foreign(&base, &rest, &mut dice) {
        let limits = laid(&body.skeleton);
        let index = base.find("left_index_2").unwrap();
        assert_eq!(limits.widened, [index]);
        rest_is_allowed(&limits);
        let RotationLimit::Hinge { range, .. } = limits.skeleton.freedom(index).rotation else {
            panic!("a finger is a hinge");
        };
        assert!((range.min_rad.to_degrees()).abs() < 0.1, "{range:?}");
        assert!(
            (range.max_rad.to_degrees() - 122.0).abs() < 0.5,
            "{range:?}"
        );
    }
    for axes in [0, 4] {
        for arms_down_deg in [0.0, 40.0, 80.0] {
            let person = Person {
                arms_down_deg,
                axes,
                ..Person::default()
            };
            rest_is_allowed(&laid(&person.skeleton()));
        }
    }
}

#[test]
fn who_is_no_person_gets_no_limits() {
    let bone = |parent| Joint::new("bone", parent, Transform::from_translation(Vec3::Y));
    let (chain, _) = Skeleton::new(vec![bone(None), bone(Some(0)), bone(Some(1))]).unwrap();
    assert!(with_biped_limits(&chain).is_none());
}

#[test]
fn captures_of_people_get_limits_and_their_rest_is_allowed() {
    for name in ["cmu_02_03", "cmu_09_01", "threejs_pirouette", "Geno_bind"] {
        let Some(file) = crate::foreign::foreign(&format!("bvh/{name}.bvh")) else {
            return;
        };
        let import = sinew_io::import(file).unwrap();
        let skeleton = &import.character.skeleton;
        let limits = laid(skeleton);
        let limited = |joint: &usize| limits.skeleton.freedom(*joint).rotation.is_limited();
        let count = limits.joints.iter().filter(|j| limited(j)).count();
        println!("{name}: {count} limited, {} widened", limits.widened.len());
        assert!(count >= 14, "{name}: {count}");
        rest_is_allowed(&limits);
        let had = |joint: usize| skeleton.freedom(joint).rotation.is_limited();
        assert!(!(0..skeleton.len()).any(had), "{name}");
    }
}
