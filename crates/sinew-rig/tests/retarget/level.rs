//! Level motion stays level on every body, for any direction of its spine.

use super::people::beasts::{Names, beast, centimetres, glide, under, z_up};
use super::*;

/// Distances of the hips along the ground and vertically, and their direction; y is up.
struct Way {
    length: f32,
    climbs: f32,
    ahead: Vec3,
    lowest: f32,
}

fn way(body: &Skeleton, clip: &Clip) -> Way {
    let hips = find_roles(body).joint(Role::Hips).unwrap();
    let frames = model_places(body, clip, &people::times(clip));
    let places: Vec<Vec3> = frames.iter().map(|p| p[hips]).collect();
    let heights = places.iter().map(|p| p.y);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    let flat = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
    let length = places.windows(2).map(|p| flat(p[1] - p[0]).length()).sum();
    Way {
        length,
        climbs: high - low,
        ahead: flat(places[places.len() - 1] - places[0]).normalize(),
        lowest: frames
            .iter()
            .flatten()
            .map(|p| p.y)
            .fold(f32::INFINITY, f32::min),
    }
}

#[track_caller]
fn goes_level(from: &Skeleton, onto: &Skeleton, what: &str) -> f32 {
    let glide = glide(from);
    for options in [NO_FEET, RetargetOptions::default()] {
        let done = carried(from, &glide, onto, &options);
        let way = way(onto, &done.clip);
        println!(
            "{what}: {:.3} m, {:.5} up and down, {:?}, lowest {:.3}",
            way.length, way.climbs, way.ahead, way.lowest
        );
        assert!(way.length > 1.0, "{what}: {} m", way.length);
        assert!(way.climbs < 0.01 * way.length, "{what}: {}", way.climbs);
        let wanted = Vec3::new(0.5, 0.0, 1.5).normalize();
        assert!(way.ahead.dot(wanted) > 0.999, "{what}: {}", way.ahead);
    }
    carried(from, &glide, onto, &NO_FEET).report.scale
}

#[test]
fn a_level_way_stays_level_on_four_legs() {
    let person = Person::default().skeleton();
    for (what, names) in [
        ("known limbs", Names::Person),
        ("unknown limbs", Names::Beast),
    ] {
        let body = beast(names);
        goes_level(&person, &body, what);
        goes_level(&person, &under(z_up(), &body), &format!("{what}, z up"));
        let small = under(centimetres(), &body);
        goes_level(&person, &small, &format!("{what}, centimetres"));
    }
}

#[test]
fn a_level_way_stays_level_on_people_under_armatures_and_from_z_up_ones() {
    let person = Person::default().skeleton();
    let other = Person {
        arms_down_deg: 50.0,
        limbs: 1.2,
        ..Person::default()
    }
    .skeleton();
    let scale = goes_level(&person, &other, "a person");
    for (what, armature) in [("z up", z_up()), ("centimetres", centimetres())] {
        let found = goes_level(&person, &under(armature, &other), what);
        assert!(
            (found - scale).abs() < 1e-4 * scale,
            "{what}: {found} {scale}"
        );
    }
    // A source whose whole world has z up, without a node for it.
    let lying = Person {
        world: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        ..Person::default()
    };
    for onto in [&other, &beast(Names::Person), &beast(Names::Beast)] {
        goes_level(&lying.skeleton(), onto, "from z up");
    }
}

#[test]
fn an_animal_without_known_legs_keeps_its_paws_on_the_ground() {
    let person = Person::default().skeleton();
    let body = beast(Names::Beast);
    let done = carried(&person, &glide(&person), &body, &RetargetOptions::default());
    let lowest = way(&body, &done.clip).lowest;
    assert!(lowest.abs() < 0.01, "{lowest}");
}

#[test]
fn who_crawls_in_a_world_with_y_up_is_not_stood_up() {
    let person = Person::default().skeleton();
    let mut crawl = glide(&person);
    let times = people::times(&crawl);
    let lying = vec![Quat::from_rotation_x(std::f32::consts::FRAC_PI_2); times.len()];
    crawl.joint_mut(0).rotation =
        Some(Track::rotations(times.clone(), &lying, Interpolation::Slerp).unwrap());
    let low: Vec<Vec3> = times.iter().map(|t| Vec3::new(0.0, 0.3, 1.5 * t)).collect();
    crawl.joint_mut(0).translation =
        Some(Track::vectors(times, &low, Interpolation::Linear).unwrap());
    let other = Person {
        limbs: 1.2,
        ..Person::default()
    }
    .skeleton();
    let done = carried(&person, &crawl, &other, &NO_FEET);
    let way = way(&other, &done.clip);
    assert!(
        way.climbs < 0.01 * way.length,
        "{} of {}",
        way.climbs,
        way.length
    );
    let head = other.find("head").unwrap();
    let places = model_places(&other, &done.clip, &[0.5]).remove(0);
    assert!(
        (places[head] - places[0]).normalize().z > 0.9,
        "it lies on its front"
    );
}
