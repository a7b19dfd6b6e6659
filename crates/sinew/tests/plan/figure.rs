use glam::{Vec3, Vec4};
use sinew::skin::{DualQuatPalette, Palette, Vertices};
use sinew::transform::quat;
use sinew::{Influences, Joint, LocalPose, ModelPose, Skeleton, Skin, Transform};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5)
    }
}

pub struct Figure {
    skeleton: Skeleton,
    skin: Skin,
    pose: ModelPose,
    pub influences: Influences,
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub tangents: Vec<Vec4>,
    pub directions: bool,
}

pub const JOINTS: usize = 20;

/// Scaling of the joints of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaled {
    No,
    /// Some joints, along their own axes.
    Some,
    /// All joints by 0.01 or by −0.01.
    Unit,
    MirroredUnit,
    /// One joint with its descendants, along one axis.
    Mirrored,
    /// Some joints with their descendants, to 0.
    Zero,
}

pub const SCALED: [Scaled; 6] = [
    Scaled::No,
    Scaled::Some,
    Scaled::Unit,
    Scaled::MirroredUnit,
    Scaled::Mirrored,
    Scaled::Zero,
];

impl Figure {
    /// Figure whose vertices use `sets` joint sets of up to `width` joints.
    pub fn new(seed: u64, vertices: usize, sets: usize, width: usize, scaled: Scaled) -> Self {
        let mut random = Random(seed | 1);
        let joints = (0..JOINTS)
            .map(|j| {
                let parent = (j > 0).then(|| random.below(j));
                let rest = Transform::from_translation(random.vector());
                Joint::new(j.to_string(), parent, rest)
            })
            .collect();
        let skeleton = Skeleton::new(joints).expect("a tree").0;
        let mut local: LocalPose = skeleton.rest().clone();
        for joint in 0..JOINTS {
            let axis = random.vector();
            let angle = (random.unit() - 0.5) * 2.0;
            let mut transform = local.get(joint);
            transform.rotation = quat::from_axis_angle(axis, angle);
            match scaled {
                Scaled::Some if random.below(3) == 0 => {
                    transform.scale = Vec3::ONE + random.vector() * 0.8;
                }
                Scaled::Zero if random.below(4) == 0 => transform.scale = Vec3::ZERO,
                Scaled::Mirrored if joint == 2 => transform.scale.x = -1.0,
                _ => {}
            }
            local.set(joint, transform);
        }
        let unit = match scaled {
            Scaled::Unit => 0.01,
            Scaled::MirroredUnit => -0.01,
            _ => 1.0,
        };
        let whole = Transform {
            scale: Vec3::splat(unit),
            ..Transform::IDENTITY
        }
        .to_affine();
        let mut pose = ModelPose::identity(0);
        pose.update(skeleton.hierarchy(), &local, &whole)
            .expect("of this skeleton");
        let sets: Vec<Vec<u16>> = (0..sets)
            .map(|_| {
                let count = 1 + random.below(width);
                (0..count).map(|_| random.below(JOINTS) as u16).collect()
            })
            .collect();
        let lists: Vec<Vec<(u16, f32)>> = (0..vertices)
            .map(|_| {
                let set = &sets[random.below(sets.len())];
                // Zero weights are dropped, so some vertices have fewer joints than their set.
                set.iter()
                    .map(|&joint| {
                        (
                            joint,
                            if random.below(9) == 0 {
                                0.0
                            } else {
                                random.unit()
                            },
                        )
                    })
                    .collect()
            })
            .collect();
        let normals: Vec<Vec3> = (0..vertices)
            .map(|_| random.vector().normalize_or(Vec3::Y))
            .collect();
        Self {
            skin: Skin::bound_at(skeleton.rest_model().as_slice()),
            influences: Influences::from_lists(&lists, JOINTS).expect("few").0,
            positions: (0..vertices).map(|_| random.vector() * 2.0).collect(),
            tangents: normals
                .iter()
                .map(|n| n.any_orthonormal_vector().extend(-1.0))
                .collect(),
            normals,
            skeleton,
            pose,
            directions: scaled != Scaled::Zero,
        }
    }

    pub fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
        }
    }

    pub fn linear_palette(&self) -> Palette {
        let mut palette = Palette::default();
        palette
            .update(&self.skin, self.pose.as_slice())
            .expect("of this skeleton");
        palette
    }

    pub fn dual_palette(&self) -> DualQuatPalette {
        let mut palette = DualQuatPalette::new(
            self.skeleton.hierarchy(),
            self.skeleton.rest_model().as_slice(),
            &self.skin,
        )
        .expect("of this skeleton");
        palette
            .update(self.pose.as_slice())
            .expect("of this skeleton");
        palette
    }
}
