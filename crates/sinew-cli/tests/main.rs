//! Tests of the program as its users run it: a file for each topic, folders for shared code.

mod batch;
#[allow(dead_code, reason = "some of it is used")]
#[path = "../../sinew-rig/tests/people/beasts.rs"]
mod beasts;
mod bench;
mod bind;
mod bind_placed;
mod bind_said;
mod book;
mod bvh;
mod bvh_out;
mod clean;
mod cli;
mod clip;
mod compress;
mod compressed;
mod dist;
mod documents;
mod edit;
mod exhibits;
mod figures;
#[path = "../../sinew/tests/foreign/mod.rs"]
mod foreign;
mod foreign_names;
mod formats;
mod ik;
mod limits;
mod machine;
#[path = "../../sinew-io/tests/made_c3d/mod.rs"]
mod made_c3d;
#[path = "../../sinew-rig/tests/made_capture/mod.rs"]
mod made_capture;
#[path = "../../sinew-io/tests/made_fbx/mod.rs"]
mod made_fbx;
#[path = "../../sinew-io/tests/made_vrm/mod.rs"]
mod made_vrm;
mod manual;
mod measure;
mod mocap;
mod page;
mod plot;
#[path = "../../sinew-io/tests/posed_by.rs"]
mod posed_by;
mod program;
#[cfg(target_os = "linux")]
mod progress;
mod render;
mod render_bind;
mod render_camera;
mod render_gl;
mod render_outputs;
mod retarget;
mod retarget_bodies;
mod retarget_fbx;
mod rig;
mod said;
mod several;
mod shown;
mod skin;
#[path = "../examples/book/story/mod.rs"]
mod story;
mod together;
#[path = "../examples/together/motion/mod.rs"]
mod together_motion;
mod too_large;
mod units;
mod view;
mod vrm;
mod weights;
mod writing;
mod wrong_inputs;
