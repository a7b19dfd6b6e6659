//! One character's way through a graph.

use super::description::{Change, Start};
use super::voices::{Clock, Cue, Fading, Playing, Voices, fire, mix_pose, root_step};
use super::{CheckedCondition, CheckedTransition, Stage};
use crate::blend::{CrossFade, Inertia};
use crate::clip::{Event, Playable};
use crate::pose::LocalPose;
use crate::root_motion::Placement;
use sinew_math::simd::Level;

/// How far apart the two moments are that a speed is measured between.
const STEP_SECS: f64 = 1.0 / 128.0;

/// How often an update stops on its way at most, so that states that lead to each other do not hang it.
const MOST_STOPS: usize = 256;

/// What may be left of a fade that is over.
const ROUNDING_SECS: f64 = 1e-9;

/// An event and how loud it is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fired<'c> {
    /// What was crossed.
    pub event: &'c Event,
    /// Of which clip.
    pub clip: usize,
    /// What part of the pose that clip was in the step, over 0: a footstep in a twentieth of a pose need
    /// not sound.
    pub weight: f32,
}

/// Parameters, places in time, and room to work in. Nothing here allocates once it is made.
///
/// # Panics
/// The stage must be the one that the player was made for: another graph, other clips or another skeleton
/// panic where they differ in number.
#[derive(Clone, Debug)]
pub struct GraphPlayer {
    /// The instruction set, which changes no bit of the poses.
    pub level: Level,
    parameters: Vec<f32>,
    clock: Clock,
    inertia: Inertia,
    /// What the old motion went faster by over the ground, a second.
    root_rate: Placement,
    root_step: Placement,
    samples: [LocalPose; 4],
    /// Shown a moment ago and now, meant now and in a moment.
    switch: [LocalPose; 4],
}

impl GraphPlayer {
    /// At the start of the first state.
    pub fn new(stage: &Stage<'_, impl Playable>) -> Self {
        let Stage {
            graph, skeleton, ..
        } = *stage;
        let poses = || [(); 4].map(|_| skeleton.rest().clone());
        let up = graph.up();
        Self {
            level: Level::best(),
            parameters: graph.parameters.iter().map(|p| p.value).collect(),
            clock: Clock {
                now: Playing {
                    state: 0,
                    phase: 0.0,
                    elapsed_secs: 0.0,
                },
                fading: None,
            },
            inertia: Inertia::new(skeleton.len()),
            root_rate: Placement::identity(up),
            root_step: Placement::identity(up),
            samples: poses(),
            switch: poses(),
        }
    }

    /// Sets a parameter by its place ([`Graph::parameter`]); what is not finite is ignored.
    ///
    /// # Panics
    /// When the graph has no such parameter.
    pub fn set(&mut self, parameter: usize, value: f32) {
        let parameters = self.parameters.len();
        assert!(
            parameter < parameters,
            "parameter {parameter} of {parameters}"
        );
        if value.is_finite() {
            self.parameters[parameter] = value;
        }
    }

    /// A parameter's value.
    ///
    /// # Panics
    /// When the graph has no such parameter.
    pub fn get(&self, parameter: usize) -> f32 {
        let parameters = self.parameters.len();
        assert!(
            parameter < parameters,
            "parameter {parameter} of {parameters}"
        );
        self.parameters[parameter]
    }

    /// The state that is played or on its way in; [`Graph::state_name`] knows its name.
    pub fn state(&self) -> usize {
        self.clock.now.state
    }

    /// How many times through the state's motion, counted on over loops.
    pub fn phase(&self) -> f64 {
        self.clock.now.phase
    }

    /// Whether something of an earlier state is still to be seen.
    pub fn is_changing(&self) -> bool {
        self.clock.fading.is_some() || !self.inertia.is_done()
    }

    /// How far the character went in the last update, for a graph with root motion: its place in the
    /// world is `place.then(&step)`.
    pub fn root_step(&self) -> Placement {
        self.root_step
    }

