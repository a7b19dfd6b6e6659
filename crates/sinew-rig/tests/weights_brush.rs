//! Invariants of editing weights by hand, on random meshes and strokes.

use glam::Vec3;
use proptest::prelude::*;
use sinew::Influences;
use sinew_rig::weights::{Adjust, AdjustError, Brush, Falloff, Mirror, Stroke};

const JOINTS: usize = 4;
/// Vertices of the sheet along x and y; it is symmetric about x = 0.
const SIDE: usize = 9;

fn sheet() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let position = |n: usize| Vec3::new((n % SIDE) as f32 - 4.0, (n / SIDE) as f32, 0.0);
    let mut triangles = Vec::new();
    for y in 0..SIDE - 1 {
        for x in 0..SIDE - 1 {
            let at = |dx: usize, dy: usize| ((y + dy) * SIDE + x + dx) as u32;
            triangles.push([at(0, 0), at(1, 0), at(1, 1)]);
            triangles.push([at(0, 0), at(1, 1), at(0, 1)]);
        }
    }
    ((0..SIDE * SIDE).map(position).collect(), triangles)
}

fn partner(joint: usize) -> usize {
    joint ^ 1
}

fn opposite(vertex: usize) -> usize {
    vertex / SIDE * SIDE + (SIDE - 1 - vertex % SIDE)
}

fn weight(adjust: &Adjust, vertex: usize, joint: usize) -> f32 {
    let row = adjust.get(vertex).iter();
    row.filter(|w| usize::from(w.0) == joint).map(|w| w.1).sum()
}

fn rows() -> impl Strategy<Value = Vec<Vec<(u16, f32)>>> {
    let row = prop::collection::vec(0.0_f32..1.0, JOINTS);
    let row = row.prop_map(|weights| {
        let sum: f32 = weights.iter().sum();
        let joints = weights.into_iter().enumerate();
        joints
            .map(|(joint, w)| (joint as u16, if sum > 0.0 { w / sum } else { 0.25 }))
            .collect()
    });
    prop::collection::vec(row, SIDE * SIDE)
}

