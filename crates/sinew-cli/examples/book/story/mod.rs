mod posing;
mod reach;
mod steps;
pub mod things;

use glam::{Quat, Vec3};
use posing::Body;
use reach::{GO, GRASP, Reach};
use sinew::character::{Material, Node};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::mesh::Mesh;
use sinew::transform::quat;
use sinew::{Affine, Character, Joint, LocalPose, Primitive, Skeleton, Skin, Transform};
use sinew_samples::mannequin::Mannequin;
use std::error::Error;
use std::sync::Arc;
use steps::Steps;

pub use reach::GRIP;

/// Keys per second of hips, legs and right arm: feet and limits hold between them. Others have a quarter.
const RATE: f32 = 240.0;
const OTHERS: usize = 4;
/// Scale of a hidden book; 0 would have no inverse.
const HIDDEN: f32 = 1e-4;
/// Event of the moment at which the hand has the book.
pub const GRASP_EVENT: &str = "grasp";

/// The person, the table and the books, with the whole motion as a clip.
pub struct Story {
    pub character: Character,
    /// Intervals in seconds in which the ball of the left and of the right foot stands.
    pub contacts: [Vec<[f32; 2]>; 2],
}

impl Story {
    /// Makes everything by code.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let person = Mannequin {
            sword: false,
            ..Mannequin::default()
        };
        let person = person.build();
        let body = Body::new(&person.skeleton);
        let clip = |name: &str| person.clips.iter().find(|c| c.name == name);
        let [walk, idle] = ["walk", "idle"].map(|name| clip(name).expect("of the mannequin"));
        let steps = Steps::new(&body, walk, idle, GO);
        let mut reach = Reach::new(&body, &steps, things::edge())?;
        let frames = (steps.duration_secs() * RATE).floor() as usize / OTHERS * OTHERS;
        let times: Vec<f32> = (0..=frames).map(|f| f as f32 / RATE).collect();
        let poses = times.iter().map(|&secs| reach.pose(secs));
        let poses = poses.collect::<Result<Vec<LocalPose>, _>>()?;
        let [stop, _] = steps.stands_secs;
        let grasp_frame = ((stop + GRASP) * RATE).round() as usize / OTHERS * OTHERS;

        let mut character = with_things(&person, &body, &poses[grasp_frame])?;
        let mut clip = baked(&body.skeleton, &times, &poses)?;
        let grasp_secs = times[grasp_frame];
        change_hands(&character.skeleton, &mut clip, grasp_secs)?;
        for (secs, foot) in steps.landings() {
            clip.add_event(secs, ["footstep_left", "footstep_right"][foot]);
        }
        clip.add_event(grasp_secs, GRASP_EVENT);
        clip.fit_duration();
        character.clips = vec![clip];
        Ok(Self {
            character,
            contacts: [0, 1].map(|foot| steps.contacts(foot, 1.0 / RATE)),
        })
    }
}

/// Motion of the mannequin's joints, below the scene's root.
fn baked(skeleton: &Skeleton, times: &[f32], poses: &[LocalPose]) -> Result<Clip, Box<dyn Error>> {
    let [all, some] = [1, OTHERS].map(|step| {
        let times: Vec<f32> = times.iter().copied().step_by(step).collect();
        Arc::new(times)
    });
    let mut clip = Clip::new("the book");
    for joint in 0..skeleton.len() {
        let name = skeleton.name(joint);
        let exact = [
            "hips",
            "leg",
            "foot",
            "toes",
            "right_lower_arm",
            "right_hand",
        ];
        let (step, times) = match exact.iter().any(|part| name.ends_with(part)) {
            true => (1, &all),
            false => (OTHERS, &some),
        };
        let poses = poses.iter().step_by(step);
        let mut turns: Vec<Quat> = poses.map(|p| p.get(joint).rotation).collect();
        for k in 1..turns.len() {
            turns[k] = quat::aligned(turns[k], turns[k - 1]);
        }
        let track = match turns.iter().all(|&q| q == turns[0]) {
            true => Track::rotations(vec![0.0], &turns[..1], Interpolation::Slerp)?,
            false => Track::rotations(times.clone(), &turns, Interpolation::Slerp)?,
        };
        clip.joint_mut(joint + 1).rotation = Some(track);
    }
    let way: Vec<Vec3> = poses.iter().map(|p| p.get(0).translation).collect();
    clip.joint_mut(1).translation = Some(Track::vectors(all, &way, Interpolation::Linear)?);
    Ok(clip)
}

