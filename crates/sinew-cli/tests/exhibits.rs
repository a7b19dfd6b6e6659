use crate::render::{good, is_without_gpu};

fn drawn(figure: &str, more: &[&str]) -> Vec<u8> {
    let plain = ["render", "--size", "96x96", "-o", "-", "--figure", figure];
    good(&[&plain, more].concat())
}

#[test]
fn every_exhibit_is_drawn_moves_and_obeys_its_angles() {
    if is_without_gpu() {
        return;
    }
    for (figure, joint, degrees) in [
        ("robot-arm", "elbow", 70),
        ("scara", "elbow", 90),
        ("car", "left_steering", 35),
        ("humanoid", "left_upper_arm", 90),
        ("solar-system", "planet", 120),
    ] {
        let at = |degrees: i32| drawn(figure, &["--set", &format!("{joint}={degrees}")]);
        let still = drawn(figure, &["--rest"]);
        assert!(
            still != at(degrees),
            "{figure} does not obey {joint}={degrees}"
        );
        assert!(still == at(0), "{figure} is not at rest at 0");
        assert!(
            at(degrees) != at(degrees / 2),
            "{figure} looks the same at other angles of {joint}"
        );
        let [early, late] = ["0.1", "0.9"].map(|time| drawn(figure, &["--time", time]));
        assert!(early != late, "{figure} stands still");
    }
}

#[test]
fn a_slide_is_set_in_metres_within_its_range() {
    let refused = |set: &str, word: &str| {
        let words = ["render", "--figure", "scara", "--set", set, "-o", "x.png"];
        let output = crate::program::run(std::env::temp_dir().as_path(), &words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(word), "{said}");
    };
    if is_without_gpu() {
        return;
    }
    refused("spindle=-0.2", "beyond its limits");
    refused("spindle=0,0", "0 angles and a slide, not 2");
    let at = |metres: &str| drawn("scara", &["--set", &format!("spindle={metres}")]);
    let still = drawn("scara", &["--rest"]);
    assert!(still == at("0"), "it is not at rest at 0");
    assert!(still != at("-0.17") && at("-0.08") != at("-0.17"));
}
