use super::workspace::Workspace;
use crate::blend::{Addition, BlendJob, Layer};
use crate::graph::checked::{CheckedLayer, CheckedMode};
use crate::pose::LocalPose;
use sinew_math::simd::Level;

pub(super) fn lay_over(
    level: Level,
    layer: &CheckedLayer,
    weight: f32,
    rest: &LocalPose,
    scratch: &mut Workspace,
    out: &mut LocalPose,
) {
    let below = |weight: f32| Layer::new(&scratch.below, weight);
    let mask = layer.mask.as_ref().map(|[mask, _]| mask);
    let own = Layer {
        pose: &scratch.layer,
        weight,
        mask,
    };
    let difference = &mut scratch.samples.difference;
    let mut layers;
    let mut additions;
    let (layers, additions): (&mut [Layer<'_>], &mut [Addition<'_>]) =
        match (&layer.mode, &layer.mask) {
            (CheckedMode::Additive(_), _) => {
                let set = difference.set_between(level, rest, &scratch.layer);
                set.expect("poses of the graph's own skeleton");
                layers = [below(1.0); 3];
                additions = [Addition {
                    pose: difference,
                    weight,
                    mask,
                }];
                (&mut layers[..1], &mut additions)
            }
            (CheckedMode::Override, None) => {
                layers = [below(1.0 - weight), own, own];
                (&mut layers[..2], &mut [])
            }
            (CheckedMode::Override, Some([_, others])) => {
                // The pose below gets 1 − weight everywhere, plus weight times the inverse mask.
                layers = [below(1.0 - weight), below(weight).masked(others), own];
                (&mut layers, &mut [])
            }
        };
    let job = BlendJob {
        rest,
        layers,
        additions,
        level,
    };
    job.run(out).expect("weights and sizes are the graph's own");
}
