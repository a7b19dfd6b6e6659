//! Any commands in any order leave a valid state.

use super::{Folder, check, settle};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew_view::document::{FileId, MadeFigure};
use sinew_view::state::{
    Background, Ending, Overlay, PanelKind, Pass, Preset, Projection, Selection, Surface,
    Surroundings, Theme, TimeUnit,
};
use sinew_view::{
    CameraCommand, Command, FileCommand, LookCommand, PaneCommand, PlaybackCommand, PoseCommand,
    SelectionCommand, Session, WindowCommand,
};
use std::path::PathBuf;

/// Numbers that people and faults produce.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -3.0..3.0,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e300]),
    ]
}

fn small() -> impl Strategy<Value = f32> {
    number().prop_map(|number| number as f32)
}

fn index() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 0..8_usize, 2 => 0..80_usize, 1 => any::<usize>()]
}

fn file() -> impl Strategy<Value = FileId> {
    prop_oneof![8 => 0..8_u32, 1 => any::<u32>()].prop_map(FileId)
}

fn selection() -> impl Strategy<Value = Selection> {
    prop_oneof![
        Just(Selection::None),
        index().prop_map(Selection::Joint),
        index().prop_map(Selection::Node),
        (index(), index()).prop_map(|(primitive, vertex)| Selection::Vertex { primitive, vertex }),
    ]
}

fn method() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["rigid", "lbs", "dqs", "quat", "magic"]).prop_map(str::to_owned)
}

fn any_of<T: Clone + std::fmt::Debug + 'static>(all: &[T]) -> impl Strategy<Value = T> + use<T> {
    prop::sample::select(all.to_vec())
}

fn time_command() -> impl Strategy<Value = PlaybackCommand> {
    prop_oneof![
        prop::option::of(index()).prop_map(|clip| PlaybackCommand::Clip { clip }),
        (index(), small()).prop_map(|(clip, weight)| PlaybackCommand::Blend { clip, weight }),
        Just(PlaybackCommand::Play),
        Just(PlaybackCommand::Pause),
        Just(PlaybackCommand::TogglePlay),
        number().prop_map(|time_secs| PlaybackCommand::Seek { time_secs }),
        prop_oneof![-40..40_i32, any::<i32>()]
            .prop_map(|frames| PlaybackCommand::StepFrames { frames }),
        Just(PlaybackCommand::NextKey),
        Just(PlaybackCommand::PreviousKey),
        number().prop_map(|speed| PlaybackCommand::Speed { speed }),
        any_of(&[Ending::Loop, Ending::PingPong, Ending::Stop])
            .prop_map(|ending| PlaybackCommand::Ending { ending }),
        prop::option::of([number(), number()])
            .prop_map(|range_secs| PlaybackCommand::Range { range_secs }),
        number().prop_map(|fps| PlaybackCommand::Fps { fps: 30.0 * fps }),
        any_of(&[TimeUnit::Seconds, TimeUnit::Frames])
            .prop_map(|unit| PlaybackCommand::Unit { unit }),
        any::<bool>().prop_map(|on| PlaybackCommand::RootMotion { on }),
    ]
}

fn camera_command() -> impl Strategy<Value = CameraCommand> {
    let presets = [
        Preset::Front,
        Preset::Back,
        Preset::Left,
        Preset::Right,
        Preset::Top,
        Preset::Bottom,
        Preset::Home,
    ];
    prop_oneof![
        (small(), small())
            .prop_map(|(right_rad, up_rad)| CameraCommand::Orbit { right_rad, up_rad }),
        (small(), small()).prop_map(|(right, up)| CameraCommand::Pan { right, up }),
        small().prop_map(|factor| CameraCommand::Zoom { factor }),
        any_of(&presets).prop_map(|preset| CameraCommand::Preset { preset }),
        Just(CameraCommand::Frame),
        small().prop_map(|aspect| CameraCommand::Aspect { aspect }),
        any_of(&[Projection::Perspective, Projection::Orthographic])
            .prop_map(|projection| CameraCommand::Projection { projection }),
        small().prop_map(|rad_per_sec| CameraCommand::Turntable { rad_per_sec }),
    ]
}

fn look_command() -> impl Strategy<Value = LookCommand> {
    prop_oneof![
        any_of(&Surface::ALL).prop_map(|surface| LookCommand::Surface { surface }),
        (any_of(&Overlay::ALL), any::<bool>())
            .prop_map(|(overlay, on)| LookCommand::Overlay { overlay, on }),
        (any_of(&Pass::ALL), any::<bool>()).prop_map(|(pass, on)| LookCommand::Pass { pass, on }),
        any::<bool>().prop_map(|on| LookCommand::ExactNormals { on }),
        any_of(&[Background::Theme, Background::Color([1, 2, 3])])
            .prop_map(|background| LookCommand::Background { background }),
        (0..70_usize, any::<bool>()).prop_map(|(node, on)| LookCommand::Visible { node, on }),
        any_of(&Surroundings::ALL).prop_map(|environment| LookCommand::Environment { environment }),
        small().prop_map(|stops| LookCommand::Exposure { stops }),
        (index(), index(), prop::option::of(small())).prop_map(|(node, target, weight)| {
            LookCommand::Morph {
                node,
                target,
                weight,
            }
        }),
        Just(LookCommand::ResetMorphs),
    ]
}

