//! one
use glam::Vec3;
use sinew::simd::Level;
use sinew::skin::*;
use sinew::transform::quat;
use sinew::{Affine, Influences, Joint, ModelPose, Skeleton, Skin, Transform};
use std::hint::black_box;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (method, level, k, vertices, iters): (&str, Level, usize, usize, usize) = (
        &a[1],
        a[2].parse().unwrap(),
        a[3].parse().unwrap(),
        a[4].parse().unwrap(),
        a[5].parse().unwrap(),
    );
    let joints = 67;
    let skeleton = Skeleton::new(
        (0..joints)
            .map(|j: usize| {
                Joint::new(
                    j.to_string(),
                    j.checked_sub(1),
                    Transform::from_translation(Vec3::X * 0.1),
                )
            })
            .collect(),
    )
    .unwrap()
    .0;
    let skin = Skin::at_rest(&skeleton);
    let mut local = skeleton.rest().clone();
    for j in 0..joints {
        let mut t = local.get(j);
        t.rotation = quat::from_axis_angle(Vec3::new(1.0, j as f32, 2.0), 0.1);
        if method == "dqss" {
            t.scale = Vec3::new(1.1, 0.9, 1.0);
        }
        local.set(j, t);
    }
    let mut pose = ModelPose::identity(0);
    pose.update(&skeleton, &local, &Affine::IDENTITY);
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    let mut dual = DualQuatPalette::new(&skeleton, &skin);
    dual.update(&pose);
    let sets = if a.len() > 6 {
        a[6].parse().unwrap()
    } else {
        170
    };
    let lists: Vec<Vec<(u16, f32)>> = (0..vertices)
        .map(|v| {
            let s = (v * 31) % sets;
            let u = (v % 97) as f32 / 97.0;
            (0..k)
                .map(|i| {
                    (
                        ((s + i * 5) % joints) as u16,
                        0.2 + (u * (i + 1) as f32).fract(),
                    )
                })
                .collect()
        })
        .collect();
    let (inf, _) = Influences::from_lists(&lists, joints).unwrap();
    let positions: Vec<Vec3> = (0..vertices)
        .map(|v| Vec3::new(v as f32 * 1e-5, (v % 7) as f32 * 0.1, 0.3))
        .collect();
    let normals: Vec<Vec3> = (0..vertices)
        .map(|v| Vec3::new((v % 5) as f32 - 2.0, 1.0, 0.3).normalize())
        .collect();
    let plan = SkinPlan::new(&inf, WeightFormat::F32);
    let bind = Streams::gather(
        &plan,
        &Vertices {
            positions: &positions,
            normals: Some(&normals),
            tangents: None,
        },
    )
    .unwrap();
    let mut out = bind.clone();
    let p = if method == "lbs" {
        PaletteRef::Linear(palette.as_slice())
    } else {
        PaletteRef::DualQuat(&dual)
    };
    let job = SkinJob {
        level,
        ..SkinJob::new(&plan, p, &bind)
    };
    let (mut best, mut copy) = (f64::MAX, f64::MAX);
    for _ in 0..iters {
        let t = Instant::now();
        if method == "copy" {
            out.positions.copy_from_slice(&bind.positions);
            out.normals.copy_from_slice(&bind.normals);
            black_box(&mut out);
        } else {
            job.run(black_box(&mut out)).unwrap();
        }
        best = best.min(t.elapsed().as_secs_f64());
        let t = Instant::now();
        out.positions.copy_from_slice(&bind.positions);
        out.normals.copy_from_slice(&bind.normals);
        black_box(&mut out);
        copy = copy.min(t.elapsed().as_secs_f64());
    }
    let per = 1e9 / vertices as f64;
    println!(
        "{method} {level} k={k} {vertices}: {:.3} ns copy {:.3} ratio {:.2} shared {:.2}",
        best * per,
        copy * per,
        best / copy,
        plan.shared_vertices() as f64 / vertices as f64
    );
}