/// Files cannot change parents, so a book on the table and one in the hand swap visibility at the event.
fn change_hands(skeleton: &Skeleton, clip: &mut Clip, secs: f32) -> Result<(), Box<dyn Error>> {
    for (name, sizes) in [("book", [1.0, HIDDEN]), ("book_in_hand", [HIDDEN, 1.0])] {
        let joint = skeleton.find(name).ok_or("the books are joints")?;
        let sizes = sizes.map(Vec3::splat);
        let track = Track::vectors(vec![0.0, secs], &sizes, Interpolation::Step)?;
        clip.joint_mut(joint).scale = Some(track);
    }
    Ok(())
}

/// The person under a root with the books, and the table; `grasping` is the pose at the event.
fn with_things(
    person: &Character,
    body: &Body,
    grasping: &LocalPose,
) -> Result<Character, Box<dyn Error>> {
    let mut joints = vec![Joint::new("scene", None, Transform::IDENTITY)];
    joints.extend(person.skeleton.joints().into_iter().map(|joint| Joint {
        parent: Some(joint.parent.map_or(0, |p| p + 1)),
        ..joint
    }));
    let hand = body.right_arm.end;
    let world_from_hand = *body.model(grasping).get(hand);
    let hand_from_world = world_from_hand.inverse().ok_or("a hand has a size")?;
    let hand_from_book = hand_from_world * things::world_from_book().to_affine();
    let (hand_from_book, _) = Transform::from_affine(&hand_from_book);
    let hidden = Transform {
        scale: Vec3::splat(HIDDEN),
        ..hand_from_book
    };
    joints.push(Joint::new("book", Some(0), things::world_from_book()));
    joints.push(Joint::new("book_in_hand", Some(hand + 1), hidden));
    let (skeleton, _) = Skeleton::new(joints)?;

    let mut character = Character::from_skeleton(skeleton);
    character.materials = person.materials.clone();
    let things_material = character.materials.len();
    character.materials.push(Material {
        name: "wood and paper".to_owned(),
        metallic: 0.0,
        roughness: 0.7,
        ..Material::default()
    });
    character.meshes = person.meshes.clone();
    let skin = &person.skins[0];
    character.skins.push(Skin {
        joints: skin.joints.iter().map(|j| j + 1).collect(),
        ..skin.clone()
    });
    let mut add = |name: &str, primitive: Primitive| {
        character.meshes.push(Mesh {
            name: name.to_owned(),
            primitives: vec![Primitive {
                material: Some(things_material),
                ..primitive
            }],
            ..Mesh::default()
        });
        character.meshes.len() - 1
    };
    let (table, book) = (
        add("table", things::table()),
        add("book", things::book(things::RED)),
    );
    let others = things::others().map(|(at, cover)| (at, add("other book", things::book(cover))));
    for node in &mut character.nodes {
        if ["book", "book_in_hand"].contains(&&*node.name) {
            node.mesh = Some(book);
        }
    }
    let mut stand = |name: &str, mesh: usize, skin: Option<usize>, at: Affine| {
        character.nodes.push(Node {
            name: name.to_owned(),
            parent: None,
            parent_from_node: at,
            joint: None,
            mesh: Some(mesh),
            skin,
            morph_weights: Vec::new(),
            light: None,
        });
    };
    stand("mannequin", 0, Some(0), Affine::IDENTITY);
    stand("table", table, None, Affine::IDENTITY);
    for (at, mesh) in others {
        stand("other book", mesh, None, at.to_affine());
    }
    Ok(character)
}
