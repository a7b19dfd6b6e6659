//! Marker sets are on the surface of a body.

use glam::Vec3;
use sinew_rig::mocap::MarkerSet;
use sinew_samples::mannequin::Mannequin;

fn distance(p: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let steps = 12;
    let samples = (0..=steps).flat_map(|i| (0..=steps - i).map(move |j| (i, j)));
    let at = |(i, j): (i32, i32)| {
        let (u, v) = (i as f32 / steps as f32, j as f32 / steps as f32);
        (a + (b - a) * u + (c - a) * v).distance(p)
    };
    samples.map(at).fold(f32::INFINITY, f32::min)
}

#[test]
fn plug_in_gait_is_on_the_mannequin() {
    let person = Mannequin::default().build();
    let model = person.skeleton.rest_model();
    let surface = &person.meshes[0].primitives[0];
    for marker in MarkerSet::plug_in_gait().markers {
        let joint = person.skeleton.find(&marker.joint).expect("a joint");
        let at = model.get(joint).transform_point(marker.offset);
        let off = surface
            .triangles()
            .map(|corners| distance(at, corners.map(|c| surface.positions[c])))
            .fold(f32::INFINITY, f32::min);
        assert!(off < 0.01, "{} is {off} m off", marker.label);
    }
}
