//! Joints of a template during construction, described for the left side.

use super::joints::TemplateJoint;
use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::Axis;

pub(super) fn digit(
    draft: &mut Draft,
    side: &Side,
    name: &str,
    hand: usize,
    [at, along, sideways]: [Vec3; 3],
    [curl_deg, bones]: [[f32; 3]; 2],
    freedoms: [Freedom; 3],
) {
    let palm = along.cross(sideways);
    let (mut at, mut parent, mut curl) = (at, hand, 0.0);
    for (k, freedom) in freedoms.into_iter().enumerate() {
        curl += curl_deg[k];
        let (sin, cos) = sin_cos_deg(curl);
        let (y, z) = (along * cos + palm * sin, palm * cos - along * sin);
        let joint = match k {
            0 => Side::add,
            _ => Side::next,
        };
        let name = format!("{name}_{}", k + 1);
        parent = joint(side, draft, &name, parent, at, z, freedom);
        at += y * bones[k];
        draft.joints[parent].tip = side.of(at);
    }
}

pub(super) struct Draft {
    pub joints: Vec<TemplateJoint>,
}

impl Draft {
    pub fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        self.joints.push(TemplateJoint {
            name: name.to_owned(),
            parent,
            position,
            points_at: None,
            tip: position + Vec3::Y * 0.1,
            front,
            freedom,
        });
        self.joints.len() - 1
    }

    /// Adds a joint at the end of the bone of its parent.
    pub fn next(
        &mut self,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let joint = self.add(name, Some(parent), position, front, freedom);
        self.joints[parent].points_at = Some(joint);
        joint
    }
}

pub(super) struct Side {
    name: &'static str,
    sign: f32,
}

impl Side {
    pub const LEFT: Self = Self {
        name: "left",
        sign: 1.0,
    };
    pub const RIGHT: Self = Self {
        name: "right",
        sign: -1.0,
    };

    pub fn of(&self, point: Vec3) -> Vec3 {
        Vec3::new(point.x * self.sign, point.y, point.z)
    }

    /// Range of angles about y or z. Arguments are in degrees, for the left side.
    pub fn range(&self, low: f32, high: f32) -> AngleRange {
        if self.sign > 0.0 {
            AngleRange::degrees(low, high)
        } else {
            AngleRange::degrees(-high, -low)
        }
    }

    pub fn add(
        &self,
        draft: &mut Draft,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let name = format!("{}_{name}", self.name);
        let (position, front) = (self.of(position), self.of(front));
        draft.add(&name, Some(parent), position, front, freedom)
    }

    pub fn next(
        &self,
        draft: &mut Draft,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let name = format!("{}_{name}", self.name);
        let (position, front) = (self.of(position), self.of(front));
        draft.next(&name, parent, position, front, freedom)
    }
}

pub(super) fn hinge(low: f32, high: f32) -> Freedom {
    Freedom {
        rotation: RotationLimit::Hinge {
            axis: Vec3::X,
            range: AngleRange::degrees(low, high),
        },
        ..Freedom::default()
    }
}

pub(super) fn saddle(bend: [f32; 2], sideways: [f32; 2]) -> Freedom {
    Freedom {
        rotation: RotationLimit::Saddle {
            axes: [Axis::X, Axis::Z],
            ranges: [bend, sideways].map(|[low, high]| AngleRange::degrees(low, high)),
        },
        ..Freedom::default()
    }
}

pub(super) fn ball(swing_deg: f32, twist_deg: f32) -> Freedom {
    Freedom {
        rotation: RotationLimit::Ball {
            axis: Vec3::Y,
            swing_rad: swing_deg.to_radians(),
            twist: AngleRange::degrees(-twist_deg, twist_deg),
        },
        ..Freedom::default()
    }
}

pub(super) fn sin_cos_deg(degrees: f32) -> (f32, f32) {
    libm::sincosf(degrees.to_radians())
}
