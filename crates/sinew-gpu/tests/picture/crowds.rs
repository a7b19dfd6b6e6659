//! A crowd gives the same picture as its members drawn one by one.

use crate::common::studio::{Studio, with_studio};
use glam::{Quat, Vec3};
use sinew::character::Alpha;
use sinew::graph::{State, StateMachine};
use sinew::rig::CrowdPlayer;
use sinew::{Actor, Affine, Character, Method, Rig, Transform};
use sinew_gpu::{
    Camera, DrawnCrowd, Floor, Gpu, GpuCharacter, GpuError, Picture, RenderError, Stage, View,
    corners, direction,
};
use sinew_samples::{mannequin::Mannequin, tube_character};

const TIMES: [f64; 3] = [0.0, 0.21, 0.45];

fn transforms() -> [Affine; 3] {
    let transform = |x: f32, z: f32, angle_rad: f32, scale: f32| {
        let transform = Transform {
            translation: Vec3::new(x, 0.0, z),
            rotation: Quat::from_rotation_y(angle_rad),
            scale: Vec3::splat(scale),
        };
        transform.to_affine()
    };
    let mirror = Affine::from_rows([
        [-1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.3],
    ]);
    [
        transform(-1.0, -0.4, 0.4, 1.0),
        transform(0.0, 0.0, -0.5, 0.8),
        mirror,
    ]
}

fn actors(rig: &Rig) -> [Actor; 3] {
    TIMES.map(|time| {
        let mut player = rig.player("0").unwrap();
        player.seek(time);
        let mut actor = rig.actor();
        actor.sample(&player).unwrap();
        actor
    })
}

fn one_by_one(gpu: &Gpu, character: &Character, actors: &mut [Actor]) -> Vec<GpuCharacter> {
    let figures = actors.iter_mut().zip(transforms());
    let figures = figures.map(|(actor, transform)| {
        let mut figure = GpuCharacter::new(gpu, character, Method::DualQuat).unwrap();
        figure.pose_actor(gpu, actor).unwrap();
        figure.place(gpu, &transform);
        figure
    });
    figures.collect()
}

fn together(gpu: &Gpu, character: &Character, rig: &Rig, actors: &mut [Actor]) -> DrawnCrowd {
    let mut crowd = DrawnCrowd::new(gpu, character, rig, actors.len()).unwrap();
    assert!(crowd.problems().is_empty());
    for (member, actor) in actors.iter_mut().enumerate() {
        crowd.place(member, &transforms()[member]).unwrap();
        crowd.set(member, actor).unwrap();
    }
    crowd.skin(gpu).unwrap();
    crowd
}

fn view(bounds: [Vec3; 2]) -> View {
    View {
        size: [200, 150],
        camera: Camera::framing(corners(bounds), direction(0.5, 0.2), 4.0 / 3.0),
        // One shadow ball for both, because the box around a crowd can be larger.
        shadow_ball: Some((Vec3::Y, 3.0)),
        ..View::default()
    }
}

/// Mean difference over all bytes, and number of pixels that differ by more than 8.
fn apart(a: &Picture, b: &Picture) -> (f64, usize) {
    let off = |(a, b): (&[u8], &[u8])| {
        let off = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)));
        (off.clone().sum::<u32>(), off.max().unwrap_or(0))
    };
    let pixels = a.rgba().chunks_exact(4).zip(b.rgba().chunks_exact(4));
    let all: Vec<_> = pixels.map(off).collect();
    let mean = all.iter().map(|p| f64::from(p.0)).sum::<f64>() / a.rgba().len() as f64;
    (mean, all.iter().filter(|p| p.1 > 8).count())
}

/// Character with half of its materials blended, so that the order of members matters.
fn partly_blended() -> Character {
    let mut person = Mannequin::default().build();
    for material in person.materials.iter_mut().step_by(2) {
        material.alpha = Alpha::Blend;
        material.base_color[3] = 0.6;
    }
    person
}

#[test]
fn a_crowd_is_drawn_as_its_members_are_one_by_one() {
    with_studio(|studio| {
        let floor = Floor::studio(&studio.gpu).unwrap();
        for character in [
            Mannequin::default().build(),
            partly_blended(),
            tube_character(),
        ] {
            let rig = Rig::new(&character, Method::DualQuat).unwrap();
            let mut actors = actors(&rig);
            let figures = one_by_one(&studio.gpu, &character, &mut actors);
            let mut crowd = together(&studio.gpu, &character, &rig, &mut actors);
            crowd.set_detail(false);
            let apart_stage = Stage {
                characters: figures.iter().collect(),
                floor: Some(&floor),
                ..Stage::default()
            };
            let stage = Stage {
                crowds: vec![&crowd],
                floor: Some(&floor),
                ..Stage::default()
            };
            let [low, high] = apart_stage.bounds().unwrap();
            let [crowd_low, crowd_high] = stage.bounds().unwrap();
            assert!(crowd_low.cmple(low + 1e-3).all() && crowd_high.cmpge(high - 1e-3).all());
            assert!((crowd_high - crowd_low).max_element() < 1.5 * (high - low).max_element());

            let view = view([low, high]);
            let nobody = studio.draw(
                &Stage {
                    floor: Some(&floor),
                    ..Stage::default()
                },
                &view,
            );
            let alone = studio.draw(&apart_stage, &view);
            let crowded = studio.draw(&stage, &view);
            assert!(apart(&nobody, &alone).1 > 2000, "nothing to be seen");
            let (mean, other) = apart(&alone, &crowded);
            assert!(mean < 0.02 && other < 10, "{mean} {other}");

            let mut two = together(&studio.gpu, &character, &rig, &mut actors[..2]);
            two.set_detail(false);
            let both = Stage {
                characters: vec![&figures[2]],
                crowds: vec![&two],
                floor: Some(&floor),
                ..Stage::default()
            };
            let (mean, other) = apart(&alone, &studio.draw(&both, &view));
            assert!(mean < 0.02 && other < 10, "both: {mean} {other}");
        }
    });
}

