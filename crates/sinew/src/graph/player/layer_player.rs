use super::clock::{ActiveState, Clock, FadingState};
use super::parameters::{blended, halves, reset};
use super::sources::{LayerContext, Sources, fire, mix_pose, root_step};
use super::workspace::{Samples, Workspace};
use crate::blend::{CrossFade, Inertia};
use crate::clip::Event;
use crate::graph::checked::{CheckedCondition, CheckedTransition, Shared};
use crate::graph::machine::{Start, TransitionKind};
use crate::pose::LocalPose;
use crate::root_motion::Placement;
use sinew_math::simd::Level;

const STEP_SECS: f64 = 1.0 / 128.0;

/// Max number of transitions and ends of fades per update, against endless loops in zero time.
const MAX_STOPS: usize = 256;

const ROUNDING_SECS: f64 = 1e-9;

pub(super) const BASE: usize = 0;

#[derive(Clone, Debug)]
pub(super) struct LayerPlayer {
    index: usize,
    pub clock: Clock,
    /// Offset of a transition. It comes from `Workspace::spare` and returns there.
    inertia: Option<Inertia>,
    /// Speed of the old root motion minus the speed of the new root motion, per second.
    root_rate: Placement,
    /// Root motion of the last update.
    pub root_step: Placement,
}

impl LayerPlayer {
    /// Layer at the start of its first state.
    pub fn new(graph: &Shared, index: usize) -> Self {
        let still = Placement::identity(graph.up());
        Self {
            index,
            clock: Clock::at(0, 0.0),
            inertia: None,
            root_rate: still,
            root_step: still,
        }
    }

    /// True while an earlier state is still visible.
    pub fn is_in_transition(&self) -> bool {
        let is_carried = |inertia: &Inertia| !inertia.is_done();
        self.clock.fading.is_some() || self.inertia.as_ref().is_some_and(is_carried)
    }

    /// Enters a state without a transition.
    pub fn jump(&mut self, state: usize, phase: f64) {
        self.clock = Clock::at(state, phase);
        self.stop_inertia();
    }

    fn stop_inertia(&mut self) {
        if let Some(inertia) = &mut self.inertia {
            inertia.stop();
        }
    }

    fn context<'a>(&self, graph: &'a Shared, parameters: &'a [f32]) -> LayerContext<'a> {
        LayerContext {
            graph,
            layer: &graph.layers[self.index],
            parameters,
        }
    }

    /// Advances and makes transitions. `shown` holds the smoothed parameters of the last update.
    pub fn update<'g>(
        &mut self,
        graph: &'g Shared,
        level: Level,
        dt_secs: f64,
        shown: &[f32],
        scratch: &mut Workspace,
        fired: &mut impl FnMut(&'g Event, usize, f32),
    ) {
        self.root_step = Placement::identity(graph.up());
        let mut left_secs = dt_secs;
        // Only the first transition uses `shown`. Later states have not been shown yet.
        let mut shown = Some(shown);
        for _ in 0..MAX_STOPS {
            if let Some(transition) = self.next(graph, &scratch.seen) {
                self.take(graph, level, transition, shown.take(), scratch);
            }
            let context = self.context(graph, blended(&scratch.seen));
            match self.clock.next_stop(&context) {
                Some((secs, then)) if secs <= left_secs => {
                    self.play(graph, scratch, secs, Some(then), fired);
                    left_secs -= secs;
                }
                _ => break,
            }
        }
        self.play(graph, scratch, left_secs, None, fired);
    }

    /// Advances without transitions. `then` is the exact final state, if it is known.
    fn play<'g>(
        &mut self,
        graph: &'g Shared,
        scratch: &mut Workspace,
        dt_secs: f64,
        then: Option<ActiveState>,
        fired: &mut impl FnMut(&'g Event, usize, f32),
    ) {
        let context = self.context(graph, blended(&scratch.seen));
        let before = self.clock.sources(&context, 0.0);
        self.clock.advance(&context, dt_secs);
        self.clock.now = then.unwrap_or(self.clock.now);
        let after = self.clock.sources(&context, 0.0);
        fire(graph, &before, &after, fired);
        if self.index == BASE {
            let inertia = self.inertia.as_ref();
            let carried_secs = inertia.map_or(0.0, |inertia| inertia.carried_secs(dt_secs));
            let carried = self.root_rate.scaled(carried_secs);
            let step = root_step(&context, &before, &after).then(&carried);
            self.root_step = self.root_step.then(&step);
        }
        if let Some(mut inertia) = self.inertia.take() {
            inertia.advance(dt_secs);
            // A new transition looks one step back and needs the inertia until then.
            if inertia.was_done(STEP_SECS) {
                scratch.spare.push(inertia);
            } else {
                self.inertia = Some(inertia);
            }
        }
        let is_over = |fading: FadingState| fading.fade.remaining_secs() < ROUNDING_SECS;
        if self.clock.fading.is_some_and(is_over) {
            self.clock.fading = None;
        }
    }

