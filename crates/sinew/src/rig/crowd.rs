//! Crowds: many players of one graph and one rig, on all cores.

use super::error::ActorError;
use super::palette::{SkinPalette, palette_of};
use super::part::Part;
use super::shared::Rig;
use crate::graph::{FiredEvent, Graph, GraphPlayer, PlayError, Workspace};
use crate::pose::{LocalPose, forward};
use sinew_math::dispatch;
use sinew_math::transform::Affine;
use sinew_skin::PaletteRef;
use std::sync::Arc;

/// Crowd of one rig and one graph. With the feature `rayon`, it uses several threads. Any number of
/// threads gives the same bits as [`GraphPlayer`] with [`Actor`](super::Actor).
///
/// ```
/// use sinew::graph::{State, StateMachine};
/// use sinew::rig::CrowdPlayer;
/// use sinew::{Method, Rig};
/// let rig = Rig::new(&sinew_samples::mannequin::Mannequin::default().build(), Method::Linear)?;
/// let graph = StateMachine::new()
///     .parameter("speed", 1.4)
///     .state(State::blend("move", "speed", &[(1.4, "walk"), (3.5, "run")]))
///     .build(&rig)?;
/// let mut crowd = CrowdPlayer::new(&graph, &rig, 100)?;
/// for member in 0..crowd.len() {
///     let player = crowd.player_mut(member).expect("one of a hundred");
///     player.set("speed", 1.4 + 0.02 * member as f32)?;
///     player.jump("move", 0.37 * member as f64)?;
/// }
/// crowd.update(1.0 / 60.0, |member, event| println!("{member}: {}", event.name))?;
/// let head = rig.skeleton().find("head").expect("a head");
/// println!("{:?}", crowd.model(99)[head].translation());
/// // `sinew_gpu::GpuCrowd::set_all(&crowd)` takes it on to the GPU.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "crowd")]
#[doc(alias = "instancing")]
pub struct CrowdPlayer {
    rig: Rig,
    members: Vec<Member>,
    scratches: Vec<Scratch>,
    frame: u32,
}

#[derive(Clone, Debug)]
struct Member {
    player: GraphPlayer,
    /// Number of updates from one pose to the next.
    interval: u32,
    waited_secs: f64,
    model: Vec<Affine>,
    palettes: Vec<SkinPalette>,
    node_maps: Vec<Affine>,
    corrections: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Scratch {
    workspace: Workspace,
    pose: LocalPose,
    rows: Vec<[f32; 4]>,
}

impl CrowdPlayer {
    /// Crowd of `members` characters at the start of the graph, at rest until the first update.
    ///
    /// # Errors
    /// If the graph belongs to another rig.
    pub fn new(graph: &Graph, rig: &Rig, members: usize) -> Result<Self, ActorError> {
        let (own, expected) = (graph.skeleton(), &rig.shared.skeleton);
        if !Arc::ptr_eq(own, expected) {
            return Err(ActorError::OtherRig {
                found: own.len(),
                expected: expected.len(),
            });
        }
        let member = Member {
            player: graph.crowd_player(),
            interval: 1,
            waited_secs: 0.0,
            model: rig.skeleton().rest_model().as_slice().to_vec(),
            palettes: rig.shared.palettes.clone(),
            node_maps: vec![Affine::IDENTITY; rig.parts().len()],
            corrections: vec![0.0; corrected(rig).map(|part| part.rest_weights.len()).sum()],
        };
        let scratch = Scratch {
            workspace: graph.workspace(),
            pose: rig.skeleton().rest().clone(),
            rows: vec![[0.0; 4]; forward::rows_for(rig.skeleton().len())],
        };
        let mut crowd = Self {
            rig: rig.clone(),
            members: vec![member; members],
            scratches: vec![scratch; pieces()],
            frame: 0,
        };
        for member in &mut crowd.members {
            member.follow_model(rig)?;
            member.correct(rig, rig.skeleton().rest());
        }
        Ok(crowd)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Rig of all members.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Graph player of a member. `None` if out of range.
    pub fn player(&self, member: usize) -> Option<&GraphPlayer> {
        self.members.get(member).map(|member| &member.player)
    }

    /// Graph player of a member, to set parameters or to jump. `None` if out of range.
    pub fn player_mut(&mut self, member: usize) -> Option<&mut GraphPlayer> {
        let member = self.members.get_mut(member);
        member.map(|member| &mut member.player)
    }

    /// Updates a member only once every `updates` updates (0 counts as 1), with the elapsed time,
    /// for example if it is far away. The updates of members are spread over time. A member out of
    /// range has no effect.
    pub fn set_interval(&mut self, member: usize, updates: u32) {
        if let Some(member) = self.members.get_mut(member) {
            member.interval = updates.max(1);
        }
    }

    /// Advances all members: parameters, transitions, poses, model maps and palettes. `fired` gets
    /// the events of each member in order. Several threads may call `fired` at the same time.
    ///
    /// # Errors
    /// If the time is negative or not finite, and nothing changes. If a bound curve is not finite,
    /// the member with the curve does not change, but other members may have advanced.
    pub fn update(
        &mut self,
        dt_secs: f64,
        fired: impl Fn(usize, FiredEvent<'_>) + Sync,
    ) -> Result<(), ActorError> {
        PlayError::check_step(dt_secs)?;
        self.frame = self.frame.wrapping_add(1);
        let (rig, frame) = (&self.rig, self.frame);
        let size = self.members.len().div_ceil(self.scratches.len()).max(1);
        let play = |(piece, (members, scratch)): (usize, (&mut [Member], &mut Scratch))| {
            for (index, member) in members.iter_mut().enumerate() {
                let index = piece * size + index;
                member.waited_secs += dt_secs;
                if frame
                    .wrapping_add(index as u32)
                    .is_multiple_of(member.interval)
                {
                    let fired = |event: FiredEvent<'_>| fired(index, event);
                    member.play(rig, scratch, fired)?;
                }
            }
            Ok(())
        };
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let members = self.members.par_chunks_mut(size);
            let pieces = members.zip(&mut self.scratches).enumerate();
            pieces.try_for_each(play)
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut pieces = self
                .members
                .chunks_mut(size)
                .zip(&mut self.scratches)
                .enumerate();
            pieces.try_for_each(play)
        }
    }

    /// Map `model_from_joint` of every joint of a member. Empty if out of range.
    pub fn model(&self, member: usize) -> &[Affine] {
        self.members.get(member).map_or(&[], |member| &member.model)
    }

    /// Palette of a part ([`Rig::parts`]) of a member. `None` if out of range.
    pub fn palette(&self, member: usize, part: usize) -> Option<PaletteRef<'_>> {
        let (member, part_of) = (self.members.get(member)?, self.rig.parts().get(part)?);
        Some(palette_of(
            part_of,
            &member.palettes,
            &member.node_maps[part],
        ))
    }

