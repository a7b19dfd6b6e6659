//! Dual quaternion skinning of scaling joints: results of an independent program, and properties.

use super::*;
use crate::foreign::oracle;
use sinew::simd::Level;
use sinew::skin::{PaletteRef, SkinJob, SkinPlan, Streams, WeightFormat};

pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(super) fn signed(&mut self) -> f32 {
        (self.next() % 2_000_001) as f32 * 1e-6 - 1.0
    }

    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(super) fn turn(&mut self, max_degrees: f32) -> Quat {
        let axis = (self.vector() + Vec3::X * 1e-3).normalize();
        turn(axis, max_degrees * self.signed())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Rigid,
    /// Each joint by 0.01 to 100.
    Uniform,
    /// Each joint along its own axes, by 1/4 to 4.
    Axes,
    /// One joint with its descendants, mirrored in a point.
    Mirrored,
    /// One joint scaled to 0.
    Zero,
}

pub(super) const KINDS: [Kind; 5] = [
    Kind::Rigid,
    Kind::Uniform,
    Kind::Axes,
    Kind::Mirrored,
    Kind::Zero,
];

pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skin: Skin,
    pub(super) pose: ModelPose,
    pub(super) influences: Influences,
    pub(super) bind: Vec<Vec3>,
}

impl Rig {
    pub(super) fn new(seed: u64, kind: Kind) -> Self {
        let mut random = Random(seed | 1);
        let count = 8;
        let joints = (0..count).map(|j| {
            let parent = (j > 0).then(|| random.below(j));
            let rest = Transform::from_rotation_translation(random.turn(180.0), random.vector());
            Joint::new(j.to_string(), parent, rest)
        });
        let (skeleton, _) = Skeleton::new(joints.collect()).expect("a tree");
        let rest = skeleton.rest_model();
        let mut pose = rest.clone();
        let mut turns = vec![Quat::IDENTITY; count];
        let mut mirrored = vec![false; count];
        for j in 0..count {
            let parent = skeleton.hierarchy().parent(j);
            turns[j] = quat::mul(
                parent.map_or(Quat::IDENTITY, |p| turns[p]),
                random.turn(60.0),
            );
            mirrored[j] = kind == Kind::Mirrored && (j == 2 || parent.is_some_and(|p| mirrored[p]));
            let scale = match kind {
                Kind::Rigid => Vec3::ONE,
                Kind::Uniform => Vec3::splat(10_f32.powf(2.0 * random.signed())),
                Kind::Axes => random.vector().map(|x| 4_f32.powf(x)),
                Kind::Mirrored => Vec3::splat(if mirrored[j] { -1.0 } else { 1.0 }),
                Kind::Zero => Vec3::splat(if j == 3 { 0.0 } else { 1.0 }),
            };
            let place = rest.get(j).translation();
            let stretch = Affine::from_translation(place)
                * Transform {
                    rotation: turns[j],
                    scale,
                    translation: random.vector() * 0.3,
                }
                .to_affine()
                * Affine::from_translation(-place);
            pose.as_mut_slice()[j] = stretch * *rest.get(j);
        }
        let bind: Vec<Vec3> = (0..60).map(|_| random.vector() * 1.5).collect();
        let lists: Vec<Vec<_>> = bind
            .iter()
            .map(|_| {
                let many = 2 + random.below(3);
                let influence = |r: &mut Random| (r.below(count) as u16, 1.1 + r.signed());
                (0..many).map(|_| influence(&mut random)).collect()
            })
            .collect();
        Self {
            skin: Skin::bound_at(skeleton.rest_model().as_slice()),
            influences: influences(&lists),
            skeleton,
            pose,
            bind,
        }
    }

    fn palette(&self, pose: &ModelPose) -> DualQuatPalette {
        let mut palette = DualQuatPalette::new(
            self.skeleton.hierarchy(),
            self.skeleton.rest_model().as_slice(),
            &self.skin,
        )
        .expect("of this skeleton");
        palette.update(pose.as_slice()).expect("of this skeleton");
        palette
    }

    fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.bind,
            normals: None,
            tangents: None,
        }
    }

    pub(super) fn skinned(&self, pose: &ModelPose) -> Vec<Vec<Vec3>> {
        let palette = self.palette(pose);
        let plan = SkinPlan::new(&self.influences, WeightFormat::F32);
        let mut positions = self.bind.clone();
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: None,
            tangents: None,
        };
        dual_quat(&palette, &plan.influences(), &self.vertices(), &mut out).unwrap();
        let mut all = vec![positions];
        let streams = Streams::gather(&plan, &self.vertices()).unwrap();
        for level in Level::all() {
            let mut posed = streams.clone();
            let job = SkinJob {
                level,
                ..SkinJob::new(&plan, PaletteRef::DualQuat(&palette), &streams)
            };
            job.run(&mut posed).unwrap();
            let mut positions = self.bind.clone();
            posed.scatter_positions(&plan, &mut positions);
            all.push(positions);
        }
        all
    }

    fn linear(&self) -> Vec<Vec3> {
        let mut palette = Palette::default();
        palette
            .update(&self.skin, self.pose.as_slice())
            .expect("of this skeleton");
        let mut positions = self.bind.clone();
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: None,
            tangents: None,
        };
        linear(
            palette.as_slice(),
            &self.influences,
            &self.vertices(),
            &mut out,
        )
        .unwrap();
        positions
    }

    fn moved(&self, by: &Affine) -> ModelPose {
        let mut pose = self.pose.clone();
        for map in pose.as_mut_slice() {
            *map = *by * *map;
        }
        pose
    }
}

/// Longest side of the bounding box, or its distance from the origin if larger.
fn size(places: &[Vec3]) -> f32 {
    let (low, high) = places
        .iter()
        .fold((places[0], places[0]), |(l, h), p| (l.min(*p), h.max(*p)));
    let outside = low.max(Vec3::ZERO) - high.min(Vec3::ZERO);
    (high - low).max_element().max(outside.length())
}

#[track_caller]
fn assert_near(found: &[Vec3], wanted: &[Vec3], part: f32, what: &str) {
    let allowed = part * size(wanted);
    for (vertex, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let off = found.distance(*wanted);
        assert!(
            off <= allowed,
            "{what}: vertex {vertex} off by {off} of {allowed}"
        );
    }
}

fn vec3(json: &serde_json::Value) -> Vec3 {
    let at = |i: usize| json[i].as_f64().expect("a number") as f32;
    Vec3::new(at(0), at(1), at(2))
}

#[test]
fn an_independent_program_gives_the_same_on_twelve_rigs() {
    let Some(path) = oracle("dqs_scale.json") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let list = |json: &serde_json::Value| json.as_array().expect("a list").clone();
    for case in list(&document["cases"]) {
        let binds: Vec<Vec3> = list(&case["bind_position"]).iter().map(vec3).collect();
        let parents = list(&case["parent"]);
        let joints = parents.iter().enumerate().map(|(j, parent)| {
            let parent = parent.as_i64().and_then(|p| usize::try_from(p).ok());
            let offset = binds[j] - parent.map_or(Vec3::ZERO, |p| binds[p]);
            Joint::new(j.to_string(), parent, Transform::from_translation(offset))
        });
        let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
        let mut pose = skeleton.rest_model();
        for (j, rows) in list(&case["palette_rows"]).iter().enumerate() {
            let row = |i: usize| [0, 1, 2, 3].map(|k| rows[i][k].as_f64().unwrap() as f32);
            let model_from_bind = Affine::from_rows([row(0), row(1), row(2)]);
            pose.as_mut_slice()[j] = model_from_bind * *pose.get(j);
        }
        let vertices = list(&case["vertices"]);
        let influence = |v: &serde_json::Value| {
            let joints = list(&v["joints"]);
            let weights = list(&v["weights"]);
            let pair = |(j, w): (&serde_json::Value, &serde_json::Value)| {
                (j.as_u64().unwrap() as u16, w.as_f64().unwrap() as f32)
            };
            joints.iter().zip(&weights).map(pair).collect::<Vec<_>>()
        };
        let lists: Vec<_> = vertices.iter().map(influence).collect();
        let of = |name: &str| -> Vec<Vec3> { vertices.iter().map(|v| vec3(&v[name])).collect() };
        let rig = Rig {
            skin: Skin::bound_at(skeleton.rest_model().as_slice()),
            influences: influences(&lists),
            bind: of("bind"),
            skeleton,
            pose,
        };
        let name = case["name"].as_str().unwrap();
        assert_near(&rig.linear(), &of("linear"), 2e-6, name);
        for found in rig.skinned(&rig.pose) {
            assert_near(&found, &of("dual"), 2e-6, name);
        }
    }
}

