//! `sinew render` without a Vulkan driver: OpenGL draws the same picture.

use crate::render::{folder, is_without_gpu, program, text};
use sinew_gpu::{Picture, read_png};
use std::process::Output;

/// Runs the program with drivers of Vulkan hidden.
fn without_vulkan(arguments: &[&str], adapter: &str) -> Output {
    let mut program = program();
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        program.env(variable, "/nonexistent");
    }
    let output = program.env("SINEW_ADAPTER", adapter).args(arguments);
    output.output().expect("the program starts")
}

fn picture(output: &Output) -> Picture {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    read_png(&output.stdout).expect("a picture")
}

/// Mean and max difference of all bytes.
fn apart(a: &Picture, b: &Picture) -> (f64, u8) {
    let bytes = a.rgba().iter().zip(b.rgba());
    let apart: Vec<u8> = bytes.map(|(a, b)| a.abs_diff(*b)).collect();
    let sum: f64 = apart.iter().map(|d| f64::from(*d)).sum();
    (
        sum / apart.len() as f64,
        apart.into_iter().max().unwrap_or(0),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn opengl_draws_the_picture_where_there_is_no_vulkan() {
    if is_without_gpu() {
        return;
    }
    let plain = ["render", "--figure", "tube", "--size", "160x120", "-o", "-"];
    // The message lists the adapters that there are.
    let listed = without_vulkan(&plain, "no such device");
    let listed = text(&listed.stderr);
    assert!(!listed.contains("(vulkan)"), "{listed}");
    if !listed.contains("(gl)") {
        eprintln!("SKIPPED: there is no OpenGL driver with compute shaders");
        return;
    }
    let drawn = picture(&without_vulkan(&plain, ""));
    let usual = picture(&program().args(plain).output().expect("it starts"));
    let (mean, max) = apart(&drawn, &usual);
    println!("OpenGL: mean {mean:.4}, max {max}");
    assert!(mean < 0.1 && max <= 16, "mean {mean}, max {max}");
    // The comparison would notice a missing shadow.
    let bare = [&plain[..], &["--passes", "occlusion"]].concat();
    let (mean, max) = apart(&drawn, &picture(&without_vulkan(&bare, "")));
    assert!(
        mean > 0.1 && max > 16,
        "without shadow: mean {mean}, max {max}"
    );
}

#[test]
fn a_picture_over_the_limit_and_polygons_that_cross_are_told_apart() {
    let folder = folder("render-said");
    let at = |name: &str| folder.join(name).display().to_string();
    let file = std::fs::File::create(at("large.png")).expect("a file");
    file.set_len((256 << 20) + 1).expect("a sparse file");
    std::fs::write(at("flat.mtl"), "newmtl a\nmap_Kd large.png\n").expect("a file");
    let mesh = "mtllib flat.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl a\nf 1 2 3 4\n";
    std::fs::write(at("flat.obj"), mesh).expect("a file");
    // A polygon of which no corner can be cut off.
    let crossed = "v -9 -7 0\nv 0 -2 0\nv -5 -2 0\nv -2 -4 0\nv 1 -1 0\nv 7 -5 0\nf 1 2 3 4 5 6\n";
    std::fs::write(at("crossed.obj"), crossed).expect("a file");
    for (name, word) in [
        ("flat.obj", "the max is 256 MiB"),
        ("crossed.obj", "cross themselves"),
    ] {
        let output = program()
            .args(["bind", &at(name), "-o", &at("out.glb")])
            .output();
        let said = text(&output.expect("it starts").stderr);
        assert!(
            said.contains(word) && said.contains("sinew info"),
            "{name}: {said}"
        );
    }
    std::fs::remove_dir_all(&folder).expect("our folder");
}
