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
use sinew::steps::pause;

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
pub async fn all(skeleton: &Skeleton) -> Vec<Clip> {
    let makes: [fn(&Skeleton) -> Clip; 6] = [
        standing::idle,
        walk,
        |skeleton| RUN.clip(skeleton),
        standing::wave,
        standing::shoulder_twist,
        sword_form::clip,
    ];
    let mut clips = Vec::with_capacity(makes.len());
    for make in makes {
        pause().await;
        clips.push(make(skeleton));
    }
    clips
}
