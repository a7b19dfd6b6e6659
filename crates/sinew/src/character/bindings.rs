//! Check that bindings name existing curves, events and targets.

use super::Character;
use crate::binding::{Binding, BindingError, Target};
use crate::clip::Playable;
use crate::names::hint;

/// Max number of reported errors, because the search for similar names is slow.
const MAX_TOLD: usize = 16;

/// Names of stage items that are not part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct StageNames<'a> {
    /// Names of lights.
    pub lights: &'a [&'a str],
    /// Names of materials.
    pub materials: &'a [&'a str],
}

impl Character {
    /// Checks that a clip has the curve or event of a binding, and that its target exists.
    /// [`StateMachine::build`](crate::graph::StateMachine::build) checks parameters.
    ///
    /// # Errors
    /// [`BindingError`] for an unknown name or a curve of the wrong width.
    pub fn check_binding(
        &self,
        binding: &Binding,
        stage: &StageNames<'_>,
    ) -> Result<(), BindingError> {
        self.check_signal(binding)?;
        if let Some((name, property)) = binding.target.property() {
            let kind = property.kind();
            if !self.bound_objects(kind, name).is_empty() {
                return Ok(());
            }
            if let Target::Property { .. } = binding.target {
                let names = self.object_names(kind);
                return known(binding, kind.name(), name, names.into_iter());
            }
        }
        match &binding.target {
            Target::LightStrength(name) | Target::LightColor(name) => {
                let own = self.lights.iter().map(|light| light.name.as_str());
                known(
                    binding,
                    "light",
                    name,
                    stage.lights.iter().copied().chain(own),
                )
            }
            Target::MaterialUv(name)
            | Target::MaterialColor(name)
            | Target::MaterialEmissive(name) => {
                let own = self.materials.iter().map(|own| own.name.as_str());
                let all = stage.materials.iter().copied().chain(own);
                known(binding, "material", name, all)
            }
            Target::Morph(name) => {
                let names = self.meshes.iter().flat_map(|mesh| &mesh.morph_names);
                known(binding, "morph target", name, names.map(String::as_str))
            }
            Target::Dust(name) => {
                let joints = 0..self.skeleton.len();
                let names = joints.map(|joint| self.skeleton.name(joint));
                known(binding, "joint", name, names)
            }
            Target::CameraEye
            | Target::CameraTarget
            | Target::CameraFov
            | Target::Property { .. }
            | Target::Parameter(_)
            | Target::Sound(_)
            | Target::Call(_) => Ok(()),
        }
    }

    /// First 16 errors in [`Character::bindings`], each with the index of its binding.
    pub fn unknown_bindings<'a>(
        &'a self,
        stage: &'a StageNames<'_>,
    ) -> impl Iterator<Item = (usize, BindingError)> + 'a {
        let bindings = self.bindings.iter().enumerate();
        let wrong = bindings.filter_map(|(index, binding)| {
            let refused = self.check_binding(binding, stage).err()?;
            Some((index, refused))
        });
        wrong.take(MAX_TOLD)
    }

    fn check_signal(&self, binding: &Binding) -> Result<(), BindingError> {
        let (signal, target) = (&binding.signal, &binding.target);
        if target.is_of_event() {
            let events = self.clips.iter().flat_map(|clip| &clip.events);
            return known(binding, "event", signal, events.map(|e| e.name.as_str()));
        }
        let curves = self.clips.iter().flat_map(|clip| clip.curves());
        known(binding, "curve", signal, curves.map(|c| c.name.as_str()))?;
        for clip in &self.clips {
            let curve = clip.curves.iter().find(|curve| curve.name == *signal);
            let found = curve.map(|curve| curve.track.width());
            if let Some(found) = found.filter(|found| !target.widths().contains(found)) {
                let expected: Vec<_> = target.widths().iter().map(usize::to_string).collect();
                return Err(BindingError::Width {
                    binding: binding.to_string(),
                    clip: clip.name.clone(),
                    found,
                    expected: expected.join(" or "),
                });
            }
        }
        Ok(())
    }
}

fn known<'n>(
    binding: &Binding,
    what: &'static str,
    name: &str,
    mut names: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), BindingError> {
    let again = names.clone();
    if names.any(|known| known == name) {
        return Ok(());
    }
    Err(unknown(binding, what, name, again.collect()))
}

fn unknown(binding: &Binding, what: &'static str, name: &str, names: Vec<&str>) -> BindingError {
    BindingError::Unknown {
        binding: binding.to_string(),
        what,
        name: name.to_owned(),
        hint: hint(name, names),
    }
}