fn window_command() -> impl Strategy<Value = WindowCommand> {
    prop_oneof![
        (any_of(&PanelKind::ALL), any::<bool>())
            .prop_map(|(panel, on)| WindowCommand::Panel { panel, on }),
        any_of(&[Theme::Dark, Theme::Light]).prop_map(|theme| WindowCommand::Theme { theme }),
        small().prop_map(|zoom| WindowCommand::LetterSize { zoom }),
    ]
}

fn file_command(paths: &[PathBuf]) -> impl Strategy<Value = FileCommand> + use<> {
    prop_oneof![
        any_of(paths).prop_map(|path| FileCommand::Open { path }),
        Just(FileCommand::CancelOpening),
        Just(FileCommand::OpenMade {
            figure: MadeFigure::Humanoid
        }),
        Just(FileCommand::OpenBytes {
            name: "x".into(),
            bytes: vec![1, 2, 3]
        }),
        file().prop_map(|file| FileCommand::Reload { file }),
        index().prop_map(|message| FileCommand::DismissMessage { message }),
        file().prop_map(|file| FileCommand::Close { file }),
        file().prop_map(|file| FileCommand::Show { file }),
        file().prop_map(|file| FileCommand::Show { file }),
    ]
}

fn selection_command() -> impl Strategy<Value = SelectionCommand> {
    prop_oneof![
        selection().prop_map(|selection| SelectionCommand::Select { selection }),
        index().prop_map(|joint| SelectionCommand::AddJoint { joint }),
        (0..5_usize, small(), small(), small(), any::<bool>()).prop_map(
            |(pane, x, y, aspect, add)| SelectionCommand::Pick {
                pane,
                x,
                y,
                aspect,
                add
            }
        ),
    ]
}

fn pose_command() -> impl Strategy<Value = PoseCommand> {
    let numbers = (index(), prop::array::uniform4(small()));
    prop_oneof![
        numbers.prop_map(|(joint, [x, y, z, w])| PoseCommand::Turn {
            joint,
            rotation: Quat::from_xyzw(x, y, z, w),
        }),
        Just(PoseCommand::ResetTurns),
        (index(), any::<bool>()).prop_map(|(joint, on)| PoseCommand::PinJoint { joint, on }),
        (index(), any::<bool>()).prop_map(|(joint, on)| PoseCommand::LockJoint { joint, on }),
        any::<bool>().prop_map(|on| PoseCommand::KeepRotation { on }),
        (index(), prop::option::of(prop::array::uniform3(small()))).prop_map(|(joint, at)| {
            PoseCommand::Pole {
                joint,
                position: at.map(Vec3::from),
            }
        }),
        Just(PoseCommand::CopyPose),
        Just(PoseCommand::PastePose),
    ]
}

fn pane_command() -> impl Strategy<Value = PaneCommand> {
    prop_oneof![
        prop::collection::vec(method(), 0..6)
            .prop_map(|methods| PaneCommand::CompareMethods { methods }),
        prop::collection::vec(file(), 0..6).prop_map(|files| PaneCommand::CompareFiles { files }),
        method().prop_map(|method| PaneCommand::Method { method }),
        Just(PaneCommand::ComparePacked),
        Just(PaneCommand::CompareNone),
    ]
}

fn command(paths: &[PathBuf]) -> impl Strategy<Value = Command> + use<> {
    prop_oneof![
        8 => file_command(paths).prop_map(Command::from),
        24 => time_command().prop_map(Command::from),
        12 => camera_command().prop_map(Command::from),
        5 => look_command().prop_map(Command::from),
        3 => window_command().prop_map(Command::from),
        4 => selection_command().prop_map(Command::from),
        3 => pose_command().prop_map(Command::from),
        9 => pane_command().prop_map(Command::from),
    ]
}

/// Number of cases with 100 commands each: 10 000 commands with `make soak`, 500 otherwise.
fn cases() -> u32 {
    match std::env::var_os("PROPTEST_CASES").is_some() {
        true => 100,
        false => 5,
    }
}

#[test]
fn any_command_leaves_a_consistent_state() {
    let folder = Folder::new("random");
    let mannequin = folder.path("mannequin.glb");
    let person = sinew_samples::mannequin::Mannequin::default().build();
    sinew_io::save(&mannequin, &person).expect("a file");
    let paths = vec![mannequin, folder.bvh("a.bvh"), folder.bare("ball.glb")];
    let steps = prop::collection::vec((command(&paths), number()), 100);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: cases(),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let checked = runner.run(&steps, |steps| {
        let mut session = Session::opening(paths.clone());
        settle(&mut session);
        for (command, elapsed_secs) in steps {
            session.run(command.clone());
            let found = session.state().check(session.document());
            prop_assert_eq!(found, Ok(()), "{:?}", command);
            session.advance(elapsed_secs);
            let found = session.state().check(session.document());
            prop_assert_eq!(found, Ok(()), "advancing after {:?}", command);
            for pane in 0..session.state().panes.len() {
                if let Some(figure) = session.figure(pane) {
                    let pose = figure.actor.model_pose().expect("a pose of its skeleton");
                    prop_assert_eq!(pose.first_not_finite(), None, "{:?}", command);
                }
            }
            let line = session.command_line("out.png", [640, 480]);
            prop_assert!(line.starts_with("sinew render "));
        }
        settle(&mut session);
        check(&session);
        Ok(())
    });
    checked.unwrap_or_else(|problem| panic!("{problem}"));
}
