//! The mannequin has a closed and symmetric surface, valid weights, and motions within limits.

use glam::Vec3;
use sinew::clip::Clip;
use sinew::mesh::{Primitive, volume};
use sinew::pose::{LocalPose, ModelPose};
use sinew::{Affine, Character, Method, deform, sample};
use sinew_samples::mannequin::{Mannequin, TWIST_DEG};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

pub(crate) static PERSON: LazyLock<Character> = LazyLock::new(|| Mannequin::default().build());

pub(crate) fn body(person: &Character) -> &Primitive {
    &person.meshes[0].primitives[0]
}

type Bits = [u32; 3];

fn bits(p: Vec3) -> Bits {
    p.to_array().map(f32::to_bits)
}

/// Positions and triangles. Merges vertices that differ only in colour or texture coordinates.
fn welded(primitive: &Primitive) -> (Vec<Vec3>, Vec<[usize; 3]>) {
    let mut number: HashMap<Bits, usize> = HashMap::new();
    let mut positions = Vec::new();
    let index: Vec<usize> = primitive
        .positions
        .iter()
        .map(|&p| {
            *number.entry(bits(p)).or_insert_with(|| {
                positions.push(p);
                positions.len() - 1
            })
        })
        .collect();
    let triangles = primitive.triangles().map(|t| t.map(|v| index[v]));
    (positions, triangles.collect())
}

fn clip<'a>(person: &'a Character, name: &str) -> &'a Clip {
    &person.clips[person.find_clip(name).unwrap()]
}

fn local(person: &Character, clip: &Clip, secs: f64) -> LocalPose {
    let mut pose = LocalPose::identity(0);
    sample(clip, &person.skeleton, secs, &mut pose).unwrap();
    pose
}

