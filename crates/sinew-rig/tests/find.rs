//! Finding skeletons: what is refused, and hints.

use glam::{Mat3, Vec3};
use sinew_rig::find::{Body, FindError, FindOptions, Found, Like, find_skeleton};
use sinew_samples::mannequin::Mannequin;

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

fn add_box(mesh: &mut Mesh, low: [f32; 3], high: [f32; 3]) {
    let (low, high) = (Vec3::from_array(low), Vec3::from_array(high));
    let first = mesh.0.len() as u32;
    for corner in 0..8 {
        let bit = |axis: u32| ((corner >> axis) & 1) as f32;
        let part = Vec3::new(bit(0), bit(1), bit(2));
        mesh.0.push(low + (high - low) * part);
    }
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    for [a, b, c, d] in sides {
        let both = [[a, b, c], [a, c, d]];
        mesh.1.extend(both.map(|t| t.map(|corner| first + corner)));
    }
}

fn chair() -> Mesh {
    let mut mesh = Mesh::default();
    for (x, z) in [(0.0, 0.0), (0.4, 0.0), (0.0, 0.4), (0.4, 0.4)] {
        add_box(&mut mesh, [x, 0.0, z], [x + 0.05, 0.47, z + 0.05]);
    }
    add_box(&mut mesh, [0.0, 0.45, 0.0], [0.45, 0.5, 0.45]);
    add_box(&mut mesh, [0.0, 0.45, 0.0], [0.45, 1.0, 0.05]);
    mesh
}

fn table() -> Mesh {
    let mut mesh = Mesh::default();
    for (x, z) in [(0.0, 0.0), (1.1, 0.0), (0.0, 0.7), (1.1, 0.7)] {
        add_box(&mut mesh, [x, 0.0, z], [x + 0.08, 0.72, z + 0.08]);
    }
    add_box(&mut mesh, [0.0, 0.7, 0.0], [1.18, 0.75, 0.78]);
    mesh
}

fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    add_box(&mut mesh, [0.0; 3], [1.0; 3]);
    mesh
}

fn pillar() -> Mesh {
    let mut mesh = Mesh::default();
    add_box(&mut mesh, [0.0; 3], [0.4, 1.8, 0.3]);
    mesh
}

/// Trunk, crown and two roots.
fn tree() -> Mesh {
    let mut mesh = Mesh::default();
    add_box(&mut mesh, [-0.1, 0.1, -0.1], [0.1, 1.0, 0.1]);
    add_box(&mut mesh, [-0.6, 1.0, -0.6], [0.6, 1.9, 0.6]);
    add_box(&mut mesh, [-0.4, 0.0, -0.1], [0.4, 0.1, 0.1]);
    mesh
}

fn sphere() -> Mesh {
    let ball = sinew::mesh::shapes::ellipsoid(Vec3::ONE, 24, 32);
    let triangles = ball.triangles().map(|t| t.map(|v| v as u32)).collect();
    (ball.positions.to_vec(), triangles)
}

fn person() -> Mesh {
    let person = Mannequin::default().build();
    let body = &person.meshes[0].primitives[0];
    let triangles = body.triangles().map(|t| t.map(|v| v as u32)).collect();
    (body.positions.to_vec(), triangles)
}

fn find(mesh: &Mesh) -> Result<Found, FindError> {
    find_skeleton(&mesh.0, &mesh.1, &FindOptions::default())
}

fn reason(mesh: &Mesh) -> String {
    match find(mesh) {
        Err(FindError::NoBody { reason }) => reason,
        Err(other) => panic!("{other}"),
        Ok(found) => panic!("a {:?} of height {}", found.body, found.height),
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let (positions, triangles) = person();
    let refused = [
        (Mesh::default(), "empty"),
        ((positions.clone(), Vec::new()), "no triangles"),
        (cube(), "limb"),
        (sphere(), "limb"),
        (chair(), "limb"),
        (table(), "limb"),
        (pillar(), "limb"),
        (tree(), "limb"),
        (
            (
                vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)],
                vec![[0, 1, 2], [1, 3, 2]],
            ),
            "flat",
        ),
        ((vec![Vec3::splat(2.0); 3], vec![[0, 1, 2]]), ""),
        ((vec![Vec3::NAN; 3], vec![[0, 1, 2]]), "no triangles"),
        ((positions.clone(), vec![[0, 1, 1_000_000]]), "no triangles"),
    ];
    for (mesh, word) in refused {
        let reason = reason(&mesh);
        assert!(reason.contains(word), "{word}: {reason}");
    }
    let two = positions.len() as u32;
    let beside = positions.iter().map(|p| *p + 2.0 * Vec3::X);
    let all = positions.iter().copied().chain(beside).collect();
    let other = triangles.iter().map(|t| t.map(|v| v + two));
    let both = triangles.iter().copied().chain(other).collect();
    assert!(reason(&(all, both)).contains("several bodies"));
}

