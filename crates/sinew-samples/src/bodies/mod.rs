//! Bodies of many kinds made of rounded limbs, as one skin or as closed pieces, on skeletons of their
//! own and without weights: what automatic weights are tried on.

mod animals;
mod body;
mod clothes;
mod limb;
mod net;
mod people;

pub use animals::{bird, dog, fish, octopus, sauropod, snake, spider};
pub use body::Body;
pub use clothes::{shirt, trouser_leg};
pub use limb::Limb;
pub use people::{knight, person, robot, skirt};

/// All of them, with the person last.
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