fn posed(person: &Character, clip: &Clip, secs: f64) -> ModelPose {
    let mut pose = ModelPose::identity(0);
    let local = local(person, clip, secs);
    pose.update(person.skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    pose
}

fn joint(person: &Character, pose: &ModelPose, name: &str) -> Vec3 {
    pose.get(person.skeleton.find(name).unwrap()).translation()
}

fn check_closed(primitive: &Primitive) {
    let (positions, triangles) = welded(primitive);
    let mut edges: HashSet<(usize, usize)> = HashSet::new();
    for &[a, b, c] in &triangles {
        assert!(a != b && b != c && c != a, "a triangle of two corners");
        for edge in [(a, b), (b, c), (c, a)] {
            assert!(
                edges.insert(edge),
                "an edge between three triangles at {}",
                positions[edge.0]
            );
        }
    }
    for &(a, b) in &edges {
        assert!(edges.contains(&(b, a)), "an open edge at {}", positions[a]);
    }
    let mut next: HashMap<(usize, usize), usize> = HashMap::new();
    let mut count = vec![0; positions.len()];
    for &t in &triangles {
        for k in 0..3 {
            next.insert((t[k], t[(k + 1) % 3]), t[(k + 2) % 3]);
            count[t[k]] += 1;
        }
    }
    for &(v, first) in next.keys() {
        let (mut at, mut steps) = (first, 0);
        loop {
            at = next[&(v, at)];
            steps += 1;
            if at == first {
                break;
            }
        }
        assert_eq!(steps, count[v], "two surfaces touch at {}", positions[v]);
    }
    let euler = positions.len() as i64 - edges.len() as i64 / 2 + triangles.len() as i64;
    assert_eq!(euler, 2, "pieces and tunnels");
}

#[test]
fn the_surface_is_closed_and_manifold() {
    check_closed(body(&PERSON));
}

#[test]
fn the_surface_is_closed_at_other_densities() {
    for edge_scale in [0.6, 1.6] {
        let person = Mannequin {
            edge_scale,
            ..Mannequin::default()
        }
        .build();
        check_closed(body(&person));
    }
}

#[test]
fn any_edge_scale_ends() {
    let build = |edge_scale| {
        let mannequin = Mannequin {
            edge_scale,
            sword: false,
        };
        body(&mannequin.build()).len()
    };
    assert_eq!(build(f32::INFINITY), build(2.0));
    let smallest = build(0.4);
    for small in [0.0, -1.0, f32::NEG_INFINITY] {
        assert_eq!(build(small), smallest, "{small}");
    }
}

#[test]
#[should_panic(expected = "the edge scale is not a number")]
fn an_edge_scale_that_is_no_number_is_refused() {
    let mannequin = Mannequin {
        edge_scale: f32::NAN,
        sword: false,
    };
    mannequin.build();
}

#[test]
fn both_halves_agree_to_the_bit() {
    let (positions, triangles) = welded(body(&PERSON));
    let mirror = |p: Vec3| Vec3::new(0.0 - p.x, p.y, p.z);
    let all: HashMap<Bits, usize> = positions
        .iter()
        .enumerate()
        .map(|(v, &p)| (bits(p), v))
        .collect();
    let other: Vec<usize> = positions.iter().map(|&p| all[&bits(mirror(p))]).collect();
    let sorted = |t: [usize; 3]| {
        let first = (0..3).min_by_key(|&k| t[k]).unwrap();
        [t[first], t[(first + 1) % 3], t[(first + 2) % 3]]
    };
    let set: HashSet<[usize; 3]> = triangles.iter().map(|&t| sorted(t)).collect();
    for &[a, b, c] in &triangles {
        let mirrored = [a, c, b].map(|v| other[v]);
        assert!(set.contains(&sorted(mirrored)), "at {}", positions[a]);
    }
}

#[test]
fn it_has_about_as_many_vertices_as_the_published_figure() {
    let vertices = body(&PERSON).len();
    assert!(vertices.abs_diff(5_138) < 200, "{vertices}");
    let sword: usize = PERSON.meshes[1].primitives.iter().map(|p| p.len()).sum();
    assert!((60..110).contains(&sword), "{sword}");
    PERSON.check().unwrap();
}

#[test]
fn triangles_are_no_slivers() {
    let (positions, triangles) = welded(body(&PERSON));
    let mut angles: Vec<f32> = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| positions[v]);
            let corners = [(b - a, c - a), (c - b, a - b), (a - c, b - c)];
            corners
                .map(|(u, v)| u.angle_between(v))
                .into_iter()
                .fold(9.0, f32::min)
        })
        .collect();
    angles.sort_by(f32::total_cmp);
    let degrees = |part: f32| angles[(part * (angles.len() - 1) as f32) as usize].to_degrees();
    assert!(
        degrees(0.0) > 1.0,
        "the sharpest corner has {}°",
        degrees(0.0)
    );
    assert!(degrees(0.02) > 12.0, "{}", degrees(0.02));
    assert!(degrees(0.5) > 38.0, "{}", degrees(0.5));
}

#[test]
fn it_stands_on_the_ground_seven_and_a_half_heads_tall() {
    let positions = &body(&PERSON).positions;
    let low = positions.iter().fold(f32::INFINITY, |low, p| low.min(p.y));
    let high = positions.iter().fold(0.0, |high: f32, p| high.max(p.y));
    assert!(low.abs() < 0.004, "{low}");
    assert!((1.75..1.82).contains(&high), "{high}");
    let normals = body(&PERSON).normals.as_ref().unwrap();
    for &t in &body(&PERSON).triangles().collect::<Vec<_>>() {
        let [a, b, c] = t.map(|v| positions[v]);
        let face = (b - a).cross(c - a);
        let smooth: Vec3 = t.map(|v| normals[v]).into_iter().sum();
        assert!(face.dot(smooth) > 0.0, "inside out at {a}");
    }
    let litres = 1e3 * volume(positions, body(&PERSON).triangles());
    assert!((55.0..95.0).contains(&litres), "{litres}");
}

