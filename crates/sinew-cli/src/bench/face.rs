//! A frame through `Rig` and `Actor`, compared with direct calls of the same jobs; and crowds of state machines.

use super::table::Bench;
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::blend::{BlendJob, Layer};
use sinew::clip::packed::PackedClip;
use sinew::graph::{Graph, GraphPlayer, State, StateMachine};
use sinew::ik::{Aim, Share, Tip, TwoBone, aim, two_bone};
use sinew::pose::JointSet;
use sinew::rig::CrowdPlayer;
use sinew::skin::{
    DualQuatPalette, Influences, Layout, Order, PaletteRef, SkinJob, SkinPlan, Streams,
    WeightFormat,
};
use sinew::{Affine, Character, Crowd, LocalPose, Method, ModelPose, Playable, Rig, Skeleton};
use sinew_pack::{PackOptions, pack};
use sinew_samples::mannequin::Mannequin;
use std::hint::black_box;
use std::sync::Arc;

const STEP_SECS: f64 = 1.0 / 60.0;
const CHARACTERS: usize = 1000;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    let names = ["face/frame", "crowd/graph", "crowd/palettes", "crowd/far"];
    if !names.iter().any(|name| bench.wants(name)) {
        return Ok(());
    }
    let character = Mannequin::default().build();
    let clips = ["walk", "run"].map(|name| packed(&character, name));
    let [walk, run] = clips;
    let clips = [walk?, run?].map(Arc::new);
    let playable = clips
        .iter()
        .map(|clip| Arc::clone(clip) as Arc<dyn Playable>);
    let rig = Rig::with_clips(&character, Method::DualQuat, playable.collect())?;
    let machine = StateMachine::new()
        .parameter("speed", 2.2)
        .state(State::blend(
            "move",
            "speed",
            &[(1.4, "walk"), (3.5, "run")],
        ));
    let graph = machine.build(&rig)?;
    if bench.wants(names[0]) {
        frame(bench, names[0], &character, &rig, &clips, graph.player())?;
    }
    if bench.wants(names[1]) {
        crowd(bench, names[1], &rig, &clips, &graph)?;
    }
    if bench.wants(names[2]) {
        let rig = Rig::with_clips(&character, Method::Linear, rig.clips().to_vec())?;
        palettes(bench, names[2], &rig, &machine.build(&rig)?)?;
    }
    if bench.wants(names[3]) {
        without_fingers(bench, names[3], &rig, &graph)?;
    }
    Ok(())
}

fn packed(character: &Character, name: &str) -> Result<PackedClip<'static>> {
    let clip = character.clips.iter().find(|clip| clip.name == name);
    let clip = clip.context("the mannequin walks and runs")?;
    let packed = pack(&character.skeleton, clip, &PackOptions::default())?;
    Ok(packed.clip)
}

/// Measures a frame: a state machine of two packed clips, an arm that reaches, a head that looks, and dual quaternion
/// skinning into an interleaved buffer. The plain code runs the same jobs without `Rig` and `Actor`. Items are frames.
fn frame(
    bench: &mut Bench<'_>,
    name: &str,
    character: &Character,
    rig: &Rig,
    clips: &[Arc<PackedClip<'static>>; 2],
    mut player: GraphPlayer,
) -> Result<()> {
    let reach = Reach::new(rig.skeleton())?;
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0_f32; rig.vertices() * layout.stride];
    let mut hero = rig.actor();
    let mut through_face = || -> Result<()> {
        player.update(STEP_SECS, |_| ())?;
        player.pose(&mut hero)?;
        hero.solve(&reach.arm)?;
        hero.solve(&reach.look())?;
        hero.skin_into(black_box(&mut buffer), &layout)?;
        Ok(())
    };
    through_face()?;
    let mut bare = BareFrame::new(character, rig, clips)?;
    let mut own = vec![0.0_f32; rig.vertices() * layout.stride];
    let mut by_hand = || bare.run(&reach, &layout, black_box(&mut own));
    by_hand()?;
    let [face, bare] = bench.fastest([&mut || _ = through_face(), &mut || _ = by_hand()]);
    bench.add_motion(name, 1, face, bare);
    Ok(())
}

struct Reach {
    arm: TwoBone,
    shares: [Share; 2],
    head: usize,
}

impl Reach {
    fn new(skeleton: &Skeleton) -> Result<Self> {
        let joint = |name: &str| skeleton.find(name).context("a joint of the mannequin");
        let [upper, lower] = [joint("left_upper_arm")?, joint("left_lower_arm")?];
        let goal = Vec3::new(0.4, 1.2, 0.3);
        let share = |joint, part| Share { joint, part };
        Ok(Self {
            arm: TwoBone::new(upper, lower, Tip::of(joint("left_hand")?), goal),
            shares: [share(joint("neck")?, 0.4), share(joint("head")?, 0.6)],
            head: joint("head")?,
        })
    }

