use anyhow::Result;
use serde::Serialize;
use sinew::skin::{Layout, Order};
use sinew::{Character, Method, Rig};
use std::time::{Duration, Instant};

/// Speed of dual quaternion skinning of the mannequin into a vertex buffer, on one core.
#[derive(Serialize)]
pub struct Speed {
    vertices: usize,
    /// Min time of a frame in microseconds: pose, palette and vertices.
    frame_us: f64,
}

const BUDGET: Duration = Duration::from_millis(200);

/// Measures the first clip for a short while.
pub fn of(person: &Character) -> Result<Speed> {
    let rig = Rig::new(person, Method::DualQuat)?;
    let (mut actor, mut player) = (rig.actor(), rig.player(&person.clips[0].name)?);
    let layout = Layout {
        stride: 8,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; rig.vertices() * layout.stride];
    let (begin, mut frame) = (Instant::now(), Duration::MAX);
    while begin.elapsed() < BUDGET {
        let start = Instant::now();
        player.advance(1.0 / 60.0, |_| {});
        actor.sample(&player)?;
        actor.skin_into(&mut buffer, &layout)?;
        frame = frame.min(start.elapsed());
    }
    Ok(Speed {
        vertices: rig.vertices(),
        frame_us: frame.as_secs_f64() * 1e6,
    })
}

impl Speed {
    /// Summary in one line.
    pub fn in_short(&self) -> String {
        format!(
            "a frame of {} vertices in {:.0} µs on one core: pose, palette, positions and normals",
            self.vertices, self.frame_us
        )
    }
}
