use super::{Driver, gpu};
use egui::Key;
use egui_kittest::kittest::Queryable;
use sinew::Normals;
use sinew_view::document::MadeFigure;
use sinew_view::headless::Headless;
use sinew_view::state::{
    Background, Overlay, PanelKind, Pass, Preset, Projection, Selection, Surface, Theme,
};
use sinew_view::{FileCommand, PlaybackCommand, SelectionCommand, Session, script};

#[test]
fn every_surface_overlay_and_effect_has_a_switch() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let surfaces = [
        ("Joint weight", Surface::JointWeight),
        ("All weights", Surface::AllWeights),
        ("Heaviest joint", Surface::DominantJoint),
        ("Normals", Surface::Normals),
        ("UV checker", Surface::UvChecker),
        ("Hidden", Surface::Hidden),
        ("Materials", Surface::Materials),
    ];
    assert_eq!(surfaces.len(), Surface::ALL.len());
    for (name, surface) in surfaces {
        driver.click(name);
        assert_eq!(driver.state().look.surface, surface);
    }
    let overlays = [
        ("Bones", Overlay::Bones),
        ("Names", Overlay::Names),
        ("Axes", Overlay::Axes),
        ("Limits", Overlay::Limits),
        ("Wireframe", Overlay::Wireframe),
        ("Normal lines", Overlay::NormalLines),
        ("Grid", Overlay::Grid),
        ("Motion paths", Overlay::Trajectories),
        ("Ghosts", Overlay::Ghosts),
        ("Markers", Overlay::Markers),
    ];
    assert_eq!(overlays.len(), Overlay::ALL.len());
    for (name, overlay) in overlays {
        let was_on = driver.state().look.overlays.contains(&overlay);
        driver.click(name);
        assert_eq!(driver.state().look.overlays.contains(&overlay), !was_on);
    }
    let passes = [
        ("Shadow", Pass::Shadow),
        ("Occlusion", Pass::Occlusion),
        ("Reflection", Pass::Reflection),
        ("Bloom", Pass::Bloom),
    ];
    assert_eq!(passes.len(), Pass::ALL.len());
    for (name, pass) in passes {
        let was_on = driver.state().look.passes.contains(&pass);
        driver.click(name);
        assert_eq!(driver.state().look.passes.contains(&pass), !was_on);
    }
    for normals in [Normals::Exact, Normals::Skinned] {
        driver.click("Exact normals");
        assert_eq!(driver.state().look.normals, normals);
    }
    driver.click("Studio");
    assert_eq!(driver.state().look.background, Background::Studio);
    driver.click("White");
    assert_eq!(driver.state().look.background, Background::Color([255; 3]));
    for (key, overlay) in [
        (Key::B, Overlay::Bones),
        (Key::N, Overlay::Names),
        (Key::G, Overlay::Grid),
        (Key::W, Overlay::Wireframe),
    ] {
        let was_on = driver.state().look.overlays.contains(&overlay);
        driver.key(key);
        assert_eq!(driver.state().look.overlays.contains(&overlay), !was_on);
    }
}

#[test]
fn the_camera_is_driven_by_the_pointer_menus_and_keys() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let home = driver.state().camera;
    driver.drag("Picture", [0.5, 0.5], [0.6, 0.5]);
    let turned = driver.state().camera;
    assert_ne!(turned.azimuth_rad, home.azimuth_rad);
    assert_eq!(turned.distance, home.distance);
    let middle = driver.0.get_by_label("Picture").rect().center();
    driver.0.hover_at(middle);
    driver.0.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 60.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: egui::Modifiers::NONE,
    });
    driver.frames(8);
    assert!(driver.state().camera.distance < home.distance);
    for (key, preset) in [
        (Key::Num1, Preset::Front),
        (Key::Num3, Preset::Right),
        (Key::Num7, Preset::Top),
    ] {
        driver.key(key);
        let by_key = driver.state().camera;
        driver.click("View");
        driver.click(match preset {
            Preset::Front => "Front 1",
            Preset::Right => "Right 3",
            _ => "Top 7",
        });
        assert_eq!(driver.state().camera, by_key, "{preset:?}");
    }
    driver.key(Key::Num5);
    assert_eq!(driver.state().camera.projection, Projection::Orthographic);
    driver.click("Turntable");
    assert!(driver.state().camera.turntable_rad_per_sec > 0.0);
    let before = driver.state().camera.azimuth_rad;
    driver.frames(3);
    assert_ne!(driver.state().camera.azimuth_rad, before);
    driver.click("Turntable");
    driver.key(Key::Num0);
    let again = driver.state().camera;
    assert!((again.distance - home.distance).abs() < 0.1 * home.distance);
}

