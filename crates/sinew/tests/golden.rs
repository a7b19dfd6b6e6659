//! A hash for each stage from clip to model pose: sampling, packed sampling, blending, inverse
//! kinematics, forward kinematics and a graph. Hashes are equal on all instruction sets, thread
//! counts and build profiles. Only an intended change of poses changes a hash, and the name of the
//! hash says in which stage.

use glam::Vec3;
use sinew::blend::{BlendJob, Ease, Layer, Mask};
use sinew::clip::packed::PackedClip;
use sinew::graph::{Condition, Graph, State, StateMachine, Transition};
use sinew::ik::{Ccd, Chain, Fabrik, Tip, TwoBone, ccd, fabrik, two_bone};
use sinew::simd::Level;
use sinew::{Affine, LocalPose, ModelPose, Playable, Skeleton, Transform, sample};
use sinew_pack::{PackOptions, pack};
use sinew_samples::{MotionLoad, humanoid_character};
use std::sync::Arc;

const STAGES: [(&str, u64); 6] = [
    ("sample", 0x82fc_d74c_e529_9aff),
    ("packed", 0xa76a_8361_9185_c227),
    ("blend", 0xa6c3_ed62_7aa6_1c31),
    ("ik", 0xf70c_eebf_59ad_47e3),
    ("forward", 0x656d_1a35_633d_faf1),
    ("graph", 0xc54e_9a40_a631_157f),
];
/// Number of stages before the graph.
const POSES: usize = STAGES.len() - 1;
const TIMES: usize = 1000;

/// FNV-1a (Fowler, Noll and Vo) over the bits of numbers.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_pose(&mut self, pose: &LocalPose) {
        for joint in 0..pose.len() {
            let Transform {
                translation: t,
                rotation: r,
                scale: s,
            } = pose.get(joint);
            for x in [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z] {
                self.add(u64::from(x.to_bits()));
            }
        }
    }

    fn add_maps(&mut self, maps: &[Affine]) {
        for x in maps.iter().flat_map(|m| m.rows.as_flattened()) {
            self.add(u64::from(x.to_bits()));
        }
    }
}

struct Line {
    load: MotionLoad,
    packed: PackedClip<'static>,
    mask: Mask,
    graph: Graph,
}

impl Line {
    fn new() -> Self {
        let load = MotionLoad::new(300);
        let packed = pack(&load.skeleton, &load.clip, &PackOptions::default());
        let person = humanoid_character();
        let machine = StateMachine::new()
            .parameter("speed", 0.0)
            .state(State::clip("stand", "walk"))
            .state(State::blend(
                "move",
                "speed",
                &[(1.0, "walk"), (3.0, "walk")],
            ))
            .transition(
                Transition::new("stand", "move")
                    .when(Condition::above("speed", 1.0))
                    .inertia(0.3),
            )
            .transition(
                Transition::new("move", "stand")
                    .when(Condition::below("speed", 1.0))
                    .cross_fade(0.5, Ease::Smooth),
            );
        let clip: Arc<dyn Playable> = Arc::new(person.clips[0].clone());
        let skeleton = Arc::new(person.skeleton.clone());
        let graph = Graph::new(&machine, &skeleton, &[clip]).expect("a good graph");
        Self {
            mask: Mask::below(&load.skeleton, 9),
            packed: packed.expect("packs").clip,
            load,
            graph,
        }
    }

