//! Skinning kernels beside a copy and a plain loop.

use glam::{Affine3A, Quat, Vec3};
use sinew::simd::Level;
use sinew::skin::*;
use sinew::transform::quat;
use sinew::{Affine, Influences, Joint, ModelPose, Skeleton, Skin, Transform};
use std::hint::black_box;
use std::time::Instant;

fn best(mut job: impl FnMut(), budget: f64) -> f64 {
    let (mut best, begin) = (f64::INFINITY, Instant::now());
    let mut n = 0;
    while begin.elapsed().as_secs_f64() < budget || n < 5 {
        let start = Instant::now();
        job();
        best = best.min(start.elapsed().as_secs_f64());
        n += 1;
    }
    best
}

fn main() {
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
    for scaled in [false] {
        let mut local = skeleton.rest().clone();
        for j in 0..joints {
            let mut t = local.get(j);
            t.rotation = quat::from_axis_angle(Vec3::new(1.0, j as f32, 2.0), 0.1);
            if scaled {
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
        for vertices in [17_000usize, 1_000_000] {
            for k in [1usize, 2, 4, 8] {
                let sets = 170;
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
                let budget = 0.25;
                let copy = best(
                    || {
                        out.positions.copy_from_slice(&bind.positions);
                        out.normals.copy_from_slice(&bind.normals);
                        black_box(&mut out);
                    },
                    budget,
                );
                let glam_palette: Vec<Affine3A> =
                    palette.as_slice().iter().map(|&a| a.into()).collect();
                let _ = (&glam_palette, Quat::IDENTITY);
                let per = 1e9 / vertices as f64;
                print!(
                    "{} {vertices:>8} k={k} copy {:.3}",
                    if scaled { "scaled" } else { "rigid " },
                    copy * per
                );
                for level in Level::all().into_iter().take(2) {
                    for (name, p) in [
                        ("lbs", PaletteRef::Linear(palette.as_slice())),
                        ("dqs", PaletteRef::DualQuat(&dual)),
                    ] {
                        let job = SkinJob {
                            level,
                            ..SkinJob::new(&plan, p, &bind)
                        };
                        let t = best(
                            || {
                                job.run(black_box(&mut out)).unwrap();
                            },
                            budget,
                        );
                        print!("  {name} {level} {:.3} ({:.2}x)", t * per, t / copy);
                    }
                }
                println!(
                    "  shared {:.0}% pad {:.1}%",
                    100.0 * plan.shared_vertices() as f64 / vertices as f64,
                    plan.padding() * 100.0
                );
            }
        }
    }
}
