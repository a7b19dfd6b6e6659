//! Start here: one [`Rig`] per character, and one [`Actor`] per playing instance of it.
//!
//! A rig holds shared data: skeleton, clips (plain or packed) and bind-pose vertices in skinning
//! order. An actor holds a pose and its palettes, and does not allocate after it is made. Both
//! types are `Clone`, `Send` and `'static`.
//!
//! ```
//! use glam::Vec3;
//! use sinew::ik::{Tip, TwoBone};
//! use sinew::skin::{Layout, Order};
//! use sinew::{Method, Rig};
//! let character = sinew_samples::mannequin::Mannequin::default().build();
//! let rig = Rig::new(&character, Method::DualQuat)?; // once
//! let mut hero = rig.actor(); // one playing character
//! let mut player = rig.player("walk")?; // a clock on a clip
//! let [shoulder, elbow, hand] =
//!     ["left_upper_arm", "left_lower_arm", "left_hand"].map(|name| rig.skeleton().find(name).unwrap());
//! let layout = Layout { stride: 8, position: 0, normal: Some(3), tangent: None, order: Order::Mesh };
//! let mut vertex_buffer = vec![0.0; rig.vertices() * layout.stride];
//! for _frame in 0..3 {
//!     player.advance(1.0 / 60.0, |event| println!("{}", event.name));
//!     hero.sample(&player)?;
//!     let goal = Vec3::new(0.4, 1.2, 0.3);
//!     hero.solve(&TwoBone::new(shoulder, elbow, Tip::of(hand), goal).weight(0.8))?;
//!     hero.skin_into(&mut vertex_buffer[..], &layout)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `cargo run --example cpu_skinning`:
#![doc = "```"]
#![doc = include_str!("../../examples/cpu_skinning.rs")]
#![doc = "```"]

mod actor;
mod clip_player;
mod crowd;
mod error;
mod graphs;
mod palette;
mod part;
mod shape;
mod shared;
mod solve;

pub use actor::Actor;
pub use clip_player::ClipPlayer;
pub use crowd::CrowdPlayer;
pub use error::{ActorError, RigError};
pub use part::Part;
pub use shared::Rig;
pub use solve::Solve;
