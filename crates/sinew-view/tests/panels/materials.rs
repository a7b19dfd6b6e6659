//! Morph targets, environment, exposure and the list of materials.

use super::{Driver, gpu};
use sinew_io::gltf;
use sinew_view::headless::Headless;
use sinew_view::state::{PanelKind, Selection, Surroundings};
use sinew_view::{FileCommand, LookCommand, PlaybackCommand, Session, WindowCommand, script};

/// Opens the limb with a muscle, which is a morph target, with one panel on the right.
fn muscle(panel: PanelKind) -> Option<Driver> {
    let mut driver = Driver::new(Session::default())?;
    let figure = sinew_samples::muscle_character();
    driver.run(FileCommand::OpenBytes {
        name: "muscle.glb".to_owned(),
        bytes: gltf::to_glb(&figure, &gltf::ExportOptions::new()).expect("written"),
    });
    driver.wait();
    driver.run(PlaybackCommand::Clip { clip: None });
    driver.run(WindowCommand::Panel {
        panel: PanelKind::Look,
        on: false,
    });
    driver.run(WindowCommand::Panel { panel, on: true });
    driver.frames(2);
    Some(driver)
}

#[test]
fn a_slider_sets_the_weight_of_a_morph_target() {
    let Some(mut driver) = muscle(PanelKind::Morphs) else {
        return;
    };
    assert!(driver.state().morphs.is_empty());
    driver.drag("Weight of muscle", [0.3, 0.5], [1.0, 0.5]);
    let weights: Vec<f32> = driver.state().morphs.values().copied().collect();
    assert_eq!(weights.len(), 1);
    assert!(weights[0] > 0.02 && weights[0] <= 1.0, "{weights:?}");
    driver.click("Reset weights");
    assert!(driver.state().morphs.is_empty());
    let file = driver.session().document().file(driver.state().shown);
    let nodes = file.expect("the limb").character.nodes.len();
    for node in 0..nodes {
        let (target, weight) = (9, Some(1.0));
        driver.run(LookCommand::Morph {
            node,
            target,
            weight,
        });
    }
    assert!(driver.state().morphs.is_empty(), "there is one target");
}

#[test]
fn weights_by_hand_environment_and_exposure_change_the_picture() {
    let Some(gpu) = gpu() else {
        return;
    };
    let figure = sinew_samples::muscle_character();
    let node = figure.nodes.iter().position(|node| node.mesh.is_some());
    let node = node.expect("a mesh");
    let bytes = gltf::to_glb(&figure, &gltf::ExportOptions::new()).expect("written");
    let shown = |steps: &str| {
        let mut session = Session::default();
        session.run(FileCommand::OpenBytes {
            name: "muscle.glb".to_owned(),
            bytes: bytes.clone(),
        });
        let mut window = Headless::new(session, gpu.clone(), [320, 240], 0.4).expect("a window");
        let text = format!(r#"[{{"do":"wait"}},{{"do":"clip","clip":null}}{steps}]"#);
        for step in script::parse(&text).expect("a script") {
            window.step(&step).expect("a step");
        }
        window.screenshot().expect("a picture")
    };
    let plain = shown("");
    for step in [
        format!(r#",{{"do":"morph","node":{node},"target":0,"weight":1.0}}"#),
        r#",{"do":"environment","environment":"sunset"}"#.to_owned(),
        r#",{"do":"exposure","stops":2.0}"#.to_owned(),
    ] {
        let (largest, _) = shown(&step).difference(&plain).expect("as large");
        assert!(largest > 20, "{step}: {largest}");
    }
}

#[test]
fn environment_and_exposure_are_set_in_the_panel() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for (name, environment) in [
        ("Few lamps", Surroundings::Dark),
        ("Overcast", Surroundings::Overcast),
        ("Sunset", Surroundings::Sunset),
        ("Soft lamps", Surroundings::Studio),
    ] {
        driver.click(name);
        assert_eq!(driver.state().look.environment, environment);
    }
    driver.drag("Exposure in stops", [0.3, 0.5], [1.3, 0.5]);
    let stops = driver.state().look.exposure_stops;
    assert!(stops > 0.1 && stops <= 6.0, "{stops}");
    driver.run(LookCommand::Exposure { stops: f32::NAN });
    assert_eq!(driver.state().look.exposure_stops, stops);
    driver.run(LookCommand::Exposure { stops: 99.0 });
    assert_eq!(driver.state().look.exposure_stops, 6.0);
}

#[test]
fn materials_are_listed_and_lead_to_a_mesh_that_has_them() {
    let Some(mut driver) = muscle(PanelKind::Materials) else {
        return;
    };
    let file = driver.session().document().file(driver.state().shown);
    let character = file.expect("the figure").character.clone();
    assert!(!character.materials.is_empty());
    for (index, material) in character.materials.iter().enumerate() {
        let name = match material.name.is_empty() {
            true => format!("Material material {index}"),
            false => format!("Material {}", material.name),
        };
        driver.click(&name);
        let Selection::Node(node) = driver.state().selection else {
            panic!("{:?}", driver.state().selection);
        };
        let mesh = character.nodes[node].mesh.expect("a mesh");
        let mut primitives = character.meshes[mesh].primitives.iter();
        assert!(primitives.any(|primitive| primitive.material == Some(index)));
    }
}