    /// Writes the morph weights of a part of a member. Zeros if out of range.
    pub fn morph_weights(&mut self, member: usize, part: usize, out: &mut [f32]) {
        out.fill(0.0);
        let member = self.members.get(member);
        let part = self.rig.shared.parts.get(part);
        if let (Some(member), Some(part), Some(scratch)) =
            (member, part, self.scratches.first_mut())
        {
            let (workspace, rest) = (&mut scratch.workspace, &part.rest_weights);
            let written = member
                .player
                .morph_weights_in(workspace, part.node, rest, out);
            written.expect("a workspace of the same graph");
            let drivers = &self.rig.shared.drivers;
            drivers.bind(part.mesh, out, |curve| {
                let mut value = [0.0];
                let found = member.player.curve_in(workspace, curve, &mut value);
                found.ok().map(|()| value[0])
            });
            let before = corrected(&self.rig).take_while(|p| !std::ptr::eq(*p, part));
            let first: usize = before.map(|part| part.rest_weights.len()).sum();
            let own = member.corrections.get(first..).unwrap_or_default();
            if drivers.corrects(part.mesh) {
                for (out, correction) in out.iter_mut().zip(own) {
                    *out += correction;
                }
            }
        }
    }
}

fn corrected(rig: &Rig) -> impl Iterator<Item = &Part> {
    let shared = &rig.shared;
    let parts = shared.parts.iter();
    parts.filter(|part| shared.drivers.corrects(part.mesh))
}

impl Member {
    fn play(
        &mut self,
        rig: &Rig,
        scratch: &mut Scratch,
        fired: impl FnMut(FiredEvent<'_>),
    ) -> Result<(), ActorError> {
        let (player, workspace) = (&mut self.player, &mut scratch.workspace);
        player.update_in(workspace, self.waited_secs, fired)?;
        self.waited_secs = 0.0;
        player.pose_into_in(workspace, &mut scratch.pose)?;
        let (hierarchy, level) = (rig.skeleton().hierarchy(), player.level);
        self.correct(rig, &scratch.pose);
        let (blocks, rows, out) = (scratch.pose.blocks(), &mut *scratch.rows, &mut *self.model);
        dispatch!(level, simd => {
            forward::forward(simd, hierarchy, blocks, &Affine::IDENTITY, rows, out);
        });
        self.follow_model(rig)
    }

    fn correct(&mut self, rig: &Rig, pose: &LocalPose) {
        let mut corrections = &mut *self.corrections;
        corrections.fill(0.0);
        for part in corrected(rig) {
            let (own, rest) = corrections.split_at_mut(part.rest_weights.len());
            let drivers = &rig.shared.drivers;
            drivers.correct(part.mesh, rig.skeleton(), pose, own);
            corrections = rest;
        }
    }

    fn follow_model(&mut self, rig: &Rig) -> Result<(), ActorError> {
        for (palette, skin) in self.palettes.iter_mut().zip(&rig.shared.skins) {
            palette.update(skin, &self.model)?;
        }
        for (part, map) in rig.shared.parts.iter().zip(&mut self.node_maps) {
            part.mover.follow(&self.model, map);
        }
        Ok(())
    }
}

/// Number of pieces of work: several per thread, so that all threads end at about the same time.
fn pieces() -> usize {
    #[cfg(feature = "rayon")]
    let pieces = 8 * rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let pieces = 1;
    pieces
}
