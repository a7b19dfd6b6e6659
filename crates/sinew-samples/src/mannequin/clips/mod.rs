mod gait;
mod growing;
mod puppet;
mod standing;
mod sword_form;

pub use gait::{RUN, WALK};
pub use growing::grow;
pub use standing::TWIST_DEG;
pub use sword_form::sword_form_bindings;

use sinew::Skeleton;
use sinew::clip::Clip;

/// All clips of the mannequin.
pub fn all(skeleton: &Skeleton) -> Vec<Clip> {
    vec![
        standing::idle(skeleton),
        WALK.clip(skeleton),
        RUN.clip(skeleton),
        standing::wave(skeleton),
        standing::shoulder_twist(skeleton),
        sword_form::clip(skeleton),
    ]
}
