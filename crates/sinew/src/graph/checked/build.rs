//! Conversion of a state machine to a graph: resolves every name and checks every number once.

use super::blend_space::{BlendSpace, Plane};
use super::context::{Context, DURATION, FINITE, PART, POSITIVE, number, unique, unknown};
use super::graph::Graph;
use super::shared::{
    CheckedCondition, CheckedLayer, CheckedMode, CheckedState, CheckedTransition, CurveInfo,
    ReferencePose, References, Shared,
};
use crate::blend::Mask;
use crate::clip::Playable;
use crate::clip::events::length_secs;
use crate::graph::error::GraphError;
use crate::graph::machine::{
    Condition, EventPayload, GraphLayer, LayerMode, MaskPart, Motion, Reference, Start, State,
    StateMachine, Transition,
};
use crate::skeleton::Skeleton;
use std::collections::HashMap;
use std::sync::Arc;

/// Max number of points in a blend over two parameters. Triangulation takes O(n⁴) time.
const MAX_POINTS: usize = 64;

impl Graph {
    /// Graph of a state machine, clips and a skeleton. For a rig, use [`StateMachine::build`].
    ///
    /// # Errors
    /// [`GraphError`] for an unknown name, a number out of range or a clip of another skeleton.
    pub fn new(
        machine: &StateMachine,
        skeleton: &Arc<Skeleton>,
        clips: &[Arc<dyn Playable>],
    ) -> Result<Self, GraphError> {
        if let Some(clip) = clips.iter().find(|clip| !clip.fits(skeleton)) {
            return Err(GraphError::Clip {
                name: clip.name().to_owned(),
                found: clip.joints(),
                expected: skeleton.len(),
            });
        }
        let whole = Context::Graph;
        let mut parameters = HashMap::new();
        for (index, parameter) in machine.parameters.iter().enumerate() {
            let name = parameter.name.as_str();
            unique(&whole, "parameters", &mut parameters, name, index)?;
            let context = Context::Parameter(name);
            number(&context, "value", parameter.value, FINITE)?;
            number(&context, "smoothed_secs", parameter.smoothed_secs, DURATION)?;
        }
        let check = Check {
            parameters,
            skeleton,
            clips,
        };
        let base = GraphLayer {
            states: machine.states.clone(),
            transitions: machine.transitions.clone(),
            ..GraphLayer::new("")
        };
        let mut layers = vec![check.layer(&base, Context::Graph)?];
        let mut names = HashMap::new();
        for (index, layer) in machine.layers.iter().enumerate() {
            unique(&whole, "layers", &mut names, &layer.name, index)?;
            layers.push(check.layer(layer, Context::Layer(&layer.name))?);
        }
        Ok(Self {
            shared: Arc::new(Shared {
                curves: check.curves(&layers)?,
                payloads: check.payloads(&machine.payloads)?,
                parameters: machine.parameters.clone(),
                layers,
                skeleton: Arc::clone(skeleton),
                clips: clips.to_vec(),
                bound: Vec::new(),
                root_motions: Vec::new(),
            }),
        })
    }
}

struct Check<'d> {
    parameters: HashMap<&'d str, usize>,
    skeleton: &'d Skeleton,
    clips: &'d [Arc<dyn Playable>],
}

