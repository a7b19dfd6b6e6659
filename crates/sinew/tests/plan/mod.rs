mod bodies;
mod figure;

pub use figure::{Figure, Scaled};

use figure::{JOINTS, SCALED};
use glam::{Vec3, Vec4};
use proptest::prelude::*;
use sinew::simd::{LANES, Level};
use sinew::skin::{
    DualQuatPalette, Layout, Order, PaletteRef, SkinError, SkinJob, SkinPlan, Streams, Vertices,
    VerticesMut, WeightFormat, dual_quat, linear, rigid,
};
use sinew::transform::quat;
use sinew::{Affine, Influences, Joint, ModelPose, Skeleton, Skin, Transform};

type Skinned = (Vec<Vec3>, Vec<Vec3>, Vec<Vec4>);

fn by_plan(figure: &Figure, plan: &SkinPlan, palette: PaletteRef<'_>, level: Level) -> Skinned {
    by_job(figure, plan, palette, |job, out| {
        SkinJob { level, ..job }.run(out).expect("fits");
    })
}

/// Kernels as in builds without optimisation.
fn plainly(figure: &Figure, plan: &SkinPlan, palette: PaletteRef<'_>) -> Skinned {
    by_job(figure, plan, palette, |job, out| {
        job.run_plain(out).expect("fits");
    })
}