proptest! {
    #[test]
    fn a_similarity_of_the_pose_is_one_of_the_shape(
        seed in any::<u64>(), kind in 0..KINDS.len(), digits in -3.0_f32..3.0, mirrored in any::<bool>(),
    ) {
        let rig = Rig::new(seed, KINDS[kind]);
        let mut random = Random(seed | 3);
        let whole = Transform {
            translation: random.vector() * 3.0,
            rotation: random.turn(180.0),
            scale: Vec3::splat(10_f32.powf(digits)),
        }
        .to_affine();
        let mirror = Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
        let whole = if mirrored { whole * mirror } else { whole };
        let before = rig.skinned(&rig.pose);
        let after = rig.skinned(&rig.moved(&whole));
        for (before, after) in before.iter().zip(&after) {
            let wanted: Vec<_> = before.iter().map(|p| whole.transform_point(*p)).collect();
            assert_near(after, &wanted, 1e-5, &format!("{:?}", KINDS[kind]));
        }
    }

    #[test]
    fn the_unit_of_mesh_and_inverse_binds_does_not_matter(
        seed in any::<u64>(), kind in 0..KINDS.len(), digits in -3.0_f32..3.0,
    ) {
        let rig = Rig::new(seed, KINDS[kind]);
        let unit = 10_f32.powf(digits);
        let shrink = Transform { scale: Vec3::splat(1.0 / unit), ..Transform::IDENTITY }.to_affine();
        let mut other = Rig::new(seed, KINDS[kind]);
        for p in &mut other.bind {
            *p *= unit;
        }
        for joint_from_model in &mut other.skin.joint_from_model {
            *joint_from_model = *joint_from_model * shrink;
        }
        for (wanted, found) in rig.skinned(&rig.pose).iter().zip(&other.skinned(&other.pose)) {
            assert_near(found, wanted, 1e-5, &format!("{:?}", KINDS[kind]));
        }
    }

    #[test]
    fn a_vertex_stays_near_its_linear_blend(seed in any::<u64>(), kind in 0..KINDS.len()) {
        let rig = Rig::new(seed, KINDS[kind]);
        let palette = rig.palette(&rig.pose);
        let mut matrices = Palette::default();
        matrices.update(&rig.skin, rig.pose.as_slice()).expect("of this skeleton");
        let straight = rig.linear();
        for found in rig.skinned(&rig.pose) {
            let rounding = 1e-5 * size(&straight);
            for vertex in 0..rig.bind.len() {
                let joints: Vec<_> = rig.influences.get(vertex).map(|(j, _)| j).collect();
                let x = rig.bind[vertex];
                let far = |&j: &usize| x.distance(rig.skin.bind_position(j));
                let lever = joints.iter().map(far).fold(0.0, f32::max);
                let (mut spread, mut widest) = (0.0_f32, 0.0_f32);
                for &i in &joints {
                    for &j in &joints {
                        let (a, b) = (&matrices.as_slice()[i], &matrices.as_slice()[j]);
                        let apart = a.transform_point(x).distance(b.transform_point(x));
                        let differ = (0..3).flat_map(|r| (0..3).map(move |c| a.rows[r][c] - b.rows[r][c]));
                        let norm = differ.map(|d| d * d).sum::<f32>().sqrt();
                        spread = spread.max(apart + lever * norm);
                        let (p, q) = (palette.joint(i).rotation, palette.joint(j).rotation);
                        widest = widest.max(2.0 * p.dot(q).clamp(-1.0, 1.0).acos().to_degrees());
                    }
                }
                let off = found[vertex].distance(straight[vertex]);
                prop_assert!(widest >= 170.0 || off <= 0.75 * spread + rounding, "{off} of {spread}");
            }
        }
    }

    #[test]
    fn joints_that_a_vertex_does_not_hang_on_leave_it_alone(seed in any::<u64>(), kind in 0..KINDS.len(), joint in 0_usize..8) {
        let rig = Rig::new(seed, KINDS[kind]);
        let mut random = Random(seed | 5);
        let mut pose = rig.pose.clone();
        let odd = Transform {
            translation: random.vector(),
            rotation: random.turn(180.0),
            scale: Vec3::new(-0.3, 2.0, 5.0),
        };
        pose.as_mut_slice()[joint] = odd.to_affine() * *pose.get(joint);
        let hierarchy = rig.skeleton.hierarchy();
        let hangs = |vertex: usize| {
            let mut joints = rig.influences.get(vertex);
            joints.any(|(j, _)| hierarchy.ancestors(j).any(|a| a == joint))
        };
        for (before, after) in rig.skinned(&rig.pose).iter().zip(&rig.skinned(&pose)) {
            let allowed = 1e-6 * size(before);
            for vertex in (0..rig.bind.len()).filter(|&v| !hangs(v)) {
                prop_assert!(before[vertex].distance(after[vertex]) <= allowed);
            }
        }
    }
}

