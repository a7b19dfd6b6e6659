use glam::{DMat3, DVec3, Quat, Vec3};
use proptest::prelude::*;
use sinew::mesh::shapes;
use sinew::pick::{Ray, ShearedRay, TriangleHit, pick_bone, pick_skin};
use sinew::{Character, Joint, LocalPose, Mesh, Method, ModelPose, Rig, Skeleton, Transform};
use sinew_samples::mannequin::Mannequin;

/// Solves origin + distance · direction = a + v (b − a) + w (c − a).
fn solved(ray: &Ray, triangle: [Vec3; 3]) -> Option<TriangleHit> {
    let [a, b, c] = triangle.map(Vec3::as_dvec3);
    let along = ray.direction.as_dvec3().normalize();
    let columns = DMat3::from_cols(-along, b - a, c - a);
    if columns.determinant() == 0.0 {
        return None;
    }
    let [distance, v, w] = (columns.inverse() * (ray.origin.as_dvec3() - a)).to_array();
    let barycentric = [1.0 - v - w, v, w];
    let is_hit = distance >= 0.0 && barycentric.iter().all(|&part| part >= 0.0);
    is_hit.then_some(TriangleHit {
        distance,
        barycentric,
    })
}

fn point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-2.0..2.0_f32).prop_map(Vec3::from)
}

proptest! {
    #[test]
    fn a_triangle_is_met_where_the_equation_says(
        origin in point(),
        triangle in [point(), point(), point()],
        [v, w] in [0.0..1.0_f32, 0.0..1.0_f32],
        off in point(),
    ) {
        let [a, b, c] = triangle;
        let aim = a + (b - a) * v + (c - a) * w + off * 0.3;
        let ray = Ray { origin, direction: aim - origin };
        prop_assume!(ray.direction.length() > 0.1);
        prop_assume!((b - a).cross(c - a).length() > 0.05);
        let wanted = solved(&ray, triangle);
        let found = ShearedRay::new(&ray).expect("a ray").meet(triangle);
        // Within rounding of an edge or the plane, hit and miss are valid.
        let clear = |hit: &TriangleHit| hit.barycentric.iter().all(|part| part.abs() > 1e-9);
        match (&wanted, &found) {
            (Some(wanted), Some(found)) => {
                let size = wanted.distance.max(1.0);
                let steep = (b - a).cross(c - a).normalize().dot(ray.direction.normalize()).abs();
                let bound = 1e-12 * size / f64::from(steep).max(1e-6);
                prop_assert!((wanted.distance - found.distance).abs() <= bound);
                for k in 0..3 {
                    prop_assert!((wanted.barycentric[k] - found.barycentric[k]).abs() <= 1e2 * bound);
                }
            }
            (None, None) => {}
            (Some(hit), None) | (None, Some(hit)) => prop_assert!(!clear(hit), "{wanted:?} {found:?}"),
        }
    }

    #[test]
    fn no_ray_slips_through_an_edge_or_a_corner(
        sector in 0..12_usize,
        ring in 1..8_usize,
        part in 0.0..=1.0_f32,
        origin in point(),
    ) {
        let ball = shapes::sphere(0.5, 8, 12);
        let triangles: Vec<_> = ball.triangles().collect();
        let [a, b, _] = triangles[(ring * 24 + sector * 2) % triangles.len()];
        let aim = ball.positions[a].lerp(ball.positions[b], part);
        let origin = origin * 0.15;
        let ray = ShearedRay::new(&Ray { origin, direction: aim - origin }).expect("a ray");
        let hits = triangles.iter().filter(|t| ray.meet(t.map(|v| ball.positions[v])).is_some());
        prop_assert!(hits.count() > 0, "from {origin} to {aim}");
    }

    #[test]
    fn the_nearest_bone_is_that_of_least_angle(
        places in prop::collection::vec(point(), 2..8),
        origin in point(),
        direction in point(),
    ) {
        prop_assume!(direction.length() > 0.1);
        let mut joints = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let above = index.checked_sub(1);
            let from = above.map_or(Vec3::ZERO, |above| places[above]);
            let rest = Transform::from_translation(*place - from);
            joints.push(Joint::new(format!("{index}"), above, rest));
        }
        let skeleton = Skeleton::new(joints).expect("a chain").0;
        let ray = Ray { origin, direction };
        let found = pick_bone(&skeleton, &skeleton.rest_model(), &ray, std::f32::consts::PI);
        // Brute force: two thousand points per bone.
        let along = direction.as_dvec3().normalize();
        let angle = |bone: usize, part: f64| {
            let [a, b] = [places[bone - 1], places[bone]].map(|p| (p - origin).as_dvec3());
            let at: DVec3 = a + (b - a) * part;
            at.cross(along).length().atan2(at.dot(along))
        };
        let mut best = (f64::INFINITY, 0, 0.0);
        let mut others = f64::INFINITY;
        for bone in 1..places.len() {
            for step in 0..=2000 {
                let part = f64::from(step) / 2000.0;
                let angle = angle(bone, part);
                if angle < best.0 {
                    if best.1 != bone {
                        others = best.0;
                    }
                    best = (angle, bone, part);
                } else if best.1 != bone {
                    others = others.min(angle);
                }
            }
        }
        let (least, bone, part) = best;
        // Near a tie or near the border between the two joints of a bone, any result is valid.
        prop_assume!(others - least > 1e-3 && (part - 0.75).abs() > 0.01);
        let wanted = if part > 0.75 { bone } else { bone - 1 };
        prop_assert_eq!(found, Some(wanted), "{} of bone {}", part, bone);
    }
}

