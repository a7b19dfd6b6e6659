//! Bodies without weights, made of limbs in one skin or closed pieces, to test automatic weights.

mod animals;
mod beasts;
mod body;
mod clothes;
mod figures;
mod limb;
mod net;
mod people;

pub use animals::{bird, dog, fish, octopus, sauropod, snake, spider};
pub use beasts::{Beast, Gait};
pub use body::Body;
pub use clothes::{shirt, trouser_leg};
pub use figures::{Build, Outfit, Stance};
pub use limb::Limb;
pub use people::{knight, person, robot, skirt};

/// All bodies, with the person last.
pub fn all() -> Vec<Body> {
    vec![
        knight(),
        robot(),
        skirt(),
        dog(),
        bird(),
        fish(),
        snake(),
        spider(),
        octopus(),
        sauropod(),
        person(),
    ]
}