fn by_job(
    figure: &Figure,
    plan: &SkinPlan,
    palette: PaletteRef<'_>,
    run: impl Fn(SkinJob<'_>, &mut Streams),
) -> Skinned {
    let bind = Streams::gather(plan, &figure.vertices()).expect("fits");
    let mut out = bind.clone();
    run(SkinJob::new(plan, palette, &bind), &mut out);
    let mut skinned = (
        figure.positions.clone(),
        figure.normals.clone(),
        figure.tangents.clone(),
    );
    out.scatter_positions(plan, &mut skinned.0);
    out.scatter_normals(plan, &mut skinned.1);
    out.scatter_tangents(plan, &mut skinned.2);
    skinned
}

fn by_reference(
    figure: &Figure,
    job: impl Fn(&Vertices<'_>, &mut VerticesMut<'_>) -> Result<(), SkinError>,
) -> Skinned {
    let mut skinned = (
        figure.positions.clone(),
        figure.normals.clone(),
        figure.tangents.clone(),
    );
    let mut out = VerticesMut {
        positions: &mut skinned.0,
        normals: Some(&mut skinned.1),
        tangents: Some(&mut skinned.2),
    };
    job(&figure.vertices(), &mut out).expect("fits");
    skinned
}

/// If joints are scaled to 0, rounding decides the direction of a flattened normal.
#[track_caller]
fn assert_agree(found: &Skinned, wanted: &Skinned, directions: bool, what: &str) {
    let far = wanted
        .0
        .iter()
        .fold(0.0, |m, p| p.abs().max_element().max(m));
    let extent = far.clamp(0.01, 8.0);
    for vertex in 0..wanted.0.len() {
        let error = found.0[vertex].distance(wanted.0[vertex]);
        assert!(
            error <= 2e-6 * extent,
            "{what}: position {vertex} is off by {error}"
        );
        if !directions {
            let lengths = [
                found.1[vertex].length(),
                found.2[vertex].truncate().length(),
            ];
            assert!(
                lengths.iter().all(|l| (l - 1.0).abs() < 1e-3),
                "{what}: {lengths:?}"
            );
            continue;
        }
        let normal = found.1[vertex].distance(wanted.1[vertex]);
        assert!(normal <= 1e-3, "{what}: normal {vertex} is off by {normal}");
        let tangent = found.2[vertex].distance(wanted.2[vertex]);
        assert!(
            tangent <= 1e-3,
            "{what}: tangent {vertex} is off by {tangent}"
        );
    }
}

fn check(figure: &Figure) {
    let (matrices, dual) = (figure.linear_palette(), figure.dual_palette());
    for format in [WeightFormat::F32, WeightFormat::U16] {
        let plan = SkinPlan::new(&figure.influences, format);
        let same = plan.influences();
        let lbs = by_reference(figure, |v, out| linear(matrices.as_slice(), &same, v, out));
        let dqs = by_reference(figure, |v, out| dual_quat(&dual, &same, v, out));
        let found = plainly(figure, &plan, PaletteRef::Linear(matrices.as_slice()));
        assert_agree(
            &found,
            &lbs,
            figure.directions,
            &format!("linear {format:?}"),
        );
        let found = plainly(figure, &plan, PaletteRef::DualQuat(&dual));
        assert_agree(&found, &dqs, figure.directions, &format!("dual {format:?}"));
        for level in Level::all() {
            let found = by_plan(
                figure,
                &plan,
                PaletteRef::Linear(matrices.as_slice()),
                level,
            );
            assert_agree(
                &found,
                &lbs,
                figure.directions,
                &format!("linear {level} {format:?}"),
            );
            let found = by_plan(figure, &plan, PaletteRef::DualQuat(&dual), level);
            assert_agree(
                &found,
                &dqs,
                figure.directions,
                &format!("dual {level} {format:?}"),
            );
        }
    }
    let plan = SkinPlan::rigid(&figure.influences);
    let wanted = by_reference(figure, |v, out| {
        rigid(matrices.as_slice(), &figure.influences, v, out)
    });
    for level in Level::all() {
        let found = by_plan(
            figure,
            &plan,
            PaletteRef::Linear(matrices.as_slice()),
            level,
        );
        assert_agree(
            &found,
            &wanted,
            figure.directions,
            &format!("rigid {level}"),
        );
    }
}

#[test]
fn what_a_job_refuses() {
    let figure = Figure::new(1, 40, 3, 3, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).expect("fits");
    let palette = figure.linear_palette();
    let mut out = bind.clone();
    let job = SkinJob::new(&plan, PaletteRef::Linear(&palette.as_slice()[..1]), &bind);
    assert!(matches!(
        job.run(&mut out),
        Err(SkinError::NoSuchJoint { .. })
    ));
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    let mut short = bind.clone();
    short.positions.pop();
    assert!(matches!(job.run(&mut short), Err(SkinError::Length { .. })));
    let mut short = bind.clone();
    short.normals.pop();
    assert!(matches!(job.run(&mut short), Err(SkinError::Length { .. })));
    let positions_only = Vertices {
        normals: None,
        tangents: None,
        ..figure.vertices()
    };
    let bare = Streams::gather(&plan, &positions_only).expect("fits");
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bare);
    assert_eq!(
        job.run(&mut out),
        Err(SkinError::Missing { what: "normals" })
    );
    let unsigned = DualQuatPalette::from_matrices(palette.as_slice(), &[Vec3::ZERO; JOINTS])
        .expect("of this skeleton");
    let job = SkinJob::new(&plan, PaletteRef::DualQuat(&unsigned), &bind);
    assert_eq!(job.run(&mut out), Err(SkinError::SignsNotFixed));
    let short = Vertices {
        positions: &figure.positions[1..],
        ..positions_only
    };
    assert!(matches!(
        Streams::gather(&plan, &short),
        Err(SkinError::Length { .. })
    ));

    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; 40 * 6 - 1];
    let refused = |layout: &Layout, buffer: &mut [f32]| {
        matches!(
            job.run_interleaved(buffer, layout),
            Err(SkinError::Layout { .. })
        )
    };
    assert!(refused(&layout, &mut buffer));
    assert!(refused(
        &Layout {
            normal: Some(4),
            ..layout
        },
        &mut [0.0; 400]
    ));
    assert!(refused(
        &Layout {
            position: usize::MAX,
            ..layout
        },
        &mut [0.0; 400]
    ));
    assert!(refused(
        &Layout {
            stride: usize::MAX,
            ..layout
        },
        &mut [0.0; 400]
    ));
}

