//! Figure of ten parts in a tree: the torso, the head, and upper and lower limbs. Eleven angles
//! define its pose. y is up. The figure faces +z, its left is +x, and it stands on y = 0.

mod character;
mod part;
mod shapes;
mod walk;

pub use character::humanoid_character;
pub use part::{HumanoidAngles, HumanoidPart};

use sinew::scene::{NodeId, Scene, SceneError, SceneNode};

/// Figure in its own scene, with one node per part.
#[derive(Clone, Debug)]
pub struct Humanoid {
    /// Scene with all parts.
    pub scene: Scene,
    parts: [NodeId; 10],
}

impl Default for Humanoid {
    fn default() -> Self {
        Self::new()
    }
}

impl Humanoid {
    /// Creates a figure that stands straight.
    ///
    /// ```
    /// use sinew_samples::{Humanoid, HumanoidAngles, HumanoidPart};
    /// let mut figure = Humanoid::new();
    /// figure.set_angles(&HumanoidAngles { left_upper_arm_rad: 1.5, ..Default::default() });
    /// let forearm = figure.part(HumanoidPart::LeftLowerArm);
    /// assert!(figure.scene.world_from_node(forearm)?.translation().z > 0.25);
    /// # Ok::<(), sinew::scene::SceneError>(())
    /// ```
    pub fn new() -> Self {
        Self::build().expect("parts are made parents first")
    }

    fn build() -> Result<Self, SceneError> {
        let mut scene = Scene::new();
        let mut parts = [scene.root(); 10];
        for part in HumanoidPart::ALL {
            let parent = part.parent().map_or(scene.root(), |p| parts[p.index()]);
            let geometry = scene.add_geometry(shapes::surface(part));
            let node = SceneNode::shape(part.name(), geometry).placed(part.rest());
            parts[part.index()] = scene.create(parent, node)?;
        }
        Ok(Self { scene, parts })
    }

    /// Node of a part.
    pub fn part(&self, part: HumanoidPart) -> NodeId {
        self.parts[part.index()]
    }

    /// Sets the transforms of all parts.
    pub fn set_angles(&mut self, angles: &HumanoidAngles) {
        for part in HumanoidPart::ALL {
            let transform = part.parent_from_part(angles).to_affine();
            // Fails only if the owner of the scene has deleted the part.
            let _ = self.scene.set_transform(self.part(part), transform);
        }
    }
}
