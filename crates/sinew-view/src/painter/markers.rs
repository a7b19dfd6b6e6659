//! Lines from the recorded position of each marker to its position on the body.

use super::scene::Scene;
use sinew_gpu::Line;

const SEEN: [f32; 4] = [0.95, 0.85, 0.2, 1.0];
const OFF: [f32; 4] = [0.9, 0.1, 0.1, 0.9];

pub(super) fn lines(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    let Some(capture) = &scene.file.capture else {
        return;
    };
    let trial = &capture.trial;
    let Some(last) = trial.frames().checked_sub(1) else {
        return;
    };
    let frame = (scene.state.playback.time_secs * trial.rate_hz).round();
    let frame = (frame.max(0.0) as usize).min(last);
    for (sighting, attachment) in trial.frame(frame).iter().zip(&capture.on_body) {
        let Some(seen) = sighting.map(|s| s.position) else {
            continue;
        };
        let seen = scene.world_from_model.transform_point(seen).to_array();
        if let Some(attachment) = attachment.filter(|p| p.joint < scene.posed.model.len()) {
            let joint = scene.posed.model.get(attachment.joint);
            let on_body = joint.transform_point(attachment.offset);
            lines.push(Line {
                a: seen,
                b: scene.world_from_model.transform_point(on_body).to_array(),
                color: OFF,
                radii: [1.5 * scene.pixel; 2],
            });
        }
        lines.push(Line {
            a: seen,
            b: seen,
            color: SEEN,
            radii: [3.5 * scene.pixel; 2],
        });
    }
}