    /// Clips that play now.
    pub fn sources(&self, graph: &Shared, parameters: &[f32]) -> Sources {
        self.clock.sources(&self.context(graph, parameters), 0.0)
    }

    /// Writes the current pose of the layer.
    pub fn pose(
        &self,
        graph: &Shared,
        level: Level,
        parameters: &[f32],
        samples: &mut Samples,
        out: &mut LocalPose,
    ) {
        let context = self.context(graph, parameters);
        let sources = self.clock.sources(&context, 0.0);
        let inertia = self.inertia.as_ref().filter(|inertia| !inertia.is_done());
        let inertia = inertia.map(Inertia::additions);
        mix_pose(&context, level, &sources, inertia, samples, out);
    }

    fn next<'g>(&self, graph: &'g Shared, seen: &[f32]) -> Option<&'g CheckedTransition> {
        let (parameters, blended) = halves(seen);
        let context = self.context(graph, blended);
        let now = &self.clock.now;
        let holds = |condition: &CheckedCondition| match *condition {
            CheckedCondition::Above(parameter, value) => parameters[parameter] > value,
            CheckedCondition::Below(parameter, value) => parameters[parameter] < value,
            CheckedCondition::Triggered(parameter) => parameters[parameter] != 0.0,
            CheckedCondition::After(secs) => now.elapsed_secs >= secs,
            CheckedCondition::Ended => self.clock.secs_to_end(&context) <= 0.0,
        };
        let mut leading_away = graph.layers[self.index].leading_away(now.state);
        leading_away.find(|transition| transition.when.iter().all(holds))
    }

    /// Enters another state. The motion continues at the same speed from the pose last shown, even
    /// during another transition or after a jump of parameters. `shown` holds the parameters of
    /// that pose; `None` means the current parameters.
    fn take(
        &mut self,
        graph: &Shared,
        level: Level,
        transition: &CheckedTransition,
        shown: Option<&[f32]>,
        scratch: &mut Workspace,
    ) {
        let (secs, from) = (transition.duration_secs, self.clock.now);
        let old = self.context(graph, shown.unwrap_or(blended(&scratch.seen)));
        let (point, was_fading) = (self.clock.point(&old), self.clock.fading.is_some());
        let shown_at = [-STEP_SECS, 0.0].map(|ahead| self.clock.sources(&old, ahead));
        for condition in &transition.when {
            if let CheckedCondition::Triggered(parameter) = *condition {
                reset(graph, parameter, &mut scratch.seen);
            }
        }
        let states = &graph.layers[self.index].states;
        let phase = match transition.start {
            Start::At(phase) => f64::from(phase),
            Start::InPhase => states[from.state].wrap.fold(from.phase, 1.0).0,
        };
        self.clock = Clock::at(transition.to, phase);
        self.clock.fading = match transition.kind {
            TransitionKind::CrossFade(ease) if secs > 0.0 => Some(FadingState {
                from,
                point,
                fade: CrossFade::new(secs, ease),
                in_phase: transition.start == Start::InPhase,
            }),
            _ => None,
        };
        // A fade from a single state starts at the shown pose, so the inertia continues.
        let jumps = self.clock.fading.is_none() || was_fading;
        if secs <= 0.0 {
            self.stop_inertia();
        } else if jumps {
            self.carry_over(graph, level, &shown_at, f64::from(secs), scratch);
        }
    }

    fn carry_over(
        &mut self,
        graph: &Shared,
        level: Level,
        shown_at: &[Sources; 2],
        secs: f64,
        scratch: &mut Workspace,
    ) {
        let context = self.context(graph, blended(&scratch.seen));
        let [shown_before, shown, meant, meant_after] = &mut scratch.switch;
        let meant_at: [Sources; 2] =
            [0.0, STEP_SECS].map(|ahead| self.clock.sources(&context, ahead));
        let samples = &mut scratch.samples;
        let mut inertia = match self.inertia.take().or_else(|| scratch.spare.pop()) {
            Some(inertia) => inertia,
            None => Inertia::new(graph.skeleton.len()),
        };
        let left = Some(inertia.additions_at(-STEP_SECS));
        mix_pose(&context, level, &shown_at[0], left, samples, shown_before);
        let left = Some(inertia.additions());
        mix_pose(&context, level, &shown_at[1], left, samples, shown);
        mix_pose(&context, level, &meant_at[0], None, samples, meant);
        mix_pose(&context, level, &meant_at[1], None, samples, meant_after);

        if self.index == BASE {
            let rate =
                |[from, to]: &[Sources; 2]| root_step(&context, from, to).scaled(1.0 / STEP_SECS);
            let still_carried = self.root_rate.scaled(inertia.weight());
            let shown_rate = rate(shown_at).plus(&still_carried);
            self.root_rate = shown_rate.plus(&rate(&meant_at).scaled(-1.0));
        }
        let (shown, meant) = ([&*shown_before, &*shown], [&*meant, &*meant_after]);
        let started = inertia.start_on(level, shown, meant, STEP_SECS, secs);
        started.expect("poses of the player's own skeleton");
        self.inertia = Some(inertia);
    }
}