impl Check<'_> {
    fn parameter(&self, context: &Context<'_>, name: &str) -> Result<usize, GraphError> {
        let found = self.parameters.get(name).copied();
        found.ok_or_else(|| {
            let mut names: Vec<&str> = self.parameters.keys().copied().collect();
            names.sort_unstable();
            unknown(context, "parameter", name, names)
        })
    }

    fn clip(&self, context: &Context<'_>, name: &str) -> Result<usize, GraphError> {
        let found = self.clips.iter().position(|clip| clip.name() == name);
        found.ok_or_else(|| {
            let names = self.clips.iter().map(|clip| clip.name());
            unknown(context, "clip", name, names)
        })
    }

    fn layer(&self, layer: &GraphLayer, context: Context<'_>) -> Result<CheckedLayer, GraphError> {
        if layer.states.is_empty() {
            let context = context.to_string();
            return Err(GraphError::NoStates { context });
        }
        let mut names = HashMap::new();
        for (index, state) in layer.states.iter().enumerate() {
            unique(&context, "states", &mut names, &state.name, index)?;
        }
        let states: Vec<CheckedState> = layer
            .states
            .iter()
            .map(|state| self.state(state, Context::State(context.layer(), &state.name)))
            .collect::<Result<_, _>>()?;
        let transitions = layer.transitions.iter();
        let transitions = transitions.map(|transition| {
            let context = Context::Transition(context.layer(), transition);
            self.transition(transition, &names, &context)
        });
        let parameter = layer.weight_parameter.as_deref();
        let parameter = parameter.map(|name| self.parameter(&context, name));
        Ok(CheckedLayer {
            name: layer.name.clone(),
            transitions: transitions.collect::<Result<_, _>>()?,
            weight: number(&context, "weight", layer.weight, PART)?,
            weight_parameter: parameter.transpose()?,
            mask: self.mask(&context, &layer.mask)?,
            mode: self.mode(&context, &layer.mode, &states)?,
            states,
        })
    }

    fn mask(
        &self,
        context: &Context<'_>,
        parts: &[MaskPart],
    ) -> Result<Option<[Mask; 2]>, GraphError> {
        if parts.is_empty() {
            return Ok(None);
        }
        let skeleton = self.skeleton;
        let mut weights = vec![0.0; skeleton.len()];
        for part in parts {
            let weight = number(context, "weight of a mask", part.weight, PART)?;
            let joint = skeleton.find(&part.joint).ok_or_else(|| {
                let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
                unknown(context, "joint", &part.joint, names)
            })?;
            let mut is_meant = vec![false; skeleton.len()];
            is_meant[joint] = true;
            for below in joint + 1..skeleton.len() {
                let parent = skeleton.parent(below);
                is_meant[below] = part.and_below && parent.is_some_and(|p| is_meant[p]);
            }
            for (own, _) in weights.iter_mut().zip(is_meant).filter(|(_, meant)| *meant) {
                *own = weight;
            }
        }
        let mask = Mask::new(&weights).expect("each weight has been checked");
        let others = mask.inverted();
        Ok(Some([mask, others]))
    }

    fn mode(
        &self,
        context: &Context<'_>,
        mode: &LayerMode,
        states: &[CheckedState],
    ) -> Result<CheckedMode, GraphError> {
        let reference = match mode {
            LayerMode::Override => return Ok(CheckedMode::Override),
            LayerMode::Additive(reference) => reference,
        };
        let pose_at = |clip: usize, time_secs: f32| {
            let mut pose = self.skeleton.rest().clone();
            let time_secs = f64::from(time_secs);
            // `build` has rejected clips that do not fit the skeleton.
            let _ = self.clips[clip].sample_into(self.skeleton, time_secs, &mut pose);
            pose.resize(self.skeleton.len());
            ReferencePose {
                clip,
                time_secs,
                pose,
            }
        };
        Ok(CheckedMode::Additive(match reference {
            Reference::RestPose => References::Rest,
            Reference::Frame { clip, time_secs } => {
                let clip = self.clip(context, clip)?;
                let time = number(context, "time of the reference", *time_secs, POSITIVE)?;
                References::One(pose_at(clip, time))
            }
            Reference::FirstFrame => {
                let mut clips: Vec<usize> = states
                    .iter()
                    .flat_map(|state| state.space.clips().iter().copied())
                    .collect();
                clips.sort_unstable();
                clips.dedup();
                let poses = clips.into_iter().map(|clip| pose_at(clip, 0.0));
                References::PerClip(poses.collect())
            }
        }))
    }

    fn state(&self, state: &State, context: Context<'_>) -> Result<CheckedState, GraphError> {
        let speed = number(&context, "speed", state.speed, FINITE)?;
        let (clips, space): (Vec<&str>, _) = match &state.motion {
            Motion::Clip(clip) => (vec![clip], BlendSpace::Single([self.clip(&context, clip)?])),
            Motion::Blend { parameter, points } => {
                let parameter = self.parameter(&context, parameter)?;
                let mut before = f32::NEG_INFINITY;
                for point in points {
                    let at = number(&context, "point", point.at, FINITE)?;
                    if at <= before {
                        let context = context.to_string();
                        return Err(GraphError::NotAscending { context, at });
                    }
                    before = at;
                }
                let clips = points.iter().map(|point| self.clip(&context, &point.clip));
                let space = BlendSpace::Line {
                    parameter,
                    at: points.iter().map(|point| point.at).collect(),
                    clips: clips.collect::<Result<_, _>>()?,
                };
                (points.iter().map(|p| p.clip.as_str()).collect(), space)
            }
            Motion::Blend2d { parameters, points } => {
                let (found, max) = (points.len(), MAX_POINTS);
                if found > max {
                    let context = context.to_string();
                    return Err(GraphError::TooManyPoints {
                        context,
                        found,
                        max,
                    });
                }
                let [x, y] = parameters;
                let parameters = [self.parameter(&context, x)?, self.parameter(&context, y)?];
                for (index, point) in points.iter().enumerate() {
                    let at = point.at;
                    for value in at {
                        number(&context, "point", value, FINITE)?;
                    }
                    if points[..index].iter().any(|before| before.at == at) {
                        let context = context.to_string();
                        return Err(GraphError::SamePoint { context, at });
                    }
                }
                let clips = points.iter().map(|point| self.clip(&context, &point.clip));
                let at: Vec<[f32; 2]> = points.iter().map(|point| point.at).collect();
                let space = BlendSpace::Plane {
                    parameters,
                    plane: Plane::new(&at),
                    clips: clips.collect::<Result<_, _>>()?,
                };
                (points.iter().map(|p| p.clip.as_str()).collect(), space)
            }
        };
        if clips.is_empty() {
            let context = context.to_string();
            return Err(GraphError::NoPoints { context });
        }
        let has_no_length = |&&clip: &&usize| length_secs(&self.clips[clip]) <= 0.0;
        if let Some(&clip) = space.clips().iter().find(has_no_length)
            && clips.len() > 1
        {
            return Err(GraphError::NoLength {
                context: context.to_string(),
                clip: self.clips[clip].name().to_owned(),
            });
        }
        Ok(CheckedState {
            name: state.name.clone(),
            space,
            speed: f64::from(speed),
            wrap: state.wrap,
        })
    }

    fn transition(
        &self,
        transition: &Transition,
        states: &HashMap<&str, usize>,
        context: &Context<'_>,
    ) -> Result<CheckedTransition, GraphError> {
        if transition.when.is_empty() {
            let context = context.to_string();
            return Err(GraphError::NoCondition { context });
        }
        if let Start::At(phase) = transition.start {
            number(context, "start", phase, PART)?;
        }
        let check = |condition: &Condition| {
            Ok(match condition {
                Condition::Above { parameter, value } => CheckedCondition::Above(
                    self.parameter(context, parameter)?,
                    number(context, "threshold", *value, FINITE)?,
                ),
                Condition::Below { parameter, value } => CheckedCondition::Below(
                    self.parameter(context, parameter)?,
                    number(context, "threshold", *value, FINITE)?,
                ),
                Condition::Triggered { parameter } => {
                    CheckedCondition::Triggered(self.parameter(context, parameter)?)
                }
                Condition::Ended => CheckedCondition::Ended,
                Condition::After(secs) => {
                    CheckedCondition::After(number(context, "time", *secs, POSITIVE)?.into())
                }
            })
        };
        let state = |name: &str| {
            let found = states.get(name).copied();
            found.ok_or_else(|| {
                let mut names: Vec<&str> = states.keys().copied().collect();
                names.sort_unstable();
                unknown(context, "state", name, names)
            })
        };
        let when = transition.when.iter().map(check);
        Ok(CheckedTransition {
            from: transition.from.as_deref().map(state).transpose()?,
            to: state(&transition.to)?,
            when: when.collect::<Result<_, _>>()?,
            duration_secs: number(context, "duration", transition.duration_secs, DURATION)?,
            kind: transition.kind,
            start: transition.start,
        })
    }

    fn curves(&self, layers: &[CheckedLayer]) -> Result<Vec<CurveInfo>, GraphError> {
        let states = layers.iter().flat_map(|layer| &layer.states);
        let mut played: Vec<usize> = states
            .flat_map(|state| state.space.clips().iter().copied())
            .collect();
        played.sort_unstable();
        played.dedup();
        let mut curves: Vec<CurveInfo> = Vec::new();
        for clip in played.into_iter().map(|clip| &self.clips[clip]) {
            for curve in clip.curves() {
                let found = curve.track.width();
                match curves.iter().find(|known| known.name == curve.name) {
                    Some(known) if known.width == found => {}
                    Some(known) => {
                        return Err(GraphError::CurveWidth {
                            name: curve.name.clone(),
                            clip: clip.name().to_owned(),
                            found,
                            expected: known.width,
                        });
                    }
                    None => curves.push(CurveInfo {
                        name: curve.name.clone(),
                        width: found,
                    }),
                }
            }
        }
        Ok(curves)
    }

    fn payloads(&self, payloads: &[EventPayload]) -> Result<Vec<EventPayload>, GraphError> {
        let mut names = HashMap::new();
        for (index, payload) in payloads.iter().enumerate() {
            let name = payload.event.as_str();
            let context = Context::Payload(name);
            unique(&Context::Graph, "payloads of", &mut names, name, index)?;
            number(&context, "number", payload.number.unwrap_or(0.0), FINITE)?;
            let events = || {
                let events = self.clips.iter().flat_map(|clip| clip.events());
                events.map(|event| event.name.as_str())
            };
            if !events().any(|event| event == name) {
                return Err(unknown(&context, "event", name, events()));
            }
        }
        Ok(payloads.to_vec())
    }
}
