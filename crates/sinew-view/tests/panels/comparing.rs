use super::{Driver, gpu};
use egui::Key;
use sinew::Method;
use sinew_edit::ClipEdit;
use sinew_view::document::{MadeFigure, Work};
use sinew_view::headless::Headless;
use sinew_view::state::{PanelKind, Selection};
use sinew_view::{FileCommand, PlaybackCommand, Session, WindowCommand, script};

#[test]
fn methods_files_and_packed_clips_stand_side_by_side() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("Compare");
    driver.click("All four methods");
    driver.wait();
    let methods: Vec<Method> = driver.state().panes.iter().map(|p| p.method).collect();
    assert_eq!(
        methods,
        [
            Method::Rigid,
            Method::Linear,
            Method::DualQuat,
            Method::Quaternion
        ]
    );
    assert!(driver.has("Picture 4"));
    driver.click("Compare");
    driver.click("One picture");
    assert_eq!(driver.state().panes.len(), 1);
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Humanoid,
    });
    driver.wait();
    driver.click("Compare");
    driver.click("Open files");
    driver.wait();
    assert_eq!(driver.state().panes.len(), 2);
    assert_ne!(driver.state().panes[0].file, driver.state().panes[1].file);
    driver.click("Compare");
    driver.click("Clip and packed clip");
    driver.wait();
    assert!(driver.state().panes[1].is_packed);
}

#[test]
fn the_worst_moment_is_a_click_away() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    driver.run(PlaybackCommand::Pause);
    driver.click("Compare");
    driver.click("linear blend · dual quaternion");
    driver.run(WindowCommand::Panel {
        panel: PanelKind::Deformation,
        on: true,
    });
    driver.wait();
    driver.wait();
    let Work::Done(found) = driver.session().deformation(0) else {
        panic!("{:?}", driver.session().deformation(0));
    };
    let curve = found.curves[1].clone();
    driver.click("Stretch");
    driver.click("Worst moment of linear blend");
    let now = driver.state().playback.time_secs;
    assert!((now - curve.worst.time_secs).abs() < 1e-6, "{now}");
    assert!(matches!(
        driver.state().selection,
        Selection::Vertex { .. } | Selection::Joint(_)
    ));
}

#[test]
fn a_plot_shows_what_is_measured_while_the_rest_is_measured() {
    let mut session = Session::default();
    session.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    while session.is_busy() {
        session.advance(0.0);
    }
    // The clip becomes as long as a dance.
    let clip = session.edited_clip().expect("a clip");
    let factor = (18.0 / session.duration_secs()) as f32;
    session.run(ClipEdit::RetimeClip { clip, factor });
    assert!((session.duration_secs() - 18.0).abs() < 1e-3);
    let (panel, on) = (PanelKind::Deformation, true);
    session.run(WindowCommand::Panel { panel, on });
    let mut lengths = Vec::new();
    let mut part = None;
    session.advance(0.0);
    while !matches!(session.deformation(0), Work::Done(_)) {
        if let Some(found) = session.deformation_so_far(0) {
            assert!(matches!(session.deformation(0), Work::Working(_)));
            if lengths.last() != Some(&found.times_secs.len()) {
                lengths.push(found.times_secs.len());
                part = Some(found.clone());
            }
        }
        session.advance(0.0);
    }
    let Work::Done(whole) = session.deformation(0) else {
        panic!("measured");
    };
    assert_eq!(whole.times_secs.len(), 541);
    assert!(lengths.len() > 3 && lengths.is_sorted(), "{lengths:?}");
    let part = part.expect("a part");
    let done = part.times_secs.len();
    assert_eq!(part.times_secs, whole.times_secs[..done]);
    for (part, whole) in part.curves.iter().zip(&whole.curves) {
        assert_eq!(part.measure, whole.measure);
        assert_eq!(part.values, whole.values[..done]);
    }
    assert!(session.deformation_so_far(0).is_none());
}

#[test]
fn a_joint_turned_by_hand_is_turned_where_no_rig_has_the_method() {
    let Some(gpu) = gpu() else {
        return;
    };
    let shown = |method: &str, turn: &str| {
        let mut window =
            Headless::new(Session::default(), gpu.clone(), [480, 320], 0.4).expect("a window");
        let steps = format!(
            r#"[{{"do":"open_made","figure":"tube"}},{{"do":"wait"}},{{"do":"pause"}},
                {{"do":"seek","time_secs":0.0}},{{"do":"compare_methods","methods":["{method}"]}}{turn}]"#
        );
        for step in script::parse(&steps).expect("a script") {
            window.step(&step).expect("a step");
        }
        window.screenshot().expect("a picture")
    };
    let turn = r#",{"do":"turn","joint":1,"rotation":[0.5,0.0,0.0,0.866]}"#;
    for method in ["lbs", "quat"] {
        let (before, after) = (shown(method, ""), shown(method, turn));
        let pixels = before.rgba().chunks(4).zip(after.rgba().chunks(4));
        let others = pixels.filter(|(a, b)| a[0].abs_diff(b[0]) > 24).count();
        assert!(others > 500, "{method}: {others} pixels");
    }
}

#[test]
fn a_file_shows_its_own_method_and_a_key_switches_it() {
    let folder = std::env::temp_dir().join(format!("sinew-own-method-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("other.glb");
    let tube = sinew::Character {
        stated_method: None,
        ..sinew_samples::tube_character()
    };
    let options = sinew_io::gltf::ExportOptions::new();
    sinew_io::gltf::write(&path, &tube, &options).expect("written");
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    // The mannequin states its method.
    assert!(driver.has("dual quaternion skinning"));
    driver.run(FileCommand::Open { path });
    driver.wait();
    assert_eq!(driver.state().panes[0].method, Method::Linear);
    driver.key(Key::K);
    assert_eq!(driver.state().panes[0].method, Method::DualQuat);
    driver.click("dual quaternion skinning");
    assert!(driver.has("linear blend skinning"));
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    assert_eq!(driver.state().panes[0].method, Method::DualQuat);
    let _ = std::fs::remove_dir_all(folder);
}
