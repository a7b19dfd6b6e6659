//! Skins a character into an interleaved vertex buffer by each method, and prints the kept volume.

use sinew::glam::Vec3;
use sinew::mesh::volume;
use sinew::skin::{Layout, Order};
use sinew::{Method, Rig};
use sinew_samples::tube_character;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tube = tube_character();
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut volumes = Vec::new();
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&tube, method)?;
        let mut actor = rig.actor();
        let mut player = rig.player("twist")?;
        let mut buffer = vec![0.0; rig.vertices() * layout.stride];
        let mut volume_at = |time_secs: f64| -> Result<f64, sinew::ActorError> {
            player.seek(time_secs);
            actor.sample(&player)?;
            actor.skin_into(&mut buffer, &layout)?;
            let vertices = buffer.chunks(layout.stride);
            let positions: Vec<Vec3> = vertices.map(Vec3::from_slice).collect();
            let triangles = rig.parts()[0].surface().triangles();
            Ok(volume(&positions, triangles))
        };
        let kept = volume_at(0.5)? / volume_at(0.0)?;
        println!(
            "{method:?} keeps {:.1} % of the tube's volume",
            100.0 * kept
        );
        volumes.push(kept);
    }
    assert!(volumes[1] > volumes[0], "dual quaternions keep more");
    Ok(())
}
