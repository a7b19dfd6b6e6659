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

/// The walk of the mannequin for a skeleton of its template.
///
/// ```
/// use sinew_rig::template::Biped;
/// let skeleton = Biped::default().template().skeleton()?;
/// assert_eq!(sinew_samples::mannequin::walk(&skeleton).name, "walk");
/// # Ok::<(), sinew_rig::template::TemplateError>(())
/// ```
///
/// # Panics
/// If the skeleton lacks a joint of [`Biped`](sinew_rig::template::Biped).
pub fn walk(skeleton: &Skeleton) -> Clip {
    WALK.clip(skeleton)
}

/// All clips of the mannequin.
pub fn all(skeleton: &Skeleton) -> Vec<Clip> {
    vec![
        standing::idle(skeleton),
        walk(skeleton),
        RUN.clip(skeleton),
        standing::wave(skeleton),
        standing::shoulder_twist(skeleton),
        sword_form::clip(skeleton),
    ]
}