    /// Hashes of all stages but the graph, for each time.
    fn poses(&self, level: Level, times: std::ops::Range<usize>) -> Vec<[u64; POSES]> {
        let skeleton = &self.load.skeleton;
        let packed = self.packed.clone().at_level(level);
        let mut sampled = skeleton.rest().clone();
        let (mut decoded, mut blended) = (sampled.clone(), sampled.clone());
        let mut model = ModelPose::identity(skeleton.len());
        let mut arms = [1, 15].map(|base| {
            Chain::new(skeleton, base, Tip::of(base + 6)).expect("a chain of seven joints")
        });
        let hashes_at = |nth: usize| {
            let time = nth as f64 * 0.0053 - 0.1;
            sample(&self.load.clip, skeleton, time, &mut sampled).unwrap();
            packed.sample(5.0 - time, &mut decoded);
            let weight = (nth % 11) as f32 / 10.0;
            let mut layers = [
                Layer::new(&sampled, 1.0 - weight),
                Layer::new(&decoded, weight).masked(&self.mask),
                Layer::new(skeleton.rest(), 0.1),
            ];
            let job = BlendJob {
                level,
                ..BlendJob::new(skeleton.rest(), &mut layers)
            };
            job.run(&mut blended).expect("fits");
            model
                .update_at(level, skeleton.hierarchy(), &blended, &Affine::IDENTITY)
                .expect("of this skeleton");
            let mut hashes = [Hash::new(); POSES];
            hashes[0].add_pose(&sampled);
            hashes[1].add_pose(&decoded);
            hashes[2].add_pose(&blended);
            reach(skeleton, &mut blended, &mut arms, nth);
            hashes[3].add_pose(&blended);
            hashes[4].add_maps(model.as_slice());
            hashes.map(|hash| hash.0)
        };
        times.map(hashes_at).collect()
    }

    fn graph(&self, level: Level) -> u64 {
        let skeleton = self.graph.skeleton();
        let mut player = self.graph.player();
        player.level = level;
        let mut pose = LocalPose::identity(skeleton.len());
        let mut model = ModelPose::identity(skeleton.len());
        let mut hash = Hash::new();
        for step in 0..600 {
            let speed = (step % 97) as f32 / 40.0;
            player.set("speed", speed).expect("a parameter");
            let played = player.update(0.004 * (1 + step % 7) as f64, |_| ());
            played.expect("a step");
            player.pose_into(&mut pose).expect("as many joints");
            model
                .update_at(level, skeleton.hierarchy(), &pose, &Affine::IDENTITY)
                .expect("of this skeleton");
            hash.add_maps(model.as_slice());
        }
        hash.0
    }

    fn hashes(&self, level: Level, threads: usize) -> [u64; STAGES.len()] {
        let share = TIMES.div_ceil(threads);
        let parts: Vec<Vec<_>> = std::thread::scope(|scope| {
            let part = |n: usize| n * share..((n + 1) * share).min(TIMES);
            let started: Vec<_> = (0..threads)
                .map(|n| scope.spawn(move || self.poses(level, part(n))))
                .collect();
            let join = |t: std::thread::ScopedJoinHandle<'_, _>| t.join().expect("no panic");
            started.into_iter().map(join).collect()
        });
        let mut hashes = [Hash::new(); STAGES.len()];
        for (stage, hash) in parts.iter().flatten().flat_map(|h| h.iter().enumerate()) {
            hashes[stage].add(*hash);
        }
        hashes[POSES].add(self.graph(level));
        hashes.map(|hash| hash.0)
    }
}

/// Solves two bones and both chains towards goals that move, some of them out of reach.
fn reach(skeleton: &Skeleton, pose: &mut LocalPose, arms: &mut [Chain; 2], nth: usize) {
    let goal = Vec3::new(0.2, 0.001 * nth as f32 - 0.3, 0.01 * (nth % 37) as f32);
    let parent = Affine::IDENTITY;
    let leg = TwoBone::new(29, 30, Tip::of(31), goal);
    two_bone(skeleton, pose, &parent, &leg).expect("two bones");
    let [left, right] = arms;
    ccd(skeleton, pose, &parent, Ccd::new(left, goal)).expect("a chain");
    fabrik(skeleton, pose, &parent, Fabrik::new(right, goal)).expect("a chain");
}

#[test]
fn poses_are_the_same_bits_on_every_instruction_set_and_any_number_of_threads() {
    let line = Line::new();
    for level in Level::all() {
        for threads in [1, 3] {
            for ((stage, golden), hash) in STAGES.iter().zip(line.hashes(level, threads)) {
                assert_eq!(
                    hash, *golden,
                    "{stage} is {hash:#018x} on {level}, {threads} threads"
                );
            }
        }
    }
}

#[test]
fn the_packed_bytes_are_the_same_too() {
    let line = Line::new();
    let again = Line::new();
    assert_eq!(line.packed.motion_bytes(), again.packed.motion_bytes());
    assert_eq!(
        line.poses(Level::best(), 0..50),
        again.poses(Level::best(), 0..50)
    );
}
