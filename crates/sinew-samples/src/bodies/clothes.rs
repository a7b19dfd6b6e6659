//! Clothes for people: open meshes that lie around limbs, near or far.

use super::body::Body;
use super::limb::Limb;
use super::net;
use glam::Vec3;
use sinew::mesh::Primitive;
use std::sync::Arc;

/// A shirt with sleeves to the middle of the forearms, open at the neck, the waist and the cuffs.
pub fn shirt(body: &Body) -> Primitive {
    around(body, &["trunk", "arm"], 0.015, |place| {
        place.y > 1.02 && place.x.abs() < 0.6 && (place.x.abs() > 0.09 || place.y < 1.47)
    })
}

/// A loose leg of trousers on the left, from the middle of the thigh to below the calf.
pub fn trouser_leg(body: &Body) -> Primitive {
    around(body, &["leg.l"], 0.045, |place| {
        (0.16..0.76).contains(&place.y)
    })
}

/// The surface of some limbs with so much room, where it is wanted.
fn around(body: &Body, limbs: &[&str], room: f32, is_wanted: impl Fn(Vec3) -> bool) -> Primitive {
    let wide = |limb: &Limb| Limb {
        radius: limb.radius + room,
        ..limb.clone()
    };
    let is_one = |limb: &&Limb| limbs.iter().any(|name| limb.name.starts_with(name));
    let limbs: Vec<Limb> = body.limbs.iter().filter(is_one).map(wide).collect();
    let whole = net::net(&limbs, body.cell);
    let mut numbers = vec![None; whole.len()];
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for triangle in whole.triangles() {
        let places = triangle.map(|vertex| whole.positions[vertex]);
        if !places.into_iter().all(&is_wanted) {
            continue;
        }
        for (vertex, place) in triangle.into_iter().zip(places) {
            indices.push(*numbers[vertex].get_or_insert_with(|| {
                positions.push(place);
                positions.len() as u32 - 1
            }));
        }
    }
    Primitive {
        positions: Arc::new(positions),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}
