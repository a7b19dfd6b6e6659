//! Clothes for people: open meshes around limbs, tight or loose.

use super::body::Body;
use super::limb::Limb;
use super::net;
use glam::Vec3;
use sinew::mesh::Primitive;
use std::sync::Arc;

/// Shirt with sleeves to the middle of the forearms, open at the neck, waist and cuffs.
pub fn shirt(body: &Body) -> Primitive {
    around(body, &["trunk", "arm"], 0.015, |position| {
        position.y > 1.02
            && position.x.abs() < 0.6
            && (position.x.abs() > 0.09 || position.y < 1.47)
    })
}

/// Loose left trouser leg, from the middle of the thigh to below the calf.
pub fn trouser_leg(body: &Body) -> Primitive {
    around(body, &["leg.l"], 0.045, |position| {
        (0.16..0.76).contains(&position.y)
    })
}

/// Surface at the distance `gap` around some limbs. Only points with `is_wanted` are kept.
fn around(body: &Body, limbs: &[&str], gap: f32, is_wanted: impl Fn(Vec3) -> bool) -> Primitive {
    let wide = |limb: &Limb| Limb {
        radius: limb.radius + gap,
        ..limb.clone()
    };
    let is_one = |limb: &&Limb| limbs.iter().any(|name| limb.name.starts_with(name));
    let limbs: Vec<Limb> = body.limbs.iter().filter(is_one).map(wide).collect();
    let whole = net::net(&limbs, body.cell);
    let mut numbers = vec![None; whole.len()];
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for triangle in whole.triangles() {
        let corners = triangle.map(|vertex| whole.positions[vertex]);
        if !corners.into_iter().all(&is_wanted) {
            continue;
        }
        for (vertex, position) in triangle.into_iter().zip(corners) {
            indices.push(*numbers[vertex].get_or_insert_with(|| {
                positions.push(position);
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
