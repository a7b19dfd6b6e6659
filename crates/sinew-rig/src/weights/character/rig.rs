//! Joints of a skin for binding.

use super::hooks::BindHooks;
use crate::weights::bones::joints::{Bones, Flesh};
use crate::weights::bones::unweighted::Unweighted;
use crate::weights::report::motions::Limbs;
use sinew::skin::SkinError;
use sinew::{Skeleton, Skin};

pub(super) struct Rig<'a> {
    pub bones: Bones,
    pub names: Vec<&'a str>,
    pub requested: Vec<Option<bool>>,
    pub why: Vec<Option<Unweighted>>,
    pub limbs: Limbs,
}

impl<'a> Rig<'a> {
    pub fn new(
        skeleton: &'a Skeleton,
        skin: &Skin,
        hooks: &BindHooks<'_>,
    ) -> Result<Self, SkinError> {
        let (mut bones, mut why) = Bones::of_skin_told(skeleton, skin)?;
        let names: Vec<&str> = skin.joints.iter().map(|&j| skeleton.name(j)).collect();
        bones.radii = names.iter().map(|name| (hooks.radius)(name)).collect();
        let said = skin.joints.iter().map(|&joint| skeleton.deforms(joint));
        let requested = names.iter().map(|name| (hooks.deforms)(name));
        let requested: Vec<Option<bool>> = requested
            .zip(said)
            .map(|(now, said)| now.or(said))
            .collect();
        for (joint, requested) in requested.iter().enumerate() {
            if let Some(deforms) = *requested {
                bones.deforms[joint] = deforms;
                why[joint] = (!deforms).then_some(Unweighted::Requested);
                if deforms && bones.flesh[joint] == Flesh::End {
                    bones.flesh[joint] = Flesh::Around;
                }
            }
        }
        Ok(Self {
            bones,
            names,
            requested,
            why,
            limbs: Limbs::find(skeleton, skin),
        })
    }
}