    /// Goes straight to a state, without a transition or an event; a phase that is not finite is 0. The
    /// next update or pose panics when the graph has no such state.
    pub fn jump(&mut self, state: usize, phase: f64) {
        self.clock = Clock {
            now: Playing {
                state,
                phase: if phase.is_finite() { phase } else { 0.0 },
                elapsed_secs: 0.0,
            },
            fading: None,
        };
        self.inertia.stop();
    }

    /// Plays on by `dt_secs`, takes transitions on the way and gives every event crossed: clip by clip, in
    /// the order of crossing. What depends on time alone happens at its moment and not at the end of the
    /// step. A time that is not a positive number is none.
    pub fn update<'c, C: Playable>(
        &mut self,
        stage: &Stage<'c, C>,
        dt_secs: f64,
        mut heard: impl FnMut(Fired<'c>),
    ) {
        self.check(stage);
        self.root_step = Placement::identity(stage.graph.up());
        let mut left_secs = match dt_secs > 0.0 && dt_secs.is_finite() {
            true => dt_secs,
            false => 0.0,
        };
        for _ in 0..MOST_STOPS {
            if let Some(transition) = self.next(stage) {
                self.take(stage, transition);
            }
            let cue = cue(stage, &self.parameters);
            match self.clock.turning_point(&cue) {
                Some((secs, then)) if secs <= left_secs => {
                    self.play(stage, secs, Some(then), &mut heard);
                    left_secs -= secs;
                }
                _ => break,
            }
        }
        self.play(stage, left_secs, None, &mut heard);
    }

    /// Plays on where nothing turns; `then` is where the state is in the end, if that is known better.
    fn play<'c, C: Playable>(
        &mut self,
        stage: &Stage<'c, C>,
        dt_secs: f64,
        then: Option<Playing>,
        heard: &mut impl FnMut(Fired<'c>),
    ) {
        let cue = cue(stage, &self.parameters);
        let before = self.clock.voices(&cue, 0.0);
        self.clock.advance(&cue, dt_secs);
        self.clock.now = then.unwrap_or(self.clock.now);
        let after = self.clock.voices(&cue, 0.0);
        fire(stage.clips, &before, &after, |event, clip, weight| {
            heard(Fired {
                event,
                clip,
                weight,
            });
        });
        let carried = self.root_rate.scaled(self.inertia.carried_secs(dt_secs));
        let step = root_step(&cue, &before, &after).then(&carried);
        self.root_step = self.root_step.then(&step);
        self.inertia.advance(dt_secs);
        let is_over = |fading: Fading| fading.fade.remaining_secs() < ROUNDING_SECS;
        if self.clock.fading.is_some_and(is_over) {
            self.clock.fading = None;
        }
    }

    /// Writes the pose of this moment.
    pub fn pose(&mut self, stage: &Stage<'_, impl Playable>, out: &mut LocalPose) {
        self.check(stage);
        let cue = cue(stage, &self.parameters);
        let voices = self.clock.voices(&cue, 0.0);
        let inertia = (!self.inertia.is_done()).then(|| self.inertia.additions());
        mix_pose(&cue, self.level, &voices, inertia, &mut self.samples, out);
    }

    fn check(&self, stage: &Stage<'_, impl Playable>) {
        let (graph, joints) = (stage.graph, self.samples[0].len());
        assert_eq!(stage.clips.len(), graph.clips, "not the graph's clips");
        assert_eq!(stage.skeleton.len(), joints, "not the player's skeleton");
        let parameters = self.parameters.len();
        assert_eq!(graph.parameters.len(), parameters, "not the player's graph");
        let (state, states) = (self.clock.now.state, graph.states.len());
        assert!(state < states, "state {state} of {states}");
    }

