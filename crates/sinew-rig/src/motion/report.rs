//! Measures of a motion. `docs/motion.md` defines each of them.

use super::stage::Part;
use crate::retarget::feet::contact::Contact;

/// Measures of a clip. Lengths are in metres or centimetres, whatever the unit of the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MotionReport {
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Metres per unit of the file.
    pub metres: f64,
    /// Feet, hands and floor. `None` if the skeleton is not a person.
    pub ground: Option<GroundReport>,
    /// Rotations beyond the limits of joints. `None` if no joint has limits.
    pub limits: Option<LimitReport>,
    /// Mean length of the third derivative of joint positions, in m/s³.
    pub jerk_mean: f64,
    /// Max speed of a joint relative to the hips, in m/s.
    pub speed_max: f64,
    /// Share of frames, in [0, 1], in which a joint is faster than 12 m/s relative to the hips.
    pub spike_share: f64,
    /// Differences from the reference, if one was given.
    pub reference: Option<ReferenceReport>,
    /// Mean jerk of all joints per frame, in m/s³. 0 in the first and last two frames.
    pub jerk: Vec<f64>,
}

impl MotionReport {
    /// All measures by name, with the unit at the end of the name. `None` for a measure that this
    /// motion does not have.
    pub fn values(&self) -> [(&'static str, Option<f64>); 16] {
        let ground = self.ground.as_ref();
        let slide = ground.and_then(|g| g.slide);
        let limits = self.limits.as_ref();
        let there = self.reference.as_ref();
        [
            ("slide_mean_cm_s", slide.map(|s| s.mean_cm_s)),
            ("slide_over_1_cm_s", slide.map(|s| s.share_over_1_cm_s)),
            (
                "slide_over_1_cm_frame",
                slide.map(|s| s.share_over_1_cm_frame),
            ),
            ("penetration_share", ground.map(|g| g.penetration_share)),
            ("penetration_max_cm", ground.map(|g| g.penetration_max_cm)),
            ("floating_share", ground.map(|g| g.floating_share)),
            ("floating_max_cm", ground.map(|g| g.floating_max_cm)),
            ("limit_share", limits.map(|l| l.share)),
            ("limit_worst_deg", limits.map(|l| l.worst_deg)),
            ("jerk_mean_m_s3", Some(self.jerk_mean)),
            ("speed_max_m_s", Some(self.speed_max)),
            ("spike_share", Some(self.spike_share)),
            ("error_mean_cm", there.map(|r| r.error_mean_cm)),
            ("error_max_cm", there.map(|r| r.error_max_cm)),
            ("error_ends_cm", there.and_then(|r| r.error_ends_cm)),
            ("contact_kept", there.and_then(|r| r.contact_kept)),
        ]
    }
}

/// Contacts, slide and floor of a person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundReport {
    /// Contacts of feet and hands.
    pub contacts: Vec<PartContacts>,
    /// Slide of standing feet. `None` if no foot stands.
    pub slide: Option<SlideReport>,
    /// Height of the floor, in metres.
    pub floor: f64,
    /// Share of frames, in [0, 1], in which a joint is more than 1 cm below the floor.
    pub penetration_share: f64,
    /// Max depth of a joint below the floor, in centimetres.
    pub penetration_max_cm: f64,
    /// Share of frames, in [0, 1], in which all joints are more than 2 cm above the floor.
    pub floating_share: f64,
    /// Max height of the lowest joint above the floor, in centimetres.
    pub floating_max_cm: f64,
}

/// Contacts of one part, with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct PartContacts {
    /// Part of the body.
    pub part: Part,
    /// Index of the joint that stands.
    pub joint: usize,
    /// Contacts, in frames.
    pub contacts: Vec<Contact>,
    /// Share of frames, in [0, 1], in which the part stands.
    pub share: f64,
    /// Height above the floor per frame, in metres.
    pub heights: Vec<f64>,
    /// Speed along the floor per frame, in m/s.
    pub speeds: Vec<f64>,
}

/// Speed of standing feet along the floor. The first and last 1/30 s of a contact do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideReport {
    /// Mean speed, in cm/s.
    pub mean_cm_s: f64,
    /// Share of steps between frames, in [0, 1], faster than 1 cm/s.
    pub share_over_1_cm_s: f64,
    /// Share of steps between frames, in [0, 1], longer than 1 cm.
    pub share_over_1_cm_frame: f64,
    /// Time that counts, both feet together, in seconds.
    pub standing_secs: f64,
}

/// Rotations beyond the limits of joints, by more than 1°.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitReport {
    /// Share of the rotations of limited joints, in [0, 1].
    pub share: f64,
    /// Max angle beyond the limit, in degrees.
    pub worst_deg: f64,
    /// Index of the joint with the max angle. `None` if no rotation is beyond its limit.
    pub worst_joint: Option<usize>,
}

/// Differences from a reference at the same times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceReport {
    /// Number of joints with a counterpart of the same name.
    pub joints: usize,
    /// Mean distance of joints from the reference, in centimetres.
    pub error_mean_cm: f64,
    /// Max distance of a joint from the reference, in centimetres.
    pub error_max_cm: f64,
    /// Mean distance of feet and hands, in centimetres. `None` if not a person.
    pub error_ends_cm: Option<f64>,
    /// Share, in [0, 1], of the frames of contact in the reference in which the part stands here.
    /// `None` if nothing stands in the reference.
    pub contact_kept: Option<f64>,
    /// Mean speed along the floor, in cm/s, during the contacts of feet in the reference.
    pub slide_mean_cm_s: Option<f64>,
    /// Jerk of the reference, in m/s³.
    pub jerk_mean: f64,
}
