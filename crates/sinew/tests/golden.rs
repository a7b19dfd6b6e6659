//! One hash over all steps from clip to model pose: sampling, packed sampling, blending, a graph
//! and forward kinematics. It is equal on all instruction sets, thread counts and build profiles.
//! Only an intended change of poses changes the hash.

use sinew::blend::{BlendJob, Ease, Layer, Mask};
use sinew::clip::packed::PackedClip;
use sinew::graph::{Condition, Graph, State, StateMachine, Transition};
use sinew::simd::Level;
use sinew::{Affine, LocalPose, ModelPose, Playable, sample};
use sinew_pack::{PackOptions, pack};
use sinew_samples::{MotionLoad, humanoid_character};
use std::sync::Arc;

const GOLDEN: u64 = 0xc74d_f13e_b19e_af8b;
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

    fn poses(&self, level: Level, which: std::ops::Range<usize>) -> Vec<u64> {
        let skeleton = &self.load.skeleton;
        let packed = self.packed.clone().at_level(level);
        let mut sampled = skeleton.rest().clone();
        let (mut decoded, mut blended) = (sampled.clone(), sampled.clone());
        let mut model = ModelPose::identity(skeleton.len());
        let hash_at = |nth: usize| {
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
            let mut hash = Hash::new();
            hash.add_maps(model.as_slice());
            hash.0
        };
        which.map(hash_at).collect()
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

    fn hash(&self, level: Level, threads: usize) -> u64 {
        let share = TIMES.div_ceil(threads);
        let parts: Vec<Vec<u64>> = std::thread::scope(|scope| {
            let part = |n: usize| n * share..((n + 1) * share).min(TIMES);
            let started: Vec<_> = (0..threads)
                .map(|n| scope.spawn(move || self.poses(level, part(n))))
                .collect();
            let join = |t: std::thread::ScopedJoinHandle<'_, _>| t.join().expect("no panic");
            started.into_iter().map(join).collect()
        });
        let mut hash = Hash::new();
        for part in parts.concat() {
            hash.add(part);
        }
        hash.add(self.graph(level));
        hash.0
    }
}

#[test]
fn poses_are_the_same_bits_on_every_instruction_set_and_any_number_of_threads() {
    let line = Line::new();
    for level in Level::all() {
        for threads in [1, 3] {
            let hash = line.hash(level, threads);
            assert_eq!(hash, GOLDEN, "{hash:#018x} on {level}, {threads} threads");
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
