//! Pictures of the whole window, compared with those in `tests/pictures`. To rewrite them:
//!
//! `SINEW_UPDATE_PICTURES=1 cargo test -p sinew-view --test main pictures`, then look at them.

use super::gpu;
use super::stored::assert_as_stored;
use sinew_view::headless::Headless;
use sinew_view::{Session, script};

const SHOWN: [(&str, &str); 12] = [
    (
        "walk",
        r#"[{"do":"clip","clip":1},{"do":"pause"},{"do":"seek","time_secs":0.4}]"#,
    ),
    (
        "light",
        r#"[{"do":"pause"},{"do":"theme","theme":"light"},{"do":"panel","panel":"numbers","on":false}]"#,
    ),
    (
        "bones",
        r#"[{"do":"pause"},{"do":"overlay","overlay":"bones","on":true},{"do":"overlay","overlay":"names","on":true}]"#,
    ),
    (
        "weights",
        r#"[{"do":"pause"},{"do":"surface","surface":"joint_weight"},{"do":"select","selection":{"joint":7}}]"#,
    ),
    (
        "normals",
        r#"[{"do":"pause"},{"do":"surface","surface":"normals"}]"#,
    ),
    (
        "checker",
        r#"[{"do":"pause"},{"do":"surface","surface":"uv_checker"}]"#,
    ),
    (
        "limits",
        r#"[{"do":"pause"},{"do":"surface","surface":"hidden"},{"do":"overlay","overlay":"limits","on":true}]"#,
    ),
    (
        "compare",
        r#"[{"do":"clip","clip":4},{"do":"pause"},{"do":"seek","time_secs":1.0},{"do":"compare_methods","methods":["lbs","dqs"]}]"#,
    ),
    (
        "deformation",
        r#"[{"do":"open_made","figure":"tube"},{"do":"wait"},{"do":"pause"},{"do":"seek","time_secs":0.5},
            {"do":"panel","panel":"deformation","on":true},{"do":"compare_methods","methods":["lbs","dqs"]},{"do":"wait"}]"#,
    ),
    (
        "help",
        r#"[{"do":"pause"},{"do":"panel","panel":"help","on":true}]"#,
    ),
    (
        "message",
        r#"[{"do":"pause"},{"do":"open","path":"nowhere/missing.glb"},{"do":"wait"}]"#,
    ),
    (
        "ways",
        r#"[{"do":"clip","clip":1},{"do":"pause"},{"do":"seek","time_secs":0.5},{"do":"overlay","overlay":"trajectories","on":true},
            {"do":"overlay","overlay":"ghosts","on":true},{"do":"overlay","overlay":"wireframe","on":true}]"#,
    ),
];

#[test]
fn pictures_are_as_they_were() {
    let Some(gpu) = gpu() else {
        return;
    };
    for (name, text) in SHOWN {
        let mut window =
            Headless::new(Session::default(), gpu.clone(), [480, 320], 0.4).expect("a window");
        for step in script::parse(text).expect("a script") {
            window.step(&step).expect("a step");
        }
        assert_as_stored(name, &window.screenshot().expect("a picture"));
    }
}