#[test]
fn kernels_agree_with_the_reference_on_every_instruction_set() {
    for (seed, (sets, width)) in [(1, 1), (2, 2), (7, 4), (40, 4), (3, 8), (9, 12), (200, 12)]
        .into_iter()
        .enumerate()
    {
        for scaled in SCALED {
            check(&Figure::new(seed as u64 * 77 + 5, 500, sets, width, scaled));
        }
    }
}

#[test]
fn meshes_of_few_vertices_and_of_none() {
    for vertices in [0, 1, 2, 15, 16, 17, 33] {
        check(&Figure::new(
            vertices as u64 + 3,
            vertices,
            3,
            4,
            Scaled::Some,
        ));
    }
}

#[test]
fn interleaved_output_in_both_orders() {
    let figure = Figure::new(9, 333, 12, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).expect("fits");
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    let wanted = by_plan(&figure, &plan, job.palette, job.level);
    let plan_from_mesh = plan.plan_from_mesh();
    for order in [Order::Mesh, Order::Plan] {
        let layout = Layout {
            stride: 11,
            position: 1,
            normal: Some(8),
            tangent: Some(4),
            order,
        };
        let mut buffer = vec![7.0; 333 * 11];
        job.run_interleaved(&mut buffer, &layout).expect("fits");
        for mesh in 0..333 {
            let vertex = match order {
                Order::Mesh => mesh,
                Order::Plan => plan_from_mesh[mesh] as usize,
            };
            let part = |offset: usize| Vec3::from_slice(&buffer[vertex * 11 + offset..]);
            assert_eq!(part(1), wanted.0[mesh]);
            assert_eq!(part(8), wanted.1[mesh]);
            assert_eq!(part(4), wanted.2[mesh].truncate());
            assert_eq!(
                buffer[vertex * 11],
                7.0,
                "between the parts nothing is written"
            );
            assert_eq!(buffer[vertex * 11 + 7], 7.0);
        }
    }
    let indices = [0, 5, 332, 99];
    let remapped = plan.remap_indices(&indices);
    for (old, new) in indices.iter().zip(remapped) {
        assert_eq!(plan.mesh_from_plan()[new as usize], *old);
    }
}

#[test]
fn bounds_come_from_the_same_pass() {
    let figure = Figure::new(4, 1001, 9, 4, Scaled::Some);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).expect("fits");
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    let mut out = bind.clone();
    let bounds = job
        .run_with_bounds(&mut out)
        .expect("fits")
        .expect("vertices");
    let (positions, ..) = by_plan(&figure, &plan, job.palette, job.level);
    let (low, high) = positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| {
            (l.min(*p), h.max(*p))
        });
    assert_eq!((bounds.min, bounds.max), (low, high));
    let nothing = Figure::new(4, 0, 1, 1, Scaled::No);
    let plan = SkinPlan::new(&nothing.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &nothing.vertices()).expect("fits");
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    assert_eq!(job.run_with_bounds(&mut bind.clone()), Ok(None));
}

#[test]
fn what_is_not_finite_stays_with_the_vertices_it_touches() {
    let figure = Figure::new(6, 700, 30, 6, Scaled::Some);
    let mut palette = figure.linear_palette().as_slice().to_vec();
    let bad = 4;
    palette[bad].rows[1][2] = f32::NAN;
    palette[bad].rows[0][3] = f32::INFINITY;
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    for level in Level::all() {
        let (positions, normals, _) = by_plan(&figure, &plan, PaletteRef::Linear(&palette), level);
        for vertex in 0..positions.len() {
            let touched = figure.influences.get(vertex).any(|(joint, _)| joint == bad);
            if !touched {
                assert!(positions[vertex].is_finite() && normals[vertex].is_finite());
            }
        }
        assert!(positions.iter().any(|p| !p.is_finite()));
    }
}

