//! Clock of a layer: the phases of its states and the time of the next transition.

use super::sources::{LayerContext, Source, Sources};
use crate::blend::CrossFade;
use crate::clip::events::length_secs;
use crate::graph::checked::CheckedCondition;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ActiveState {
    pub state: usize,
    /// Number of cycles played, without wrapping.
    pub phase: f64,
    pub elapsed_secs: f64,
}

impl ActiveState {
    fn advance(&mut self, rate: f64, dt_secs: f64) {
        let phase = self.phase + rate * dt_secs;
        if phase.abs() < MAX_PHASE {
            self.phase = phase;
        }
        self.elapsed_secs += dt_secs;
    }
}

/// Max phase. An `f64` above it cannot distinguish a cycle from the next.
const MAX_PHASE: f64 = 1.0 / f64::EPSILON;

fn end_phase(rate: f64) -> f64 {
    if rate < 0.0 { 0.0 } else { 1.0 }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FadingState {
    pub from: ActiveState,
    /// Parameters with which the old motion was last shown. They stay, so that it cannot jump.
    pub point: [f32; 2],
    pub fade: CrossFade,
    pub in_phase: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub now: ActiveState,
    pub fading: Option<FadingState>,
}

impl Clock {
    /// Clock at the start of a state, at `phase`.
    pub fn at(state: usize, phase: f64) -> Self {
        Self {
            now: ActiveState {
                state,
                phase,
                elapsed_secs: 0.0,
            },
            fading: None,
        }
    }

    /// Parameters of the blend of the current state.
    pub fn point(&self, context: &LayerContext<'_>) -> [f32; 2] {
        let space = &context.layer.states[self.now.state].space;
        space.point(context.parameters)
    }

    fn rates(&self, context: &LayerContext<'_>) -> [f64; 2] {
        let rate = |active: &ActiveState, point: [f32; 2]| {
            let state = &context.layer.states[active.state];
            let share = |(clip, weight): (usize, f32)| {
                let duration = length_secs(&context.graph.clips[clip]);
                if duration > 0.0 {
                    f64::from(weight) / duration
                } else {
                    0.0
                }
            };
            let [a, b, c] = state.space.weights(point).map(share);
            state.speed * (a + b + c)
        };
        let now = rate(&self.now, self.point(context));
        let Some(fading) = &self.fading else {
            return [now, 0.0];
        };
        let from = rate(&fading.from, fading.point);
        if fading.in_phase {
            let both = from + (now - from) * f64::from(fading.fade.weight());
            return [both, both];
        }
        [now, from]
    }

    /// Seconds until the motion ends. 0 or less after its end.
    pub fn secs_to_end(&self, context: &LayerContext<'_>) -> f64 {
        let [rate, _] = self.rates(context);
        if rate == 0.0 {
            0.0
        } else {
            (end_phase(rate) - self.now.phase) / rate
        }
    }

    /// Seconds until a fade ends or a timed transition is due, and the exact state at that moment.
    pub fn next_stop(&self, context: &LayerContext<'_>) -> Option<(f64, ActiveState)> {
        let ([rate, _], now) = (self.rates(context), self.now);
        let moment = |secs: f64, phase: f64, elapsed_secs: f64| {
            let state = now.state;
            let then = ActiveState {
                state,
                phase,
                elapsed_secs,
            };
            (secs, then)
        };
        let (phase_in, elapsed_in) = (
            |secs: f64| now.phase + rate * secs,
            |secs: f64| now.elapsed_secs + secs,
        );
        let leading_away = context.layer.leading_away(now.state);
        let conditions = leading_away.flat_map(|t| &t.when);
        let waited_for = conditions.filter_map(|condition| match *condition {
            CheckedCondition::Ended => {
                let secs = self.secs_to_end(context);
                Some(moment(secs, end_phase(rate), elapsed_in(secs)))
            }
            CheckedCondition::After(elapsed_secs) => {
                let secs = elapsed_secs - now.elapsed_secs;
                Some(moment(secs, phase_in(secs), elapsed_secs))
            }
            _ => None,
        });
        let faded = self.fading.map(|fading| {
            let secs = fading.fade.remaining_secs();
            moment(secs, phase_in(secs), elapsed_in(secs))
        });
        let ahead = waited_for.chain(faded).filter(|(secs, _)| *secs > 0.0);
        ahead.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Clips that play `ahead_secs` from now (negative: before now), if nothing else changes.
    pub fn sources(&self, context: &LayerContext<'_>, ahead_secs: f64) -> Sources {
        let rates = self.rates(context);
        let point = self.point(context);
        let of_state = |active: &ActiveState, point: [f32; 2], rate: f64, share: f32| {
            let state = &context.layer.states[active.state];
            let weights = state.space.weights(point);
            weights.map(|(clip, weight)| Source {
                clip,
                weight: weight * share,
                phase: active.phase + rate * ahead_secs,
                wrap: state.wrap,
            })
        };
        let ([a, b, c], [d, e, f]) = match &self.fading {
            Some(fading) => {
                let share = fading.fade.weight_at(ahead_secs);
                let now = of_state(&self.now, point, rates[0], share);
                let from = of_state(&fading.from, fading.point, rates[1], 1.0 - share);
                (now, from)
            }
            None => (
                of_state(&self.now, point, rates[0], 1.0),
                of_state(&self.now, point, 0.0, 0.0),
            ),
        };
        [a, b, c, d, e, f]
    }

    pub fn advance(&mut self, context: &LayerContext<'_>, dt_secs: f64) {
        let [now, from] = self.rates(context);
        self.now.advance(now, dt_secs);
        if let Some(fading) = &mut self.fading {
            fading.from.advance(from, dt_secs);
            fading.fade.advance(dt_secs);
        }
    }
}