    fn look(&self) -> Aim<'_> {
        Aim {
            shares: &self.shares,
            eye: Tip::of(self.head),
            axis: Vec3::Z,
            target_in_model: Vec3::new(1.0, 1.6, 3.0),
            up: None,
            weight: 1.0,
        }
    }
}

struct BareFrame<'a> {
    skeleton: &'a Skeleton,
    clips: &'a [Arc<PackedClip<'static>>; 2],
    time_secs: f64,
    samples: [LocalPose; 2],
    local: LocalPose,
    model: ModelPose,
    palettes: Vec<DualQuatPalette>,
    parts: Vec<BarePart>,
}

struct BarePart {
    skin: Option<usize>,
    joint: usize,
    plan: SkinPlan,
    bind: Streams,
    first_vertex: usize,
}

impl<'a> BareFrame<'a> {
    fn new(
        character: &'a Character,
        rig: &Rig,
        clips: &'a [Arc<PackedClip<'static>>; 2],
    ) -> Result<Self> {
        let skeleton = &character.skeleton;
        let rest = skeleton.rest_model();
        let palette = |skin| DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), skin);
        let palettes = character.skins.iter().map(palette);
        let mut parts = Vec::new();
        for part in rig.parts() {
            let node = &character.nodes[part.node];
            let (surface, skin) = (part.surface(), node.skin);
            let plan = match &surface.influences {
                Some(influences) if skin.is_some() => SkinPlan::new(influences, WeightFormat::F32),
                _ => {
                    let alone = vec![vec![(0, 1.0)]; surface.len()];
                    SkinPlan::new(&Influences::from_lists(&alone, 1)?.0, WeightFormat::F32)
                }
            };
            parts.push(BarePart {
                skin,
                joint: node.joint.unwrap_or(0),
                bind: Streams::gather(&plan, &surface.vertices())?,
                plan,
                first_vertex: part.vertices().start,
            });
        }
        Ok(Self {
            skeleton,
            clips,
            time_secs: 0.0,
            samples: [skeleton.rest().clone(), skeleton.rest().clone()],
            local: skeleton.rest().clone(),
            model: rest.clone(),
            palettes: palettes.collect::<Result<_, _>>()?,
            parts,
        })
    }

    fn run(&mut self, reach: &Reach, layout: &Layout, buffer: &mut [f32]) -> Result<()> {
        self.time_secs += STEP_SECS;
        for (clip, pose) in self.clips.iter().zip(&mut self.samples) {
            let duration = f64::from(clip.duration_secs());
            clip.sample(self.time_secs.rem_euclid(duration), pose);
        }
        let [walk, run] = &self.samples;
        let mut layers = [Layer::new(walk, 0.6), Layer::new(run, 0.4)];
        BlendJob::new(self.skeleton.rest(), &mut layers).run(&mut self.local)?;
        let (tree, root) = (self.skeleton.hierarchy(), Affine::IDENTITY);
        self.model.update(tree, &self.local, &root)?;
        let parent_of = |joint: usize, model: &ModelPose| {
            let parent = tree.parent(joint);
            parent.map_or(root, |parent| *model.get(parent))
        };
        let parent = parent_of(reach.arm.upper, &self.model);
        two_bone(self.skeleton, &mut self.local, &parent, &reach.arm)?;
        let first = reach.arm.upper;
        self.model.update_below(first, tree, &self.local, &root)?;
        let first = reach.shares[0].joint;
        let parent = parent_of(first, &self.model);
        aim(self.skeleton, &mut self.local, &parent, &reach.look())?;
        self.model.update_below(first, tree, &self.local, &root)?;
        for palette in &mut self.palettes {
            palette.update(self.model.as_slice())?;
        }
        for part in &self.parts {
            let node_map = [*self.model.get(part.joint)];
            let palette = match part.skin {
                Some(skin) => PaletteRef::DualQuat(&self.palettes[skin]),
                None => PaletteRef::Linear(&node_map),
            };
            let job = SkinJob::new(&part.plan, palette, &part.bind);
            job.run_interleaved_at(buffer, layout, part.first_vertex, None)?;
        }
        Ok(())
    }
}