#[test]
fn where_motions_cancel_the_heaviest_joint_decides() {
    // Three joints add up to 360°. Signs from the pose make the sum zero at equal weights.
    let step = Transform::from_translation(Vec3::ZERO);
    let joints = (0..4)
        .map(|j: usize| Joint::new("", j.checked_sub(1), step))
        .collect();
    let skeleton = Skeleton::new(joints).expect("a chain").0;
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut local = skeleton.rest().clone();
    for joint in 1..4 {
        local.set_rotation(joint, quat::from_axis_angle(Vec3::X, 120_f32.to_radians()));
    }
    let mut pose = ModelPose::identity(0);
    pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    let mut palette = DualQuatPalette::new(
        skeleton.hierarchy(),
        skeleton.rest_model().as_slice(),
        &skin,
    )
    .expect("of this skeleton");
    palette.update(pose.as_slice()).expect("of this skeleton");
    let apart = quat::dot(palette.joint(0).rotation, palette.joint(3).rotation);
    assert!(apart < -0.999_999, "a full rotation: {apart}");
    let lists = vec![vec![(0, 0.5), (3, 0.5)]; 20];
    let influences = Influences::from_lists(&lists, 4).expect("few").0;
    let plan = SkinPlan::new(&influences, WeightFormat::F32);
    let positions = vec![Vec3::new(1.0, 2.0, 3.0); 20];
    let vertices = Vertices {
        positions: &positions,
        normals: None,
        tangents: None,
    };
    let bind = Streams::gather(&plan, &vertices).expect("fits");
    for level in Level::all() {
        let job = SkinJob {
            level,
            ..SkinJob::new(&plan, PaletteRef::DualQuat(&palette), &bind)
        };
        let mut out = bind.clone();
        job.run(&mut out).expect("fits");
        let mut found = positions.clone();
        out.scatter_positions(&plan, &mut found);
        assert!(
            found.iter().all(|p| p.distance(positions[0]) < 1e-5),
            "{level}: {}",
            found[0]
        );
    }
}

#[test]
fn a_plan_is_small_and_hardly_padded() {
    let figure = Figure::new(12, 5000, 40, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let allowed = 1.3 * 6.0 * figure.influences.total() as f64;
    assert!(
        (plan.bytes() as f64) < allowed,
        "{} of {allowed}",
        plan.bytes()
    );
    assert!(plan.padding() < 0.1, "{}", plan.padding());
    assert_eq!(plan.blocks(), 5000_usize.div_ceil(LANES));
    let half = SkinPlan::new(&figure.influences, WeightFormat::U16);
    assert!(half.bytes() < plan.bytes());
    let mut seen = plan.mesh_from_plan().to_vec();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..5000), "every vertex once");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let figure = Figure::new(8, 20_000, 60, 4, Scaled::Some);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).expect("fits");
    let dual = figure.dual_palette();
    let job = SkinJob::new(&plan, PaletteRef::DualQuat(&dual), &bind);
    let mut one = bind.clone();
    job.run(&mut one).expect("fits");
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let mut many = bind.clone();
        pool.install(|| job.run_parallel(&mut many)).expect("fits");
        assert_eq!(one, many, "{threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_meshes_agree(seed in any::<u64>(), vertices in 0_usize..200, sets in 1_usize..50, width in 1_usize..13, scaled in 0..SCALED.len()) {
        let figure = Figure::new(seed, vertices, sets, width, SCALED[scaled]);
        check(&figure);
        let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
        // Less than one block of empty lanes, plus one wide block per change of the width.
        let widest = figure.influences.max_per_vertex();
        let wasted = plan.padding() * figure.influences.total() as f64;
        prop_assert!(plan.blocks() * LANES < plan.len() + LANES);
        prop_assert!(wasted < (widest.max(1) * LANES) as f64, "{wasted}");
    }
}

#[test]
fn levels_have_names() {
    for level in Level::all() {
        let again: Level = level.name().parse().expect("its own name");
        assert_eq!(again.name(), level.name());
    }
    let refused = "mmx".parse::<Level>().expect_err("no such level");
    assert!(refused.to_string().contains(Level::best().name()));
}
