//! Roles of joints, found by their names and by the tree.

pub(crate) mod find_roles;
mod finder;
pub(crate) mod four_legs;
pub(crate) mod joint_names;
mod limb_search;
pub(crate) mod role_map;

pub use find_roles::find_roles;
pub use role_map::Roles;