#[test]
fn weights_are_sound_and_mirrored_and_alike_on_seams() {
    let body = body(&PERSON);
    let influences = body.influences.as_ref().unwrap();
    let name = |j: usize| PERSON.skeleton.name(j);
    let mut by_position: HashMap<Bits, Vec<(usize, f32)>> = HashMap::new();
    for (v, &p) in body.positions.iter().enumerate() {
        let list: Vec<(usize, f32)> = influences.get(v).collect();
        assert!((1..=4).contains(&list.len()));
        assert!(list.iter().all(|i| i.1 > 0.0));
        let sum: f32 = list.iter().map(|i| i.1).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        let first = by_position.entry(bits(p)).or_insert_with(|| list.clone());
        assert_eq!(*first, list, "at {p}");
    }
    for (position, list) in &by_position {
        let mirrored = [
            f32::from_bits(position[0]),
            f32::from_bits(position[1]),
            f32::from_bits(position[2]),
        ];
        let mirrored = Vec3::new(0.0 - mirrored[0], mirrored[1], mirrored[2]);
        let other = &by_position[&bits(mirrored)];
        for &(j, weight) in list {
            let swapped = match name(j).split_once('_') {
                Some(("left", part)) => format!("right_{part}"),
                Some(("right", part)) => format!("left_{part}"),
                _ => name(j).to_owned(),
            };
            let there = other.iter().find(|o| name(o.0) == swapped);
            let there = there.map_or(0.0, |o| o.1);
            assert!((there - weight).abs() < 1e-6, "{} at {mirrored}", name(j));
        }
    }
}

#[test]
fn texture_is_stretched_little() {
    let body = body(&PERSON);
    let uv = &body.texcoords[0];
    assert!(
        uv.iter()
            .all(|t| t.cmpge(glam::Vec2::ZERO).all() && t.cmple(glam::Vec2::ONE).all())
    );
    let mut ratios: Vec<f32> = body
        .triangles()
        .map(|t| {
            let [a, b, c] = t.map(|v| body.positions[v]);
            let [d, e, f] = t.map(|v| uv[v]);
            (e - d).perp_dot(f - d).abs() / (b - a).cross(c - a).length()
        })
        .collect();
    ratios.sort_by(f32::total_cmp);
    let at = |part: f32| ratios[(part * (ratios.len() - 1) as f32) as usize];
    // Nine of ten triangles have the same texture density within a factor of three.
    assert!(
        at(0.05) > at(0.5) / 3.0 && at(0.95) < at(0.5) * 3.0,
        "{} {} {}",
        at(0.05),
        at(0.5),
        at(0.95)
    );
}

#[test]
fn the_root_is_the_pelvis_and_there_are_ninety_seven_angles() {
    let skeleton = &PERSON.skeleton;
    assert_eq!(skeleton.name(0), "hips");
    assert_eq!(skeleton.degrees_of_freedom(), 97);
    for (joint, ways) in [("upper_arm", 3), ("upper_leg", 3)] {
        for side in ["left", "right"] {
            let joint = skeleton.find(&format!("{side}_{joint}")).expect("a joint");
            assert_eq!(
                skeleton.freedom(joint).count(),
                ways,
                "{}",
                skeleton.name(joint)
            );
        }
    }
    let below: Vec<&str> = skeleton.children(0).map(|j| skeleton.name(j)).collect();
    assert!(below.contains(&"left_upper_leg") && below.contains(&"spine_1"));
}

#[test]
fn every_clip_holds_the_limits() {
    for clip in &PERSON.clips {
        let steps = (clip.duration_secs * 60.0).round() as usize;
        for step in 0..=steps {
            let secs = f64::from(clip.duration_secs) * step as f64 / steps as f64;
            let pose = local(&PERSON, clip, secs);
            let mut clamped = pose.clone();
            PERSON
                .skeleton
                .clamp(&mut clamped)
                .expect("of this skeleton");
            for joint in 0..pose.len() {
                let [a, b] = [&pose, &clamped].map(|p| p.get(joint));
                let off = sinew::transform::quat::angle_between(a.rotation, b.rotation);
                // Between keys, a rotation may slightly leave a curved limit.
                let name = PERSON.skeleton.name(joint);
                assert!(off < 0.01, "{name} in {} at {secs}: {off}", clip.name);
                assert_eq!(a.translation, b.translation);
            }
        }
    }
}

#[test]
fn loops_close() {
    for clip in &PERSON.clips {
        let first = posed(&PERSON, clip, 0.0);
        let last = posed(&PERSON, clip, f64::from(clip.duration_secs));
        for joint in 0..first.len() {
            let off = first.get(joint).translation() - last.get(joint).translation();
            assert!(
                off.length() < 1e-4,
                "{} in {}",
                PERSON.skeleton.name(joint),
                clip.name
            );
        }
    }
}