/// Measures a thousand state machines over packed clips, from a time step to model matrices. The plain code samples,
/// blends and poses the clips directly. Items are characters.
fn crowd(
    bench: &mut Bench<'_>,
    name: &str,
    rig: &Rig,
    clips: &[Arc<PackedClip<'static>>; 2],
    graph: &Graph,
) -> Result<()> {
    let skeleton = rig.skeleton();
    let mut players = vec![graph.crowd_player(); CHARACTERS];
    let mut workspace = graph.workspace();
    for (nth, player) in players.iter_mut().enumerate() {
        player.jump("move", nth as f64 * 0.618_033_988_749_895)?;
    }
    let mut maps = vec![Affine::IDENTITY; CHARACTERS * skeleton.len()];
    let mut lanes = Crowd::at(bench.level, skeleton);
    let mut by_graph = || {
        lanes.pose(black_box(&mut maps), |character, pose| {
            let player = &mut players[character];
            // Finite steps and poses of this skeleton cannot fail.
            let _ = player.update_in(&mut workspace, STEP_SECS, |_| ());
            let _ = player.pose_into_in(&mut workspace, pose);
        })
    };
    by_graph()?;
    let mut own_maps = vec![Affine::IDENTITY; CHARACTERS * skeleton.len()];
    let mut own_lanes = Crowd::at(bench.level, skeleton);
    let rest = skeleton.rest();
    let [mut walking, mut running] = [rest.clone(), rest.clone()];
    let mut time_secs = 0.0;
    let mut by_hand = || {
        time_secs += STEP_SECS;
        own_lanes.pose(black_box(&mut own_maps), |character, pose| {
            let time = time_secs + character as f64 * 0.618_033_988_749_895;
            let [walk, run] = clips;
            walk.sample(
                time.rem_euclid(f64::from(walk.duration_secs())),
                &mut walking,
            );
            run.sample(
                time.rem_euclid(f64::from(run.duration_secs())),
                &mut running,
            );
            let mut layers = [Layer::new(&walking, 0.6), Layer::new(&running, 0.4)];
            let _ = BlendJob::new(rest, &mut layers).run(pose);
        })
    };
    by_hand()?;
    let [graph, hand] = bench.fastest([&mut || _ = by_graph(), &mut || _ = by_hand()]);
    bench.add_motion(name, CHARACTERS, graph, hand);
    Ok(())
}

/// Measures a thousand characters whose clips move no fingers. The plain code moves all joints. Items are characters.
fn without_fingers(bench: &mut Bench<'_>, name: &str, rig: &Rig, graph: &Graph) -> Result<()> {
    let skeleton = rig.skeleton();
    let is_finger = |joint: usize| {
        let mut above = std::iter::successors(skeleton.parent(joint), |&j| skeleton.parent(j));
        above.any(|j| skeleton.name(j).ends_with("_hand"))
    };
    let moved: JointSet = (0..skeleton.len()).map(|j| !is_finger(j)).collect();
    let moved = Arc::new(moved);
    let mut near = vec![graph.crowd_player(); CHARACTERS];
    for (nth, player) in near.iter_mut().enumerate() {
        player.jump("move", nth as f64 * 0.618_033_988_749_895)?;
    }
    let mut far = near.clone();
    for player in &mut far {
        player.move_joints(Some(moved.clone()))?;
    }
    let play = |mut players: Vec<GraphPlayer>| {
        let (mut workspace, mut pose) = (graph.workspace(), skeleton.rest().clone());
        move || {
            for player in &mut players {
                // Finite steps and poses of this skeleton cannot fail.
                let _ = player.update_in(&mut workspace, STEP_SECS, |_| ());
                let _ = player.pose_into_in(&mut workspace, black_box(&mut pose));
            }
        }
    };
    let [far, near] = bench.fastest([&mut play(far), &mut play(near)]);
    bench.add_motion(name, CHARACTERS, far, near);
    Ok(())
}

/// Measures a thousand characters on all cores, from time step to palettes. The plain code uses one core.
fn palettes(bench: &mut Bench<'_>, name: &str, rig: &Rig, graph: &Graph) -> Result<()> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut crowd = CrowdPlayer::new(graph, rig, CHARACTERS)?;
    for member in 0..CHARACTERS {
        if let Some(player) = crowd.player_mut(member) {
            player.jump("move", member as f64 * 0.618_033_988_749_895)?;
        }
    }
    let mut alone = crowd.clone();
    let mut on_all = || _ = crowd.update(STEP_SECS, |_, _| ());
    let mut on_one = || one.install(|| _ = alone.update(STEP_SECS, |_, _| ()));
    let [all, one] = bench.fastest([&mut on_all, &mut on_one]);
    bench.add_motion(name, CHARACTERS, all, one);
    Ok(())
}
