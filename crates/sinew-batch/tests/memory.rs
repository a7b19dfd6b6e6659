//! Recipes in memory.

use sinew_batch::{Plan, Recipe, StepError};

const TURN: &[u8] =
    b"HIERARCHY ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } }
MOTION Frames: 3 Frame Time: 0.5
0
40
90
";

fn plan(steps: &str) -> Plan {
    let recipe = Recipe::parse(&format!("inputs = \"*.bvh\"\n{steps}")).expect("a recipe");
    Plan::new(recipe, |_| Err("there is no such file".to_owned())).expect("it names no file")
}

#[test]
fn steps_run_in_the_order_of_what_they_take() {
    let plan = plan(
        r#"
[[step]]
verb = "measure"
motion = true
from = "half"

[[step]]
name = "half"
verb = "clean"
no-filter = true
from = "input"
output = "{name}.bvh"

[[step]]
verb = "compress"
from = "half"
output = "{name}.sinew"
"#,
    );
    let input = plan.recipe().input("turn.bvh").expect("it matches");
    let ran = plan.run(&input, TURN, None).expect("it runs");
    let names: Vec<_> = ran.outputs.iter().map(|output| &*output.path).collect();
    assert_eq!(names, ["turn.bvh", "turn.sinew"]);
    let steps: Vec<_> = ran.measured.iter().map(|m| &*m.step).collect();
    assert_eq!(steps, ["clean before", "clean after", "measure"]);
    assert_eq!(ran.measured[2].clip, "turn");
}

#[test]
fn the_same_bytes_come_from_any_thread() {
    let plan = plan("[[step]]\nverb = \"convert\"\noutput = \"{name}.glb\"");
    let run = || {
        let input = plan.recipe().input("turn.bvh").expect("it matches");
        let ran = plan.run(&input, TURN, None).expect("it runs");
        ran.outputs[0].bytes.clone()
    };
    let first = run();
    std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(run));
        for thread in threads {
            assert!(thread.join().expect("it ends") == first);
        }
    });
}

#[test]
fn hashes_change_with_what_changes_outputs() {
    let step = "[[step]]\nverb = \"convert\"\noutput = \"{name}.glb\"";
    let first = plan(step).hash();
    assert_eq!(plan(&format!("# comment\n{step}")).hash(), first);
    for other in [
        step.replace("{name}", "x{name}"),
        format!("{step}\nscale = 2"),
    ] {
        assert_ne!(plan(&other).hash(), first, "{other}");
    }
}

#[test]
fn a_broken_input_is_an_error() {
    let plan = plan("[[step]]\nverb = \"clean\"\noutput = \"{name}.bvh\"");
    let input = plan.recipe().input("turn.bvh").expect("it matches");
    for bytes in [&b""[..], b"HIERARCHY", &TURN[..60], &[0; 600]] {
        let failed = plan.run(&input, bytes, None);
        assert!(matches!(failed, Err(StepError::Import(_))), "{failed:?}");
    }
}