#[test]
fn a_person_has_joints_near_those_of_its_maker() {
    let mesh = person();
    let found = find(&mesh).unwrap();
    assert_eq!(found.body, Body::Biped);
    assert!(found.up.distance(Vec3::Y) < 1e-3 && found.front.distance(Vec3::Z) < 1e-3);
    assert_eq!(found.confidence.len(), found.template.joints().len());
    assert!(found.confidence.iter().all(|c| (0.0..=1.0).contains(c)));
    let person = Mannequin::default().build();
    for (name, at) in found.template.positions() {
        if name.contains("arm") || name.ends_with("leg") || name.ends_with("hand") {
            let joint = person.skeleton.find(&name).unwrap();
            let known = person.skeleton.rest_model().get(joint).translation();
            let percent = 100.0 * at.distance(known) / found.height;
            assert!(percent < 6.0, "{name}: {percent} %");
        }
    }
}

#[test]
fn a_person_who_holds_a_sword_is_found() {
    let person = Mannequin::default().build();
    let held = sinew::deform(&person, None, 0.0, sinew::Method::Linear).unwrap();
    let mut mesh = Mesh::default();
    for part in &held.primitives {
        let first = mesh.0.len();
        let primitive = &person.meshes[part.mesh].primitives[part.primitive];
        let triangles = primitive.triangles().map(|t| t.map(|v| (first + v) as u32));
        mesh.1.extend(triangles);
        mesh.0.extend_from_slice(&part.positions);
    }
    let [with, without] = [&mesh, &self::person()].map(|mesh| find(mesh).unwrap());
    assert_eq!(with.body, Body::Biped);
    let there = without.template.positions();
    for (name, at) in with.template.positions() {
        let percent = 100.0 * at.distance(there[&name]) / with.height;
        assert!(percent < 0.3, "{name}: {percent} %");
    }
}

#[test]
fn a_hint_is_kept_and_its_neighbours_follow() {
    let mesh = person();
    let plain = find(&mesh).unwrap().template.positions();
    let goal = plain["left_hand"] + Vec3::new(0.02, -0.05, 0.03);
    let options = FindOptions::default().with_position("left_hand", goal);
    let found = find_skeleton(&mesh.0, &mesh.1, &options).unwrap();
    let hinted = found.template.positions();
    assert!(hinted["left_hand"].distance(goal) < 1e-5);
    let way = |name: &str| hinted[name].distance(plain[name]);
    assert!(way("left_lower_arm") > 0.01, "{}", way("left_lower_arm"));
    assert!(way("left_upper_arm") < 1e-5 && way("right_hand") < 1e-5);
    assert!(way("left_index_1") > 0.03);
    let place = found.template.find("left_hand").unwrap();
    assert_eq!(found.confidence[place], 1.0);
}

#[test]
fn hints_without_sense_are_refused() {
    let mesh = person();
    let hint = |name: &str, at: Vec3| {
        let options = FindOptions::default().with_position(name, at);
        find_skeleton(&mesh.0, &mesh.1, &options).unwrap_err()
    };
    let wrong = hint("left_hnd", Vec3::ZERO);
    assert!(
        matches!(&wrong, FindError::NoSuchJoint { near, .. } if near.contains("left_hand")),
        "{wrong}"
    );
    assert!(matches!(
        hint("left_hand", Vec3::NAN),
        FindError::NotFinite { .. }
    ));
}

/// A person as a pillar with a ball on top: no arms, no legs.
fn robe() -> Mesh {
    let mut mesh = sphere();
    for p in &mut mesh.0 {
        *p = *p * 0.12 + Vec3::new(0.0, 1.66, 0.0);
    }
    add_box(&mut mesh, [-0.28, 0.0, -0.16], [0.28, 1.58, 0.16]);
    mesh
}

#[test]
fn five_clicks_are_enough() {
    let mesh = robe();
    assert!(find(&mesh).is_err());
    let clicks = [
        ("chin", [0.0, 1.56, 0.1]),
        ("left_hand", [0.24, 0.86, 0.05]),
        ("right_hand", [-0.24, 0.86, 0.05]),
        ("left_lower_leg", [0.1, 0.5, 0.02]),
        ("right_lower_leg", [-0.1, 0.5, 0.02]),
    ];
    // Lying on the back and facing another way, so that only the clicks tell the axes.
    let turn = Mat3::from_cols(Vec3::NEG_X, Vec3::Z, Vec3::Y);
    let turned: Vec<Vec3> = mesh.0.iter().map(|p| turn * *p).collect();
    let mut options = FindOptions::default().with_like(Like::Biped);
    for (name, at) in clicks {
        options = options.with_position(name, turn * Vec3::from_array(at));
    }
    let found = find_skeleton(&turned, &mesh.1, &options).unwrap();
    assert!(found.up.distance(turn * Vec3::Y) < 1e-3, "{}", found.up);
    assert!(
        found.front.distance(turn * Vec3::Z) < 1e-3,
        "{}",
        found.front
    );
    let at = found.template.positions();
    for (name, x, y) in [
        ("left_upper_leg", 0.1, 0.92),
        ("right_foot", -0.1, 0.09),
        ("left_upper_arm", 0.17, 1.43),
        ("right_lower_arm", -0.22, 1.15),
        ("hips", 0.0, 0.96),
        ("head", 0.0, 1.58),
    ] {
        let found = turn.transpose() * at[name];
        let percent = 100.0 * found.truncate().distance(glam::Vec2::new(x, y)) / 1.78;
        assert!(percent < 4.0, "{name} at {found:?}: {percent} %");
    }
}
