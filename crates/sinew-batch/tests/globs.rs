//! Patterns of inputs and names of outputs.

use sinew_batch::{Glob, Recipe};

#[test]
fn patterns_match_whole_paths() {
    for (pattern, path, rest) in [
        ("takes/*.bvh", "takes/walk.bvh", Some("walk.bvh")),
        ("takes/*.bvh", "takes/monday/walk.bvh", None),
        ("takes/*.bvh", "takes/.walk.bvh", None),
        ("takes/.*.bvh", "takes/.walk.bvh", Some(".walk.bvh")),
        ("takes/**/*.bvh", "takes/walk.bvh", Some("walk.bvh")),
        ("takes/**/*.bvh", "takes/a/b/walk.bvh", Some("a/b/walk.bvh")),
        ("takes/**/*.bvh", "takes/.a/walk.bvh", None),
        ("takes/**", "takes/a/b.c", Some("a/b.c")),
        ("**/a/*/b?.bvh", "a/a/x/b1.bvh", Some("a/a/x/b1.bvh")),
        ("**/a/*/b?.bvh", "a/x/b.bvh", None),
        ("*a*b*c", "xaybzbc", Some("xaybzbc")),
        ("*a*b*c", "xaybz", None),
        ("walk.bvh", "walk.bvh", Some("walk.bvh")),
        ("./a/walk.bvh", "a/walk.bvh", Some("walk.bvh")),
        ("a/[x].bvh", "a/x.bvh", None),
        ("", "walk.bvh", None),
    ] {
        assert_eq!(Glob::new(pattern).matched(path), rest, "{pattern} {path}");
    }
}

#[test]
fn long_patterns_take_no_time() {
    let pattern = "*a".repeat(2_000) + "b";
    assert_eq!(Glob::new(&pattern).matched(&"a".repeat(10_000)), None);
    let pattern = "**/a/".repeat(500) + "b";
    assert_eq!(Glob::new(&pattern).matched(&"a/".repeat(5_000)), None);
}

#[test]
fn folders_are_those_below_the_pattern() {
    let step = "[[step]]\nverb = \"clean\"\noutput = \"out/{folder}/{name}-{folder}.bvh\"";
    let recipe = Recipe::parse(&format!("inputs = [\"a/**/*.bvh\", \"b/c.bvh\"]\n{step}"));
    let recipe = recipe.expect("a recipe");
    for (path, output) in [
        ("a/x.y.bvh", "out/x.y-.bvh"),
        ("a/d/e/x.bvh", "out/d/e/x-d/e.bvh"),
        ("b/c.bvh", "out/c-.bvh"),
    ] {
        let input = recipe.input(path).expect("it matches");
        assert_eq!(recipe.outputs(&input), [output]);
    }
    assert_eq!(recipe.input("b/d.bvh"), None);
}