/// Max drift of a point that should stand on ground that moves backward at `speed`.
fn slide(clip: &Clip, name: &str, from: f32, to: f32, speed: f32) -> f32 {
    let steps = 40;
    let at = |step: usize| {
        let secs = from + (to - from) * step as f32 / steps as f32;
        let round = secs.rem_euclid(clip.duration_secs);
        let p = joint(&PERSON, &posed(&PERSON, clip, f64::from(round)), name);
        p + Vec3::Z * (speed * (secs - from))
    };
    let first = at(0);
    (0..=steps)
        .map(|s| at(s).distance(first))
        .fold(0.0, f32::max)
}

#[test]
fn planted_feet_do_not_slide() {
    for (name, speed, period, flat, off) in [
        ("walk", 1.3, 1.04, [0.09, 0.36], 0.60),
        ("run", 3.0, 0.72, [0.045, 0.165], 0.32),
    ] {
        let clip = clip(&PERSON, name);
        for (side, late) in [("left", 0.0), ("right", 0.5)] {
            let time = |phase: f32| (phase + late) * period;
            let ankle = slide(
                clip,
                &format!("{side}_foot"),
                time(flat[0]),
                time(flat[1]),
                speed,
            );
            assert!(ankle < 0.01, "{side} ankle in {name}: {ankle} m");
            let ball = slide(
                clip,
                &format!("{side}_toes"),
                time(flat[0]),
                time(off),
                speed,
            );
            assert!(ball < 0.01, "{side} ball in {name}: {ball} m");
        }
    }
    for name in ["idle", "wave", "shoulder twist"] {
        let clip = clip(&PERSON, name);
        for joint in ["left_foot", "right_foot", "left_toes", "right_toes"] {
            let moved = slide(clip, joint, 0.0, clip.duration_secs, 0.0);
            assert!(moved < 0.01, "{joint} in {name}: {moved} m");
        }
    }
    let form = clip(&PERSON, "sword form");
    for (joint, from, to) in [
        ("left_toes", 0.0, 3.4),
        ("left_toes", 5.7, 6.4),
        ("right_foot", 0.0, 0.9),
        ("right_foot", 1.55, 2.7),
        ("right_foot", 3.45, 6.4),
    ] {
        let moved = slide(form, joint, from, to, 0.0);
        assert!(moved < 0.01, "{joint} from {from} to {to}: {moved} m");
    }
}

fn soles(clip: &Clip, secs: f64) -> [f32; 2] {
    let index = PERSON.find_clip(&clip.name);
    let moved = deform(&PERSON, index, secs, Method::DualQuat).unwrap();
    let part = moved.primitives.iter().find(|p| p.mesh == 0).unwrap();
    let rest = &body(&PERSON).positions;
    let mut low = [f32::INFINITY; 2];
    for (p, at_rest) in part.positions.iter().zip(rest.iter()) {
        if at_rest.y < 0.12 {
            let side = usize::from(at_rest.x < 0.0);
            low[side] = low[side].min(p.y);
        }
    }
    low
}

#[test]
fn feet_are_on_the_ground_and_a_run_has_a_flight() {
    for clip in &PERSON.clips {
        let mut flies = 0;
        for step in 0..24 {
            let secs = f64::from(clip.duration_secs) * f64::from(step) / 24.0;
            let low = soles(clip, secs);
            let lowest = low[0].min(low[1]);
            assert!(
                lowest > -0.02,
                "{} goes through the ground at {secs}: {low:?}",
                clip.name
            );
            if lowest > 0.015 {
                flies += 1;
            }
        }
        match clip.name.as_str() {
            "run" => assert!((4..14).contains(&flies), "{flies} of 24"),
            name => assert_eq!(flies, 0, "{name} leaves the ground"),
        }
    }
}

#[test]
fn gaits_say_how_far_they_go_and_when_feet_land() {
    for (name, speed) in [("walk", 1.3), ("run", 3.0)] {
        let clip = clip(&PERSON, name);
        let travel = clip.curves.iter().find(|c| c.name == "travel").unwrap();
        let mut far = [0.0];
        travel
            .track
            .sample(f64::from(clip.duration_secs), &mut far)
            .expect("of its width");
        assert!((far[0] / clip.duration_secs - speed).abs() < 0.01);
        let events: Vec<&str> = clip.events.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(events, ["footstep_left", "footstep_right"]);
    }
}

