//! Morph targets grouped by vertex, so that the deltas of a thread are adjacent.

use glam::Vec3;
use sinew::mesh::{Deltas, Morph};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    pub target: u32,
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: Vec3,
}

/// Deltas of every vertex with the index of their target, ascending, without zeros.
pub(crate) fn shares(morphs: &[Morph], vertices: usize) -> Vec<Vec<Share>> {
    let mut shares: Vec<Vec<Share>> = vec![Vec::new(); vertices];
    for (target, morph) in morphs.iter().enumerate() {
        let target = target as u32;
        let mut add = |deltas: &Option<Deltas>, set: fn(&mut Share, Vec3)| {
            let Some(deltas) = deltas else { return };
            for (index, &delta) in deltas.values.iter().enumerate() {
                let vertex = match &deltas.vertices {
                    Some(vertices) => vertices.get(index).map_or(usize::MAX, |&v| v as usize),
                    None => index,
                };
                let Some(list) = shares.get_mut(vertex) else {
                    continue;
                };
                if delta == Vec3::ZERO {
                    continue;
                }
                match list.last_mut() {
                    Some(last) if last.target == target => set(last, delta),
                    _ => {
                        let mut share = Share {
                            target,
                            ..Share::default()
                        };
                        set(&mut share, delta);
                        list.push(share);
                    }
                }
            }
        };
        add(&morph.positions, |share, delta| share.position += delta);
        add(&morph.normals, |share, delta| share.normal += delta);
        add(&morph.tangents, |share, delta| share.tangent += delta);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn dense_and_sparse_deltas_of_a_target_meet_in_one_share() {
        let morphs = [
            Morph::default(),
            Morph {
                positions: Some(Deltas {
                    vertices: None,
                    values: Arc::new(vec![Vec3::X, Vec3::ZERO, Vec3::Y]),
                }),
                normals: Some(Deltas {
                    vertices: Some(Arc::new(vec![2, 9])),
                    values: Arc::new(vec![Vec3::Z, Vec3::Z]),
                }),
                tangents: None,
            },
        ];
        let shares = shares(&morphs, 3);
        let at = |position, normal| Share {
            target: 1,
            position,
            normal,
            tangent: Vec3::ZERO,
        };
        assert_eq!(shares[0], [at(Vec3::X, Vec3::ZERO)]);
        assert_eq!(shares[1], []);
        assert_eq!(shares[2], [at(Vec3::Y, Vec3::Z)]);
    }
}