#[test]
fn a_ray_that_is_none_meets_nothing() {
    let triangle = [Vec3::X, Vec3::Y, Vec3::Z];
    for direction in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
        let ray = Ray {
            origin: Vec3::ZERO,
            direction,
        };
        assert!(ShearedRay::new(&ray).is_none());
    }
    let ray = ShearedRay::new(&Ray {
        origin: Vec3::ZERO,
        direction: Vec3::ONE,
    })
    .expect("a ray");
    assert!(ray.meet(triangle).is_some());
    assert!(ray.meet(triangle.map(|corner| -corner)).is_none(), "behind");
    assert!(ray.meet([Vec3::X; 3]).is_none());
    assert!(ray.meet([Vec3::NAN, Vec3::Y, Vec3::Z]).is_none());
}

/// The skin in front of a joint follows the joint or a neighbour.
#[test]
fn the_near_side_of_the_mannequin_is_met_as_it_is_posed() {
    let person = Mannequin::default().build();
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&person, method).expect("a rig");
        let mut actor = rig.actor();
        let mut player = rig.player("run").expect("a clip");
        player.seek(0.3);
        actor.sample(&player).expect("its own");
        let chest = actor.socket("chest").expect("a chest").translation();
        let from_front = Ray {
            origin: chest + Vec3::Z * 3.0,
            direction: Vec3::NEG_Z,
        };
        let from_behind = Ray {
            origin: chest - Vec3::Z * 3.0,
            direction: Vec3::Z,
        };
        let depths = [from_front, from_behind].map(|ray| {
            let found = pick_skin(&mut actor, &ray, |_| true)
                .expect("a pose")
                .expect("a chest");
            let at = ray.origin + ray.direction * found.hit.distance as f32;
            let moved =
                sinew::deform(&person, person.find_clip("run"), 0.3, method).expect("posed");
            let mut nearest = f64::INFINITY;
            for (part, moved) in rig.parts().iter().zip(&moved.primitives) {
                for triangle in part.surface().triangles() {
                    let hit = solved(&ray, triangle.map(|v| moved.positions[v]));
                    nearest = hit.map_or(nearest, |hit| nearest.min(hit.distance));
                }
            }
            assert!((nearest - found.hit.distance).abs() < 1e-4, "{method:?}");
            let corners = found
                .corners
                .map(|v| rig.parts()[found.part].surface().positions[v]);
            assert!(corners.iter().all(|c| c.is_finite()));
            at.z
        });
        assert!(depths[0] > chest.z && depths[1] < chest.z, "{depths:?}");
        let past = Ray {
            origin: chest + Vec3::X * 5.0,
            direction: Vec3::Z,
        };
        assert_eq!(pick_skin(&mut actor, &past, |_| true), Ok(None));
    }
}

#[test]
fn what_stands_on_a_node_is_met_where_the_node_stands() {
    let mesh = Mesh {
        primitives: vec![shapes::cuboid(Vec3::ONE)],
        ..Mesh::default()
    };
    let rig = Rig::new(&Character::from_mesh(mesh), Method::Linear).expect("a rig");
    let ray = Ray {
        origin: Vec3::new(0.1, 0.2, 9.0),
        direction: Vec3::NEG_Z * 7.0,
    };
    let found = pick_skin(&mut rig.actor(), &ray, |_| true)
        .expect("a pose")
        .expect("a box");
    assert_eq!(found.hit.distance, 8.5);
    assert!(found.corners.contains(&found.vertex()));
}

#[test]
fn a_bone_is_met_within_the_angle_and_not_beyond() {
    let joints = vec![
        Joint::new("upper", None, Transform::IDENTITY),
        Joint::new("lower", Some(0), Transform::from_translation(Vec3::Y)),
    ];
    let skeleton = Skeleton::new(joints).expect("a bone").0;
    let mut pose = ModelPose::identity(0);
    let mut local: LocalPose = skeleton.rest().clone();
    local.set_rotation(0, Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2));
    let root = Transform::IDENTITY.to_affine();
    pose.update(skeleton.hierarchy(), &local, &root)
        .expect("a pose");
    let from = |x: f32, y: f32| Ray {
        origin: Vec3::new(x, y, 2.0),
        direction: Vec3::NEG_Z,
    };
    let pick = |x, y| pick_bone(&skeleton, &pose, &from(x, y), 0.05);
    assert_eq!(pick(0.3, 0.0), Some(0));
    assert_eq!(pick(0.9, 0.0), Some(1));
    assert_eq!(pick(0.3, 0.09), Some(0));
    assert_eq!(pick(0.3, 0.11), None);
    assert_eq!(pick(1.2, 0.0), None);
    let short = ModelPose::identity(1);
    assert_eq!(pick_bone(&skeleton, &short, &from(0.3, 0.0), 0.05), None);
}