fn strokes() -> impl Strategy<Value = (Brush, Stroke)> {
    let falloff = prop_oneof![
        Just(Falloff::Constant),
        Just(Falloff::Linear),
        Just(Falloff::Smooth)
    ];
    let stroke = prop_oneof![
        (0..JOINTS).prop_map(Stroke::Add),
        (0..JOINTS).prop_map(Stroke::Erase),
        Just(Stroke::Smooth)
    ];
    let position = (-5.0_f32..5.0, -1.0_f32..9.0, -1.0_f32..1.0);
    (position, 0.1_f32..6.0, 0.0_f32..=1.0, falloff, stroke).prop_map(
        |((x, y, z), radius, strength, falloff, stroke)| {
            let centre = Vec3::new(x, y, z);
            let brush = Brush {
                centre,
                radius,
                falloff,
                strength,
            };
            (brush, stroke)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_stroke_keeps_sums_locks_and_what_is_beyond_its_radius(
        rows in rows(),
        (brush, stroke) in strokes(),
        locked in 0..JOINTS,
    ) {
        let (positions, triangles) = sheet();
        let (influences, _) = Influences::from_lists(&rows, JOINTS).unwrap();
        let before = Adjust::new(&influences, JOINTS).lock([locked]);
        let painted = before.clone().paint(&positions, &triangles, &brush, stroke, None);
        if stroke == Stroke::Add(locked) || stroke == Stroke::Erase(locked) {
            prop_assert_eq!(painted.unwrap_err(), AdjustError::Locked { joint: locked });
            return Ok(());
        }
        let painted = painted.unwrap();
        for (vertex, position) in positions.iter().enumerate() {
            let sum: f32 = painted.get(vertex).iter().map(|w| w.1).sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{vertex}: {sum}");
            prop_assert!(painted.get(vertex).iter().all(|w| w.1 >= 0.0));
            let kept = weight(&painted, vertex, locked) - weight(&before, vertex, locked);
            prop_assert!(kept.abs() < 1e-6, "{vertex}: locked by {kept}");
            if position.distance(brush.centre) >= brush.radius {
                prop_assert_eq!(painted.get(vertex), before.get(vertex));
            }
            let more = |joint| weight(&painted, vertex, joint) - weight(&before, vertex, joint);
            match stroke {
                Stroke::Add(joint) => prop_assert!(more(joint) > -1e-6),
                Stroke::Erase(joint) => prop_assert!(more(joint) < 1e-6),
                Stroke::Smooth => {}
            }
        }
        painted.finish().unwrap();
    }

    #[test]
    fn a_mirrored_stroke_leaves_symmetric_weights_symmetric(
        rows in rows(),
        (brush, stroke) in strokes(),
    ) {
        let (positions, triangles) = sheet();
        let (influences, _) = Influences::from_lists(&rows, JOINTS).unwrap();
        let symmetric = Adjust::new(&influences, JOINTS).mirror(&positions, 0.0, 1e-3, partner);
        let mirror = Mirror { at: 0.0, tolerance: 1e-3, joint: &partner };
        let painted = symmetric
            .clone()
            .paint(&positions, &triangles, &brush, stroke, Some(&mirror))
            .unwrap();
        let mut changed = 0;
        for vertex in 0..positions.len() {
            let image = positions[vertex] * Vec3::new(-1.0, 1.0, 1.0);
            let is_near = |position: Vec3| position.distance(brush.centre) < brush.radius;
            for joint in 0..JOINTS {
                let here = weight(&painted, vertex, joint);
                let there = weight(&painted, opposite(vertex), partner(joint));
                prop_assert!((here - there).abs() < 1e-5, "{vertex} {joint}: {here} {there}");
            }
            if !is_near(positions[vertex]) && !is_near(image) {
                prop_assert_eq!(painted.get(vertex), symmetric.get(vertex));
            } else if painted.get(vertex) != symmetric.get(vertex) {
                changed += 1;
            }
        }
        let touched = positions.iter().any(|position| brush.at(*position) > 1e-3);
        if let (true, Stroke::Add(_)) = (touched, stroke) {
            prop_assert!(changed > 0);
        }
    }
}

#[test]
fn a_brush_fades_as_it_says() {
    let at = |falloff, away: f32| {
        let brush = Brush {
            centre: Vec3::ZERO,
            radius: 2.0,
            falloff,
            strength: 0.8,
        };
        brush.at(Vec3::X * away)
    };
    for (falloff, half, three_quarters) in [
        (Falloff::Constant, 0.8, 0.8),
        (Falloff::Linear, 0.4, 0.2),
        (Falloff::Smooth, 0.4, 0.8 * 0.15625),
    ] {
        assert_eq!(at(falloff, 0.0), 0.8);
        assert!((at(falloff, 1.0) - half).abs() < 1e-6);
        assert!((at(falloff, 1.5) - three_quarters).abs() < 1e-6);
        assert_eq!(at(falloff, 2.0), 0.0);
    }
    let (positions, _) = sheet();
    let (influences, _) =
        Influences::from_lists(&vec![vec![(0, 0.6_f32), (1, 0.4)]; SIDE * SIDE], JOINTS).unwrap();
    let brush = Brush {
        centre: positions[40],
        radius: 2.0,
        falloff: Falloff::Linear,
        strength: 0.5,
    };
    let paint = |stroke| {
        let adjust = Adjust::new(&influences, JOINTS);
        adjust.paint(&positions, &[], &brush, stroke, None).unwrap()
    };
    // The strength is half at a distance of one. The other weights, 0.6 and 0.4, keep their ratio.
    let added = paint(Stroke::Add(2));
    assert!((weight(&added, 40, 2) - 0.5).abs() < 1e-6);
    assert!((weight(&added, 40, 0) - 0.3).abs() < 1e-6);
    assert!((weight(&added, 41, 2) - 0.25).abs() < 1e-6);
    let erased = paint(Stroke::Erase(0));
    assert!((weight(&erased, 40, 0) - 0.1).abs() < 1e-6);
    assert!((weight(&erased, 40, 1) - 0.9).abs() < 1e-6);
}

#[test]
fn what_cannot_be_set_or_painted_says_why() {
    let (influences, _) = Influences::from_lists(&[vec![(0, 0.7_f32), (1, 0.3)]], JOINTS).unwrap();
    let adjust = || Adjust::new(&influences, JOINTS);
    let set = |weights: &[(usize, f32)]| adjust().set(&[0], weights).map(|_| ());
    assert_eq!(set(&[(1, 0.4), (2, 0.1)]), Ok(()));
    assert_eq!(
        set(&[(9, 0.4)]),
        Err(AdjustError::NoSuchJoint {
            joint: 9,
            joints: 4
        })
    );
    assert_eq!(
        set(&[(1, 1.5)]),
        Err(AdjustError::BadWeight {
            joint: 1,
            weight: 1.5
        })
    );
    assert!(matches!(
        set(&[(1, f32::NAN)]),
        Err(AdjustError::BadWeight { .. })
    ));
    assert_eq!(
        set(&[(1, 0.75), (2, 0.75)]),
        Err(AdjustError::Sum { sum: 1.5 })
    );
    assert_eq!(
        set(&[(0, 0.5), (1, 0.25)]),
        Err(AdjustError::Sum { sum: 0.75 })
    );
    let none = adjust().set(&[1], &[(0, 1.0)]);
    assert_eq!(
        none.unwrap_err(),
        AdjustError::NoSuchVertex {
            vertex: 1,
            vertices: 1
        }
    );
    let locked = adjust().lock([0]).set(&[0], &[(2, 0.5)]);
    assert_eq!(locked.unwrap_err(), AdjustError::Sum { sum: 1.2 });
    let whole = adjust().lock([0]).set(&[0], &[(2, 0.1)]).unwrap();
    assert!((weight(&whole, 0, 0) - 0.7).abs() < 1e-7);
    assert!((weight(&whole, 0, 1) - 0.2).abs() < 1e-6);
    let places = [Vec3::ZERO];
    for (radius, strength) in [
        (0.0, 0.5),
        (-1.0, 0.5),
        (f32::NAN, 0.5),
        (1.0, 2.0),
        (1.0, -0.1),
    ] {
        let brush = Brush {
            centre: Vec3::ZERO,
            radius,
            falloff: Falloff::Linear,
            strength,
        };
        let painted = adjust().paint(&places, &[], &brush, Stroke::Add(1), None);
        assert!(
            matches!(painted, Err(AdjustError::Brush { .. })),
            "{radius} {strength}"
        );
    }
}
