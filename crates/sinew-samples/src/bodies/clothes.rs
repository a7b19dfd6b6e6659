//! Clothes for people: open meshes around limbs, tight or loose.

use super::body::Body;
use super::limb::Limb;
use super::net;
use glam::Vec3;
use sinew::mesh::Primitive;
use std::sync::Arc;

/// Shirt with sleeves to the middle of the forearms, open at the neck, waist and cuffs.
pub fn shirt(body: &Body) -> Primitive {
    around(body, &["trunk", "arm"], 0.015, |place| {
        place.y > 1.02 && place.x.abs() < 0.6 && (place.x.abs() > 0.09 || place.y < 1.47)
    })
}

/// Loose left trouser leg, from the middle of the thigh to below the calf.
pub fn trouser_leg(body: &Body) -> Primitive {
    around(body, &["leg.l"], 0.045, |place| {
        (0.16..0.76).contains(&place.y)
    })
}

/// Surface around some limbs at a distance `room`, cut to the wanted part.
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