#[test]
fn far_members_look_alike_with_fewer_triangles() {
    with_studio(|studio| {
        let person = Mannequin::default().build();
        let rig = Rig::new(&person, Method::DualQuat).unwrap();
        let mut crowd = together(&studio.gpu, &person, &rig, &mut actors(&rig));
        let mut view = view(crowd.bounds().unwrap());
        view.size = [120, 90];
        let [all, drawn] = crowd.triangles(&view.camera, view.size);
        assert!(drawn < all / 2, "{drawn} of {all}");
        let draw = |studio: &mut Studio, crowd: &DrawnCrowd, view: &View| {
            let stage = Stage {
                crowds: vec![crowd],
                ..Stage::default()
            };
            studio.draw(&stage, view)
        };
        let few = draw(studio, &crowd, &view);
        crowd.set_detail(false);
        assert_eq!(crowd.triangles(&view.camera, view.size), [all, all]);
        let whole = draw(studio, &crowd, &view);
        let Camera { eye, target, .. } = view.camera;
        let pixel = 2.0 * (view.camera.fov_y_rad / 2.0).tan() * eye.distance(target) / 90.0;
        let aside = (target - eye).cross(Vec3::Y).normalize() * pixel;
        let moved = View {
            camera: view.camera.moved(aside),
            ..view.clone()
        };
        let step = apart(&whole, &draw(studio, &crowd, &moved));
        let (mean, other) = apart(&whole, &few);
        assert!(mean > 0.0, "nothing changed");
        assert!(mean < step.0 && other < step.1, "{mean} {other} {step:?}");
        crowd.set_detail(true);
        view.size = [4000, 3000];
        assert_eq!(crowd.triangles(&view.camera, view.size), [all, all]);
    });
}

#[test]
fn a_crowd_follows_its_players_and_can_be_tinted() {
    with_studio(|studio| {
        let person = Mannequin::default().build();
        let rig = Rig::new(&person, Method::DualQuat).unwrap();
        let machine = StateMachine::new().state(State::clip("go", "walk"));
        let mut players = CrowdPlayer::new(&machine.build(&rig).unwrap(), &rig, 2).unwrap();
        let mut crowd = DrawnCrowd::new(&studio.gpu, &person, &rig, 2).unwrap();
        let at_rest = crowd.bounds().unwrap();
        let view = view(at_rest);
        let draw = |studio: &mut Studio, crowd: &DrawnCrowd| {
            let stage = Stage {
                crowds: vec![crowd],
                ..Stage::default()
            };
            studio.draw(&stage, &view)
        };
        let standing = draw(studio, &crowd);
        players.update(0.3, |_, _| {}).unwrap();
        crowd.set_all(&mut players).unwrap();
        crowd.skin(&studio.gpu).unwrap();
        assert_ne!(crowd.bounds(), Some(at_rest));
        let walking = draw(studio, &crowd);
        assert!(apart(&standing, &walking).1 > 300);
        crowd.tint(0, [1.0, 0.1, 0.1, 1.0]).unwrap();
        crowd.tint(1, [1.0, 0.1, 0.1, 1.0]).unwrap();
        let red = draw(studio, &crowd);
        let green = |picture: &Picture| {
            picture
                .rgba()
                .iter()
                .skip(1)
                .step_by(4)
                .map(|&g| u64::from(g))
                .sum::<u64>()
        };
        assert!(green(&red) + 50_000 < green(&walking));
    });
}

#[test]
fn a_crowd_on_a_stage_refuses_what_does_not_fit() {
    with_studio(|studio| {
        let (person, tube) = (Mannequin::default().build(), tube_character());
        let rig = Rig::new(&person, Method::DualQuat).unwrap();
        let other = DrawnCrowd::new(&studio.gpu, &tube, &rig, 2);
        assert_eq!(other.unwrap_err(), RenderError::OtherCharacter);
        let mut crowd = DrawnCrowd::new(&studio.gpu, &person, &rig, 2).unwrap();
        assert_eq!(crowd.len(), 2);
        let no_such = RenderError::Gpu(GpuError::NoSuch {
            what: "member of the crowd",
            index: 2,
            len: 2,
        });
        assert_eq!(crowd.place(2, &Affine::IDENTITY), Err(no_such.clone()));
        assert_eq!(crowd.tint(2, [1.0; 4]), Err(no_such.clone()));
        assert_eq!(crowd.set(2, &mut rig.actor()), Err(no_such));
        let nobody = DrawnCrowd::new(&studio.gpu, &person, &rig, 0).unwrap();
        assert!(nobody.is_empty() && nobody.bounds().is_none());
        let stage = Stage {
            crowds: vec![&nobody],
            ..Stage::default()
        };
        studio.draw(&stage, &View::default());
    });
}