    /// The first transition whose conditions all hold.
    fn next<'g>(&self, stage: &Stage<'g, impl Playable>) -> Option<&'g CheckedTransition> {
        let cue = cue(stage, &self.parameters);
        let now = &self.clock.now;
        let holds = |condition: &CheckedCondition| match *condition {
            CheckedCondition::Above(parameter, value) => self.parameters[parameter] > value,
            CheckedCondition::Below(parameter, value) => self.parameters[parameter] < value,
            CheckedCondition::Triggered(parameter) => self.parameters[parameter] != 0.0,
            CheckedCondition::After(secs) => now.elapsed_secs >= secs,
            CheckedCondition::Ended => self.clock.secs_to_end(&cue) <= 0.0,
        };
        let mut leading_away = stage.graph.leading_away(now.state);
        leading_away.find(|transition| transition.when.iter().all(holds))
    }

    /// Switches to another state. What is shown goes on from where it is and as fast as it moves, also in
    /// the middle of another transition.
    fn take(&mut self, stage: &Stage<'_, impl Playable>, transition: &CheckedTransition) {
        let (secs, from) = (transition.secs, self.clock.now);
        let old = self.clock;
        self.clock.now = Playing {
            state: transition.to,
            phase: match transition.start {
                Start::At(phase) => f64::from(phase),
                Start::InPhase => stage.graph.states[from.state].wrap.fold(from.phase, 1.0).0,
            },
            elapsed_secs: 0.0,
        };
        self.clock.fading = match transition.change {
            Change::CrossFade(ease) if secs > 0.0 => Some(Fading {
                from,
                fade: CrossFade::new(secs, ease),
                in_phase: transition.start == Start::InPhase,
            }),
            _ => None,
        };
        // A fade from a single state begins as what is shown, and older inertia just goes on.
        let jumps = self.clock.fading.is_none() || old.fading.is_some();
        if secs <= 0.0 {
            self.inertia.stop();
        } else if jumps {
            self.carry_over(stage, &old, f64::from(secs));
        }
        for condition in &transition.when {
            if let CheckedCondition::Triggered(parameter) = *condition {
                self.parameters[parameter] = 0.0;
            }
        }
    }

    /// Starts the inertia of what was shown by the `old` clock.
    fn carry_over(&mut self, stage: &Stage<'_, impl Playable>, old: &Clock, secs: f64) {
        let cue = cue(stage, &self.parameters);
        let [shown_before, shown, meant, meant_after] = &mut self.switch;
        let shown_at: [Voices; 2] = [-STEP_SECS, 0.0].map(|ahead| old.voices(&cue, ahead));
        let meant_at: [Voices; 2] = [0.0, STEP_SECS].map(|ahead| self.clock.voices(&cue, ahead));
        let (level, samples) = (self.level, &mut self.samples);
        let left = Some(self.inertia.additions_at(-STEP_SECS));
        mix_pose(&cue, level, &shown_at[0], left, samples, shown_before);
        let left = Some(self.inertia.additions());
        mix_pose(&cue, level, &shown_at[1], left, samples, shown);
        mix_pose(&cue, level, &meant_at[0], None, samples, meant);
        mix_pose(&cue, level, &meant_at[1], None, samples, meant_after);

        let rate = |[from, to]: &[Voices; 2]| root_step(&cue, from, to).scaled(1.0 / STEP_SECS);
        let still_carried = self.root_rate.scaled(self.inertia.weight());
        let shown_rate = rate(&shown_at).plus(&still_carried);
        self.root_rate = shown_rate.plus(&rate(&meant_at).scaled(-1.0));
        let (shown, meant) = ([&*shown_before, &*shown], [&*meant, &*meant_after]);
        let started = self.inertia.start_on(level, shown, meant, STEP_SECS, secs);
        started.expect("poses of the player's own skeleton");
    }
}

fn cue<'a, C>(stage: &Stage<'a, C>, parameters: &'a [f32]) -> Cue<'a, C> {
    Cue {
        stage: *stage,
        parameters,
    }
}