#[test]
fn arms_swing_against_legs() {
    let walk = clip(&PERSON, "walk");
    let pose = posed(&PERSON, walk, 0.0);
    let ahead = |name: &str| joint(&PERSON, &pose, name).z;
    assert!(ahead("left_foot") > ahead("right_foot") + 0.4);
    assert!(ahead("right_hand") > ahead("left_hand") + 0.1);
}

#[test]
fn it_is_made_the_same_every_time() {
    assert_eq!(*PERSON, Mannequin::default().build());
}

#[test]
fn the_sword_follows_the_right_hand() {
    let node = PERSON.nodes.iter().position(|n| n.name == "sword").unwrap();
    let form = clip(&PERSON, "sword form");
    let hand = PERSON.skeleton.find("right_hand").unwrap();
    let grip = |secs: f64| {
        let pose = posed(&PERSON, form, secs);
        let world = PERSON.node_worlds(&pose)[node];
        let hand_from_model = pose.get(hand).inverse().unwrap();
        (hand_from_model * world).translation()
    };
    assert!(grip(0.0).distance(grip(1.5)) < 1e-5);
    assert!(grip(0.0).length() < 0.12);
    let unarmed = Mannequin {
        sword: false,
        ..Mannequin::default()
    }
    .build();
    assert!(unarmed.nodes.iter().all(|n| n.name != "sword"));
}

/// Mean distance of vertices of shoulder and arm from the axis of the arm, relative to rest.
fn thickness(method: Method) -> f32 {
    let twist = PERSON.find_clip("shoulder twist");
    let clip = &PERSON.clips[twist.unwrap()];
    // The twist is at its max after a quarter of the clip.
    let secs = f64::from(clip.duration_secs) / 4.0;
    let body = body(&PERSON);
    let arm = PERSON.skeleton.find("left_upper_arm").unwrap();
    let below: HashSet<usize> = PERSON.skeleton.hierarchy().subtree(arm).collect();
    let shared = |v: usize| {
        let influences = body.influences.as_ref().unwrap();
        let arm: f32 = influences
            .get(v)
            .filter(|i| below.contains(&i.0))
            .map(|i| i.1)
            .sum();
        (0.35..0.65).contains(&arm)
    };
    let moved = deform(&PERSON, twist, secs, method).unwrap();
    let part = moved.primitives.iter().find(|p| p.mesh == 0).unwrap();
    let off = |pose: &ModelPose, p: Vec3| {
        let [from, to] = ["left_upper_arm", "left_lower_arm"].map(|n| joint(&PERSON, pose, n));
        let along = (to - from).normalize();
        (p - from - along * (p - from).dot(along)).length()
    };
    let (rest, now) = (PERSON.skeleton.rest_model(), posed(&PERSON, clip, secs));
    let (mut before, mut after) = (0.0, 0.0);
    for v in (0..body.len()).filter(|&v| shared(v)) {
        before += off(&rest, body.positions[v]);
        after += off(&now, part.positions[v]);
    }
    after / before
}

#[test]
fn a_twisted_shoulder_is_wrung_by_linear_blending_alone() {
    const { assert!(TWIST_DEG > 90.0) };
    let (linear, dual) = (thickness(Method::Linear), thickness(Method::DualQuat));
    assert!(linear < 0.8, "linear blending keeps {linear}");
    assert!(dual > 0.9, "dual quaternions keep {dual}");
}

#[cfg(feature = "gpu")]
#[test]
fn textured_its_body_has_a_colour_texture_and_a_normal_map_of_its_own() {
    let person = Mannequin::default().textured();
    let material = &person.materials[body(&person).material.expect("a material")];
    for used in [&material.base_color_texture, &material.normal_texture] {
        let texture = &person.textures[used.as_ref().expect("a texture").texture];
        let image = &person.images[texture.image.expect("an image")];
        let picture = sinew_gpu::read_png(&image.bytes).expect("a picture");
        assert_eq!([picture.width(), picture.height()], [2048; 2]);
        let colors: HashSet<&[u8]> = picture.rgba().chunks_exact(4).step_by(997).collect();
        assert!(colors.len() > 100, "{}", colors.len());
    }
}
