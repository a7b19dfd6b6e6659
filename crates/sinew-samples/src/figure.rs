use crate::car::car_character;
use crate::humanoid::humanoid_character;
use crate::mannequin::Mannequin;
use crate::robot_arm::robot_arm_character;
use crate::scara::scara_character;
use crate::solar_system::solar_system_character;
use crate::tube::tube_character;
use serde::{Deserialize, Serialize};
use sinew::character::Character;
use sinew::steps::finish;

/// Character made by code, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Person with a sword, who walks, runs, waves and fences.
    Mannequin,
    /// Person of ten parts, who walks.
    Humanoid,
    /// Limb of two joints, which twists and bends.
    Tube,
    /// Robot arm with base, shoulder and elbow, which fetches and carries.
    RobotArm,
    /// SCARA robot with two hinges, a slide and a wrist, which moves parts.
    Scara,
    /// Car with two steering joints and four wheels, which drives in a circle.
    Car,
    /// Sun, planet and moon.
    SolarSystem,
}

impl Figure {
    /// All figures.
    pub const ALL: [Self; 7] = [
        Self::Mannequin,
        Self::Humanoid,
        Self::Tube,
        Self::RobotArm,
        Self::Scara,
        Self::Car,
        Self::SolarSystem,
    ];

    /// Name, as in `sinew render --figure robot-arm`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mannequin => "mannequin",
            Self::Humanoid => "humanoid",
            Self::Tube => "tube",
            Self::RobotArm => "robot-arm",
            Self::Scara => "scara",
            Self::Car => "car",
            Self::SolarSystem => "solar-system",
        }
    }

    /// Description in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Mannequin => "A person with a sword who walks, runs, waves and fences",
            Self::Humanoid => "A person of ten parts who walks",
            Self::Tube => "A limb of two joints that twists and bends",
            Self::RobotArm => "A robot arm with base, shoulder and elbow that fetches and carries",
            Self::Scara => "A SCARA robot with two hinges, a slide and a wrist that moves parts",
            Self::Car => "A car with two steering joints and four wheels that drives in a circle",
            Self::SolarSystem => "A sun, a planet and a moon",
        }
    }

    /// Figure of this name.
    ///
    /// ```
    /// use sinew_samples::Figure;
    /// assert_eq!(Figure::named("car"), Some(Figure::Car));
    /// assert_eq!(Figure::named("cow"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// Makes the character.
    pub fn make(self) -> Character {
        finish(self.make_in_steps())
    }

    /// As [`Figure::make`], in [steps](sinew::steps).
    pub async fn make_in_steps(self) -> Character {
        match self {
            Self::Mannequin => Mannequin::default().build_in_steps().await,
            Self::Humanoid => humanoid_character(),
            Self::Tube => tube_character(),
            Self::RobotArm => robot_arm_character(),
            Self::Scara => scara_character(),
            Self::Car => car_character(),
            Self::SolarSystem => solar_system_character(),
        }
    }
}
