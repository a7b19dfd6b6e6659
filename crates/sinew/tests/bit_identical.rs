//! Code from clip to pose must give the same bits on every machine. It may use only `+ − × ÷ √` in
//! a fixed order, and `libm`. This test searches its sources for platform mathematics, fused
//! multiply-add and `glam` arithmetic, which groups sums by instruction set. It finds operators
//! only next to a field or a constant.

use std::path::{Path, PathBuf};

const MODULES: [&str; 11] = [
    "sinew-math/src/transform",
    "sinew-math/src/hierarchy.rs",
    "sinew-math/src/affine_lanes.rs",
    "sinew/src/skeleton",
    "sinew/src/pose",
    "sinew/src/clip",
    "sinew/src/blend",
    "sinew/src/ik",
    "sinew/src/crowd.rs",
    "sinew/src/root_motion.rs",
    "sinew/src/graph",
];

/// Functions whose results depend on the platform, or that fuse operations.
const OF_THE_PLATFORM: [&str; 34] = [
    "sin",
    "cos",
    "tan",
    "sin_cos",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log",
    "log2",
    "log10",
    "powf",
    "powi",
    "cbrt",
    "hypot",
    "mul_add",
    "mul_add_precise",
    "mul_sub",
    "mul_sub_precise",
    "approximate_recip",
    "reduce_sum",
    "reduce_product",
    "rem_euclid",
];

const OF_GLAM: [&str; 40] = [
    "dot",
    "dot_into_vec",
    "cross",
    "length",
    "length_squared",
    "length_recip",
    "distance",
    "distance_squared",
    "normalize",
    "normalize_or",
    "normalize_or_zero",
    "try_normalize",
    "lerp",
    "slerp",
    "midpoint",
    "project_onto",
    "reject_from",
    "reflect",
    "refract",
    "rotate_towards",
    "angle_between",
    "element_sum",
    "element_product",
    "any_orthonormal_vector",
    "mul_vec3",
    "mul_vec3a",
    "mul_vec4",
    "mul_quat",
    "mul_mat3",
    "mul_mat4",
    "mul_scalar",
    "transform_point3",
    "transform_vector3",
    "to_axis_angle",
    "to_scaled_axis",
    "to_euler",
    "recip",
    "is_normalized",
    "as_dvec3",
    "as_dquat",
];

/// `glam` types allowed as storage or for conversions of `Affine`.
const STORED: [&str; 4] = ["Quat", "Vec3", "Affine3A", "Mat4"];

/// `glam` constructors that only store.
const STORES: [&str; 9] = [
    "new",
    "from_array",
    "from_xyzw",
    "from_cols_array",
    "from_mat4",
    "IDENTITY",
    "ZERO",
    "ONE",
    "splat",
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder of sources") {
            sources(&entry.expect("its entries").path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.map(|(number, line)| (number + 1, line.split("//").next().unwrap_or_default()))
}

fn around<'l>(line: &'l str, word: &'l str) -> impl Iterator<Item = (&'l str, &'l str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).filter_map(move |(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let is_whole = !before.ends_with(is_name) && !after.starts_with(is_name);
        is_whole.then_some((before, after))
    })
}

fn faults(line: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for name in OF_THE_PLATFORM {
        for (before, after) in around(line, name) {
            let is_call = before.ends_with('.') && after.starts_with('(');
            if is_call || before.ends_with("f32::") || before.ends_with("f64::") {
                faults.push(format!("`{name}`, whose bits are the platform's"));
            }
        }
    }
    for name in OF_GLAM {
        if around(line, name).any(|(before, after)| before.ends_with('.') && after.starts_with('('))
        {
            faults.push(format!("`{name}` as glam has it"));
        }
    }
    for name in STORED {
        for (before, after) in around(line, name) {
            let member = after.strip_prefix("::").unwrap_or("new");
            let member = member
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            let is_axis = member.is_some_and(|m| ["X", "Y", "Z"].contains(&m));
            if !is_axis && !STORES.contains(&member.unwrap_or_default()) {
                faults.push(format!("`{name}::{}` of glam", member.unwrap_or_default()));
            }
            let is_operand =
                before.trim_end().ends_with(['+', '-', '*', '/']) && after.starts_with("::");
            if is_operand {
                faults.push(format!("an operator before `{name}::`"));
            }
        }
    }
    for field in ["translation", "rotation", "scale"] {
        for (before, after) in around(line, field) {
            let operator = after.trim_start().starts_with(['+', '-', '*', '/']);
            if before.ends_with('.') && operator {
                faults.push(format!("an operator after `.{field}`"));
            }
        }
    }
    if line.contains("use glam::") {
        let names = line.split(['{', '}', ',', ';', ' ', ':']);
        let names = names.filter(|n| !["", "use", "glam"].contains(n));
        let strange = names.filter(|name| !STORED.contains(name));
        faults.extend(strange.map(|name| format!("`{name}` of glam")));
    }
    faults
}

#[test]
fn the_line_to_a_pose_computes_by_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for module in MODULES {
        sources(&root.join(module), &mut files);
    }
    assert!(files.len() > 15, "the sources have moved: {files:?}");
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("sources are text");
        for (number, line) in code(&text) {
            let place = || format!("{}:{number}", file.display());
            found.extend(
                faults(line)
                    .into_iter()
                    .map(|fault| format!("{}: {fault}", place())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_reader_of_sources_sees_what_it_looks_for() {
    for line in [
        "let s = angle.sin();",
        "let q = a.mul_add(b, c);",
        "let r = x.approximate_recip();",
        "let h = f64::hypot(a, b);",
        "let d = a.translation.dot(b);",
        "let q = Quat::from_axis_angle(axis, angle);",
        "let p = self.translation + moved;",
        "let p = 2.0 * Vec3::X;",
        "use glam::{DVec3, Vec3};",
    ] {
        assert!(!faults(line).is_empty(), "{line}");
    }
    for line in [
        "let s = libm::sin(angle);",
        "let d = dot(a, b) - quat::slerp(a, b, t).x;",
        "let q = quat::from_axis_angle(axis, angle_rad);",
        "let x = self.translation.x + moved.x;",
        "let t = Vec3::new(a.x - b.x, 0.0, -c);",
        "use glam::{Quat, Vec3};",
    ] {
        assert_eq!(faults(line), [""; 0], "{line}");
    }
}
