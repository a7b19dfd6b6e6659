use glam::Vec3;
use proptest::prelude::*;
use sinew::simd::Level;
use sinew::skin::Palette;
use sinew::transform::quat;
use sinew::{Affine, Crowd, CrowdError, Joint, LocalPose, ModelPose, Skeleton, Skin, Transform};

/// One number per joint selects an earlier joint as parent.
fn skeleton(parents: &[u8]) -> Skeleton {
    let parent = |joint: usize, p: u8| (joint > 0).then(|| usize::from(p) % joint);
    let joints = parents
        .iter()
        .enumerate()
        .map(|(joint, &p)| Joint::new(joint.to_string(), parent(joint, p), Transform::IDENTITY));
    Skeleton::new(joints.collect())
        .expect("parents come first")
        .0
}

fn pose(joints: usize, seed: usize) -> LocalPose {
    let number = |joint: usize, k: usize| {
        let n = (joint * 31 + k * 17 + seed * 101) % 257;
        n as f32 / 128.0 - 1.0
    };
    let transform = |joint: usize| Transform {
        translation: Vec3::new(number(joint, 0), number(joint, 1), number(joint, 2)),
        rotation: quat::from_axis_angle(
            Vec3::new(number(joint, 3), 1.5, number(joint, 4)),
            3.0 * number(joint, 5),
        ),
        scale: Vec3::new(0.5 + number(joint, 6), 1.0, number(joint, 7)),
    };
    LocalPose::from_transforms(&(0..joints).map(transform).collect::<Vec<_>>())
}

fn plain(skeleton: &Skeleton, pose: &LocalPose, root: &Affine) -> Vec<Affine> {
    let mut maps: Vec<Affine> = Vec::new();
    for joint in 0..skeleton.len() {
        let parent = skeleton.parent(joint).map_or(*root, |parent| maps[parent]);
        maps.push(parent * pose.get(joint).to_affine());
    }
    maps
}

fn bits(maps: &[Affine]) -> Vec<u32> {
    let numbers = maps.iter().flat_map(|m| m.rows.as_flattened());
    numbers.map(|x| x.to_bits()).collect()
}

proptest! {
    #[test]
    fn every_instruction_set_gives_the_bits_of_the_plain_products(
        parents in prop::collection::vec(any::<u8>(), 1..70),
        seed in 0..1000_usize,
    ) {
        let skeleton = skeleton(&parents);
        let pose = pose(parents.len(), seed);
        let root = pose.get(0).to_affine();
        let expected = bits(&plain(&skeleton, &pose, &root));
        for level in Level::all() {
            let mut model = ModelPose::identity(0);
            model.update_at(level, skeleton.hierarchy(), &pose, &root).expect("of this skeleton");
            prop_assert_eq!(&bits(model.as_slice()), &expected, "{}", level);
        }
    }

    #[test]
    fn updating_below_a_joint_is_updating_all(
        parents in prop::collection::vec(any::<u8>(), 1..40),
        top in any::<prop::sample::Index>(),
    ) {
        let skeleton = skeleton(&parents);
        let joints = skeleton.len();
        let (mut changed, other) = (pose(joints, 1), pose(joints, 2));
        let mut model = ModelPose::identity(joints);
        model.update(skeleton.hierarchy(), &changed, &Affine::IDENTITY).expect("of this skeleton");
        let top = top.index(joints);
        let below = |joint: usize| skeleton.hierarchy().ancestors(joint).any(|a| a == top);
        for joint in (0..joints).filter(|&joint| below(joint)) {
            changed.set(joint, other.get(joint));
        }
        model.update_below(top, skeleton.hierarchy(), &changed, &Affine::IDENTITY).expect("of this skeleton");
        let expected = plain(&skeleton, &changed, &Affine::IDENTITY);
        prop_assert_eq!(bits(model.as_slice()), bits(&expected));
    }

    #[test]
    fn a_palette_has_the_bits_of_the_plain_products(
        parents in prop::collection::vec(any::<u8>(), 1..40),
        seed in 0..1000_usize,
    ) {
        let skeleton = skeleton(&parents);
        let mut skin = Skin::bound_at(skeleton.rest_model().as_slice());
        skin.joints.reverse();
        let inverse_binds = pose(skeleton.len(), seed + 1);
        skin.joint_from_model = inverse_binds.iter().map(|t| t.to_affine()).collect();
        let mut model = ModelPose::identity(0);
        model.update(skeleton.hierarchy(), &pose(skeleton.len(), seed), &Affine::IDENTITY).expect("of this skeleton");
        let mut palette = Palette::default();
        palette.update(&skin, model.as_slice()).expect("of this skeleton");
        let joints = skin.joints.iter().zip(&skin.joint_from_model);
        let expected: Vec<Affine> = joints.map(|(&j, m)| *model.get(j) * *m).collect();
        prop_assert_eq!(bits(palette.as_slice()), bits(&expected));
    }

    #[test]
    fn a_crowd_gives_the_bits_of_its_characters(
        parents in prop::collection::vec(any::<u8>(), 1..40),
        characters in 1..40_usize,
    ) {
        let skeleton = skeleton(&parents);
        let joints = skeleton.len();
        for level in Level::all() {
            let mut maps = vec![Affine::ZERO; characters * joints];
            Crowd::at(level, &skeleton)
                .pose(&mut maps, |character, out| out.copy_from(&pose(joints, character)))
                .expect("fits");
            for (character, maps) in maps.chunks(joints).enumerate() {
                let expected = plain(&skeleton, &pose(joints, character), &Affine::IDENTITY);
                prop_assert_eq!(bits(maps), bits(&expected), "{} {}", level, character);
            }
        }
    }
}

#[test]
fn lanes_can_be_set_and_read_one_by_one() {
    let skeleton = skeleton(&[0, 3, 3, 3, 200, 77, 5, 8, 1]);
    for level in Level::all() {
        let mut crowd = Crowd::at(level, &skeleton);
        for lane in 0..16 {
            crowd
                .set(lane, &pose(skeleton.len(), lane))
                .expect("of this skeleton");
        }
        crowd.update();
        for lane in 0..16 {
            let expected = plain(&skeleton, &pose(skeleton.len(), lane), &Affine::IDENTITY);
            let maps: Vec<Affine> = (0..skeleton.len())
                .map(|j| crowd.get(lane, j).expect("a lane and a joint"))
                .collect();
            assert_eq!(bits(&maps), bits(&expected), "{level} {lane}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let skeleton = skeleton(&[0, 9, 9]);
    let mut crowd = Crowd::new(&skeleton);
    let mut maps = vec![Affine::IDENTITY; 7];
    let ragged = crowd.pose(&mut maps, |_, _| ());
    assert_eq!(ragged, Err(CrowdError::Ragged { maps: 7, joints: 3 }));
    let other = crowd.pose(&mut maps[..6], |character, pose| {
        if character == 1 {
            *pose = LocalPose::identity(2);
        }
    });
    let expected = CrowdError::OtherPose {
        character: 1,
        has: 2,
        joints: 3,
    };
    assert_eq!(other, Err(expected));
    assert_eq!(crowd.pose(&mut [], |_, _| ()), Ok(()));
}