fn largest_step(poses: impl Iterator<Item = ModelPose>, rig: &Rig) -> f32 {
    let mut before: Option<Vec<Vec<Vec3>>> = None;
    let mut largest = 0.0_f32;
    for pose in poses {
        let now = rig.skinned(&pose);
        let all = || now.iter().flatten();
        assert!(all().all(|p| p.is_finite()), "not finite");
        if let Some(before) = before {
            let steps = all()
                .zip(before.iter().flatten())
                .map(|(a, b)| a.distance(*b));
            largest = steps.fold(largest, f32::max);
        }
        before = Some(now);
    }
    largest
}

#[test]
fn a_joint_that_shrinks_to_nothing_and_turns_inside_out_moves_nothing_by_a_jump() {
    let rig = Rig::new(11, Kind::Rigid);
    // Joint 3 keeps the rotation of its parent, because a map of rank 0 has no rotation.
    let parent = rig.skeleton.hierarchy().parent(3).expect("not the root");
    let rest = rig.skeleton.rest_model();
    let steps = 400;
    let poses = (0..=steps).map(|step| {
        let mut pose = rig.pose.clone();
        let place = rest.get(3).translation();
        let scale = Transform {
            scale: Vec3::splat(1.0 - 2.0 * step as f32 / steps as f32),
            ..Transform::IDENTITY
        };
        let about =
            Affine::from_translation(place) * scale.to_affine() * Affine::from_translation(-place);
        let carried = *pose.get(parent) * rest.get(parent).inverse().unwrap();
        pose.as_mut_slice()[3] = carried * about * *rest.get(3);
        pose
    });
    let largest = largest_step(poses, &rig);
    // From 1 to −1, no vertex moves farther than about twice its distance from the joint.
    assert!(largest < 4.0 * 6.0 / steps as f32, "{largest}");
}

#[test]
fn a_joint_mirrored_against_its_parent_turns_without_a_jump() {
    let rig = Rig::new(23, Kind::Rigid);
    let rest = rig.skeleton.rest_model();
    for scale in [
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::splat(-1.0),
    ] {
        let steps = 300;
        let poses = (0..=steps).map(|step| {
            let turned = Transform {
                rotation: turn(Vec3::Z, 120.0 * step as f32 / steps as f32 - 60.0),
                scale,
                translation: Vec3::ZERO,
            };
            let mut pose = rest.clone();
            let place = rest.get(1).translation();
            let about = Affine::from_translation(place)
                * turned.to_affine()
                * Affine::from_translation(-place);
            for joint in 1..rig.skeleton.len() {
                if rig.skeleton.hierarchy().ancestors(joint).any(|a| a == 1) {
                    pose.as_mut_slice()[joint] = about * *rest.get(joint);
                }
            }
            pose
        });
        let largest = largest_step(poses, &rig);
        let step_rad = 120_f32.to_radians() / steps as f32;
        assert!(largest < 10.0 * step_rad, "{scale}: {largest}");
    }
}
