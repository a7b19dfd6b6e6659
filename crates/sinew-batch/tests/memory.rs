//! Recipes in memory.

use sinew_batch::{ContentHash, Plan, Recipe, StepError};

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

#[test]
fn a_record_says_whether_an_input_is_done() {
    let plan = plan(
        "[[step]]\nverb = \"clip\"\nreverse = true\noutput = \"{name}.glb\"\n[[step]]\nverb = \"convert\"\noutput = \"{name}.bvh\"",
    );
    let input = plan.recipe().input("turn.bvh").expect("it matches");
    let (record, outputs) = plan.record(&input, TURN, None);
    let bytes: Vec<_> = outputs.iter().map(|o| o.bytes.len() as u64).collect();
    assert_eq!(record.error, None);
    for (written, output) in record.outputs.iter().zip(&outputs) {
        let hash = ContentHash::of(&output.bytes);
        assert_eq!((&written.path, written.hash), (&output.path, hash));
    }
    let known = record.known();
    let hash = ContentHash::of(TURN);
    let size = |path: &str| {
        let at = outputs.iter().position(|o| o.path == path)?;
        Some(bytes[at])
    };
    assert!(plan.is_current(&known, &input, hash, size));
    assert!(!plan.is_current(&known, &input, ContentHash::of(b"other"), size));
    assert!(!plan.is_current(&known, &input, hash, |_| None));
    assert!(!plan.is_current(&known, &input, hash, |path| size(path).map(|s| s + 1)));
    let later = record.failed_for_now("no space".to_owned());
    assert_eq!((later.outputs.len(), &*later.input), (0, "turn.bvh"));
    assert!(!plan.is_current(&later.known(), &input, hash, size));
    // A failure for good is current without outputs.
    let (bad, none) = plan.record(&input, b"HIERARCHY", None);
    assert!(bad.error.is_some() && none.is_empty() && !bad.again);
    assert!(plan.is_current(&bad.known(), &input, bad.hash, |_| None));
}

#[test]
fn files_that_steps_name_are_listed_and_read_once() {
    let steps = r#"
[[step]]
verb = "mocap"
onto = "hero.glb"
markers = "set.json"
static = "stand.c3d"
[[step]]
verb = "clip"
take = ["a.bvh", "b.bvh"]
key = ["0=pose.json", "0.5=walk@0.2"]
output = "{name}.glb"
"#;
    let recipe = Recipe::parse(&format!("inputs = \"*.c3d\"\n{steps}")).expect("a recipe");
    let names: Vec<_> = recipe
        .files()
        .iter()
        .map(|f| f.display().to_string())
        .collect();
    assert_eq!(
        names,
        [
            "hero.glb",
            "set.json",
            "stand.c3d",
            "a.bvh",
            "b.bvh",
            "pose.json"
        ]
    );
    let inputs = ["b.c3d", "x.txt", "a.c3d", "b.c3d"].map(str::to_owned);
    let chosen = recipe.choose(inputs.to_vec()).expect("two inputs");
    let chosen: Vec<_> = chosen.iter().map(|input| &*input.path).collect();
    assert_eq!(chosen, ["a.c3d", "b.c3d"]);
    assert!(recipe.choose(vec!["x.txt".to_owned()]).is_err());
}
