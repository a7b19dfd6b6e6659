//! Morph weights without a morph track: curves replace a weight, correctives add to it.

use crate::binding::{Binding, Target, curve_value};
use crate::character::Character;
use crate::clip::Playable;
use crate::corrective::{self, Corrective};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;

/// Curves and correctives that drive the morph targets of a character.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MorphDrivers {
    /// Sorted by mesh.
    curves: Vec<DrivenMorph>,
    correctives: Vec<Corrective>,
}

#[derive(Clone, Debug, PartialEq)]
struct DrivenMorph {
    mesh: usize,
    morph: usize,
    curve: String,
}

impl MorphDrivers {
    /// Drivers of a character.
    pub fn new(character: &Character) -> Self {
        let mut curves = Vec::new();
        for Binding { signal, target } in &character.bindings {
            let Target::Morph(name) = target else {
                continue;
            };
            for (mesh, of) in character.meshes.iter().enumerate() {
                let named = of.morph_names.iter().enumerate();
                let named = named.filter(|(_, own)| *own == name);
                curves.extend(named.map(|(morph, _)| DrivenMorph {
                    mesh,
                    morph,
                    curve: signal.clone(),
                }));
            }
        }
        curves.sort_by_key(|driven| driven.mesh);
        Self {
            curves,
            correctives: character.correctives.clone(),
        }
    }

    /// Adjusts the morph weights of a mesh for a pose and a time of a clip. `weights` holds the
    /// weights of the clip, or those at rest.
    pub fn drive(
        &self,
        mesh: usize,
        clip: Option<(&dyn Playable, f64)>,
        skeleton: &Skeleton,
        pose: &LocalPose,
        weights: &mut [f32],
    ) {
        if let Some((clip, time_secs)) = clip {
            self.bind(mesh, weights, |curve| {
                let value = curve_value(clip, curve, time_secs)?;
                <[f32; 1]>::try_from(&*value).ok().map(|[weight]| weight)
            });
        }
        self.correct(mesh, skeleton, pose, weights);
    }

    pub(crate) fn bind(
        &self,
        mesh: usize,
        weights: &mut [f32],
        mut value: impl FnMut(&str) -> Option<f32>,
    ) {
        let first = self.curves.partition_point(|driven| driven.mesh < mesh);
        for driven in self.curves[first..].iter().take_while(|d| d.mesh == mesh) {
            if let Some(weight) = weights.get_mut(driven.morph)
                && let Some(value) = value(&driven.curve)
            {
                *weight = value;
            }
        }
    }

    pub(crate) fn correct(
        &self,
        mesh: usize,
        skeleton: &Skeleton,
        pose: &LocalPose,
        weights: &mut [f32],
    ) {
        corrective::apply(&self.correctives, mesh, skeleton, pose, weights);
    }

    pub(crate) fn corrects(&self, mesh: usize) -> bool {
        self.correctives.iter().any(|own| own.mesh == mesh)
    }
}
