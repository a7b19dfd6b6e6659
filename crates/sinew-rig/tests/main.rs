//! Tests of making characters, in one program.

mod biped_limits;
mod find_bodies;
mod find_check;
mod find_invariance;
mod find_shared;
mod find_truth;
#[path = "../../sinew/tests/foreign/mod.rs"]
mod foreign;
mod made_bodies;
mod made_capture;
mod marker_sets;
mod misuse;
mod mocap;
mod mocap_clips;
mod mocap_proportions;
mod people;
mod retarget;
mod retarget_files;
mod retarget_hands;
mod retarget_models;
mod retarget_names;
mod retarget_tree;
mod template;
mod trial_bodies;
mod weights;
mod weights_always;
mod weights_bezier;
mod weights_bodies;
mod weights_brush;
mod weights_cloth;
mod weights_hints;
mod weights_invariance;
mod weights_parts;
mod weights_radius;
mod weights_scores;
mod weights_trial;