#[test]
fn theme_panels_and_help_are_switched() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("Light theme");
    assert_eq!(driver.state().window.theme, Theme::Light);
    driver.click("Dark theme");
    assert_eq!(driver.state().window.theme, Theme::Dark);
    driver.click("Help");
    driver.frames(3);
    assert!(driver.has("this list"));
    driver.click("Help");
    assert!(!driver.state().window.panels.contains(&PanelKind::Help));
    driver.0.event(egui::Event::Text("?".to_owned()));
    driver.frames(2);
    assert!(driver.state().window.panels.contains(&PanelKind::Help));
    driver.click("Help");
    for (name, panel) in [
        ("Look", PanelKind::Look),
        ("Clips", PanelKind::Files),
        ("Numbers", PanelKind::Numbers),
    ] {
        let was_open = driver.state().window.panels.contains(&panel);
        driver.click(name);
        assert_eq!(driver.state().window.panels.contains(&panel), !was_open);
    }
    assert!(driver.0.query_by_label_contains("Vertices: ").is_some());
    driver.run(PlaybackCommand::Play);
    driver.frames(6);
    assert!(driver.0.query_by_label_contains("Surfaces: ").is_some());
}

#[test]
fn eyes_in_the_scene_tree_hide_meshes() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    let middle = SelectionCommand::Pick {
        pane: 0,
        x: 0.5,
        y: 0.5,
        aspect: 1.0,
        add: false,
    };
    let picked = |driver: &mut Driver| {
        driver.run(middle.clone());
        driver.state().selection
    };
    driver.click("Scene");
    driver.click("Hide tube");
    assert_eq!(driver.state().hidden.len(), 1);
    assert_eq!(picked(&mut driver), Selection::None);
    driver.click("Show tube");
    assert!(driver.state().hidden.is_empty());
    assert!(matches!(picked(&mut driver), Selection::Joint(_)));

    let drawn = |on: bool| {
        let gpu = gpu().expect("there is a device");
        let mut window = Headless::new(Session::default(), gpu, [300, 200], 1.0).expect("a window");
        let nodes = window.viewer().session().document().files()[0]
            .character
            .nodes
            .len();
        let steps = format!(
            r#"[{{"do":"pause"}},{{"do":"picture_only","on":true}},{{"do":"visible","node":{},"on":{on}}},{{"do":"wait"}}]"#,
            nodes - 1
        );
        for step in script::parse(&steps).expect("a script") {
            window.step(&step).expect("a step");
        }
        window.screenshot().expect("a picture")
    };
    let (shown, hidden) = (drawn(true), drawn(false));
    let pixels = shown.rgba().chunks(4).zip(hidden.rgba().chunks(4));
    assert!(pixels.filter(|(a, b)| a != b).count() > 20);
}

#[test]
fn exact_normals_change_the_picture_of_a_bent_tube_and_not_of_a_straight_one() {
    if gpu().is_none() {
        return;
    }
    let drawn = |clip: &str, look: &str| {
        let gpu = gpu().expect("there is a device");
        let mut window = Headless::new(Session::default(), gpu, [300, 200], 1.0).expect("a window");
        let steps = format!(
            r#"[{{"do":"open_made","figure":"tube"}},{{"do":"wait"}},{{"do":"clip","clip":{clip}}},{{"do":"pause"}},
            {{"do":"seek","time_secs":1.0}},{{"do":"picture_only","on":true}}{look},{{"do":"wait"}}]"#
        );
        for step in script::parse(&steps).expect("a script") {
            window.step(&step).expect("a step");
        }
        window.screenshot().expect("a picture")
    };
    let apart = |clip: &str| {
        let exact = r#",{"do":"exact_normals","on":true}"#;
        let [a, b] = ["", exact].map(|look| drawn(clip, look));
        let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4));
        let most = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
        pixels.filter(|pair| most(*pair) > Some(4)).count()
    };
    let (bent, still) = (apart("1"), apart("null"));
    assert!(
        bent > 200 && still < 20,
        "{bent} pixels of the bent tube, {still} of the straight one"
    );
}
