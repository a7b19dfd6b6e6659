use sinew::binding::{Binding, BindingError, Target, curves, events};
use sinew::character::{Driven, Light, LightKind, StageNames, binding_name};
use sinew::clip::{Clip, Curve};
use sinew::graph::{Condition, GraphError, State, StateMachine, Transition};
use sinew::property::{Property, TextureSlot, UvPart};
use sinew::{Character, Interpolation, Material, Method, Player, Rig, Track, Wrap, deform};
use sinew_samples::mannequin::{Mannequin, sword_form_bindings};
use sinew_samples::{muscle_character, tube_character};

fn line(text: &str) -> Binding {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn curve(name: &str, width: usize, values: &[f32]) -> Curve {
    let times = (0..values.len() / width)
        .map(|key| key as f32)
        .collect::<Vec<_>>();
    Curve {
        name: name.to_owned(),
        track: Track::new(times, values.to_vec(), width, Interpolation::Linear).unwrap(),
    }
}

#[test]
fn every_target_is_read_as_it_is_written() {
    let lines = [
        ("a=camera.eye", Target::CameraEye, &[3][..]),
        ("a=camera.target", Target::CameraTarget, &[3]),
        ("a=camera.fov", Target::CameraFov, &[1]),
        (
            "a=light.a lamp.v2.strength",
            Target::LightStrength("a lamp.v2".into()),
            &[1],
        ),
        ("a=light.key.color", Target::LightColor("key".into()), &[3]),
        (
            "a=material.Body.001.uv",
            Target::MaterialUv("Body.001".into()),
            &[2, 6],
        ),
        (
            "a=material.m.color",
            Target::MaterialColor("m".into()),
            &[3, 4],
        ),
        (
            "a=material.m.emissive",
            Target::MaterialEmissive("m".into()),
            &[3],
        ),
        (
            "a=morph.Fcl.EYE=close",
            Target::Morph("Fcl.EYE=close".into()),
            &[1],
        ),
        ("a=parameter.speed", Target::Parameter("speed".into()), &[1]),
        ("a=sound.step.wav", Target::Sound("step.wav".into()), &[]),
        ("a=dust.left.toes", Target::Dust("left.toes".into()), &[]),
        ("a=call.open_door", Target::Call("open_door".into()), &[]),
    ];
    for (text, target, widths) in lines {
        let binding = line(text);
        assert_eq!((binding.signal.as_str(), &binding.target), ("a", &target));
        assert_eq!(binding.to_string(), text);
        assert_eq!(target.widths(), widths, "{text}");
        assert_eq!(target.is_of_event(), widths.is_empty(), "{text}");
    }
}

#[test]
fn every_property_is_read_as_it_is_written() {
    let lines = [
        ("node.a.b.visible", Property::Visible, 1),
        ("camera.front.fov", Property::Fov, 1),
        ("camera.#2.half_width", Property::HalfWidth, 1),
        ("light.lamp.outer_angle", Property::OuterAngle, 1),
        ("material.fov.sheen_color", Property::SheenColor, 3),
        ("material.m.emissive_factor", Property::EmissiveFactor, 3),
        (
            "material.a.normal_texture.scale",
            Property::Uv(TextureSlot::Normal, UvPart::Scale),
            2,
        ),
        (
            "material.m.clearcoat_texture.rotation",
            Property::Uv(TextureSlot::Clearcoat, UvPart::Rotation),
            1,
        ),
    ];
    for (text, property, width) in lines {
        let target: Target = text.parse().unwrap();
        assert_eq!(target.property().map(|own| own.1), Some(property), "{text}");
        assert_eq!(
            (target.to_string().as_str(), target.widths()),
            (text, &[width][..])
        );
    }
    for text in [
        "node.visible",
        "node.a.fov",
        "light.lamp.fov",
        "camera.front.color",
        "material.m.scale",
        "material.color_texture.scale",
    ] {
        assert!(text.parse::<Target>().is_err(), "{text}");
    }
    assert_eq!(
        Target::of("m".to_owned(), Property::BaseColor),
        Target::MaterialColor("m".to_owned())
    );
}

#[test]
fn an_index_means_one_object_and_a_name_all_that_have_it() {
    let material = |name: &str| Material {
        name: name.to_owned(),
        ..Material::default()
    };
    let mut tube = tube_character();
    tube.materials = vec![material("a"), material(""), material("a")];
    let mut clip = Clip::new("play");
    clip.curves.push(curve("x", 1, &[0.0, 4.0]));
    tube.bindings = vec![
        line("x=material.a.roughness"),
        line("x=material.#1.metallic"),
    ];
    let mut driven = Driven::new(&tube);
    driven.update(Some(&clip), 0.125);
    let found: Vec<_> = driven
        .materials()
        .iter()
        .map(|m| (m.roughness, m.metallic))
        .collect();
    assert_eq!(found, [(0.5, 1.0), (1.0, 0.5), (0.5, 1.0)]);
    driven.update(Some(&clip), 1.0);
    assert_eq!(driven.materials()[1].metallic, 1.0, "clamped");
    driven.update(None, 0.0);
    assert_eq!(driven, Driven::new(&tube));
    assert_eq!(binding_name(&["a", "", "a", "b", "#1"], 0), "#0");
    assert_eq!(binding_name(&["a", "", "a", "b", "#1"], 3), "b");
    assert_eq!(binding_name(&["a", "", "a", "b", "#1"], 4), "#4");
}

#[test]
fn what_is_no_binding_is_refused_and_told() {
    for text in ["", "lamp", "=camera.eye"] {
        let refused = text.parse::<Binding>().unwrap_err();
        assert!(
            matches!(refused, BindingError::Form { .. }),
            "{text}: {refused}"
        );
    }
    for text in [
        "a=",
        "a=camera",
        "a=camera.",
        "a=camera.roll",
        "a=light.key",
        "a=light..color",
        "a=light.key.size",
        "a=morph.",
        "a=sound.",
        "a=material.uv",
        "a=eye",
    ] {
        let refused = text.parse::<Binding>().unwrap_err();
        assert!(
            matches!(refused, BindingError::Target { .. }),
            "{text}: {refused}"
        );
        assert!(
            refused.to_string().contains("light.NAME.strength"),
            "{refused}"
        );
    }
    let hint = |text: &str| text.parse::<Binding>().unwrap_err().to_string();
    assert!(hint("a=camra.eye").contains("did you mean camera?"));
    assert!(hint("a=camera.eyes").contains("did you mean camera.eye?"));
}

#[test]
fn a_clip_drives_what_its_curves_are_bound_to() {
    let mut clip = Clip::new("walk");
    clip.curves = vec![
        curve("eye", 3, &[0.0, 1.0, 2.0, 4.0, 3.0, 2.0]),
        curve("tint", 4, &[1.0, 0.5, 0.0, 1.0]),
        curve("wide", 7, &[0.0; 7]),
    ];
    clip.add_event(0.25, "step");
    clip.fit_duration();
    let table: Vec<Binding> = [
        "tint=material.cloth.color",
        "eye=camera.eye",
        "eye=camera.fov",
        "wide=material.cloth.uv",
        "nothing=camera.fov",
        "step=sound.gravel",
        "step=dust.toes",
        "step=camera.fov",
        "eye=sound.blink",
    ]
    .map(line)
    .into();
    let driven: Vec<(&Target, Vec<f32>)> = curves(&table, &clip, 0.25)
        .map(|(target, value)| (target, value.to_vec()))
        .collect();
    let cloth = Target::MaterialColor("cloth".into());
    let wanted = [
        (&cloth, vec![1.0, 0.5, 0.0, 1.0]),
        (&Target::CameraEye, vec![1.0, 1.5, 2.0]),
    ];
    assert_eq!(driven, wanted);
    let mut fired = Vec::new();
    let mut player = Player::new(Wrap::Loop);
    for _ in 0..4 {
        player.advance(&clip, 0.5, |event| {
            fired.extend(events(&table, &event.name));
        });
    }
    let (sound, dust) = (Target::Sound("gravel".into()), Target::Dust("toes".into()));
    assert_eq!(fired, [&sound, &dust, &sound, &dust], "twice in two cycles");
}

#[test]
fn what_a_table_names_is_looked_for_where_it_is_used() {
    let mut limb = muscle_character();
    limb.lights.push(Light {
        name: "lamp".to_owned(),
        color: [1.0; 3],
        intensity: 1.0,
        kind: LightKind::Directional,
    });
    limb.clips[0].curves.push(curve("color", 3, &[0.0; 3]));
    limb.clips[1].add_event(1.0, "creak");
    let stage = StageNames {
        lights: &["key"],
        materials: &["water"],
    };
    for text in [
        "pulse=morph.muscle",
        "pulse=light.lamp.strength",
        "pulse=light.key.strength",
        "color=light.lamp.color",
        "color=material.tube.color",
        "color=material.water.emissive",
        "color=camera.target",
        "creak=dust.upper",
        "creak=sound.anything",
        "pulse=parameter.anything",
    ] {
        assert_eq!(limb.check_binding(&line(text), &stage), Ok(()), "{text}");
    }
    for (text, what, hint) in [
        ("plse=morph.muscle", "curve", "pulse"),
        ("creak=morph.muscle", "curve", ""),
        ("pulse=sound.x", "event", ""),
        ("crek=dust.upper", "event", "creak"),
        ("pulse=morph.muscles", "morph target", "muscle"),
        ("pulse=light.lmap.strength", "light", "lamp"),
        ("color=material.tubes.color", "material", "tube"),
        ("creak=dust.uper", "joint", "upper"),
    ] {
        let refused = limb.check_binding(&line(text), &stage).unwrap_err();
        assert!(
            matches!(refused, BindingError::Unknown { what: found, .. } if found == what),
            "{text}: {refused}"
        );
        let said = refused.to_string();
        assert!(said.starts_with(text) && said.contains(hint), "{said}");
    }
    let refused = limb
        .check_binding(&line("color=camera.fov"), &stage)
        .unwrap_err();
    let wanted =
        "color=camera.fov: the curve of clip \"twist\" has 3 numbers, but the target takes 1";
    assert_eq!(refused.to_string(), wanted);
    let nowhere = StageNames::default();
    assert!(
        limb.check_binding(&line("pulse=light.key.strength"), &nowhere)
            .is_err()
    );
    let fencer = Mannequin::default().build();
    let grove = StageNames {
        lights: &["lantern"],
        materials: &["water"],
    };
    for binding in sword_form_bindings() {
        assert_eq!(fencer.check_binding(&binding, &grove), Ok(()), "{binding}");
    }
}

fn apart(a: &Character, b: &Character, clip: usize, time_secs: f64) -> f32 {
    let [a, b] = [a, b].map(|c| deform(c, Some(clip), time_secs, Method::Linear).unwrap());
    let pairs = a.primitives[0]
        .positions
        .iter()
        .zip(&b.primitives[0].positions);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_bound_curve_is_the_weight_of_a_morph_target() {
    let limb = muscle_character();
    // Reference shape from a weight of the node. No corrective is active in the twist.
    let swollen = |weight: f32| {
        let mut limb = tube_like(&limb);
        limb.nodes.last_mut().unwrap().morph_weights = vec![weight];
        limb
    };
    assert!(apart(&limb, &swollen(0.0), 0, 0.5) > 0.1, "it swells");
    for (time, weight) in [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0), (1.5, 1.0)] {
        assert!(apart(&limb, &swollen(weight), 0, time) < 1e-6, "{time}");
    }
    let mut still = limb.clone();
    still.correctives.clear();
    still.nodes.last_mut().unwrap().morph_weights = vec![0.5];
    assert_eq!(apart(&still, &swollen(0.5), 1, 1.0), 0.0);
    let rig = Rig::new(&limb, Method::Linear).unwrap();
    let mut actor = rig.actor();
    let mut player = rig.player("twist").unwrap();
    player.seek(0.5);
    actor.sample(&player).unwrap();
    assert_eq!(actor.morph_weights(0), [1.0]);
    let graph = StateMachine::new()
        .state(State::clip("twist", "twist"))
        .build(&rig)
        .unwrap();
    let mut player = graph.player();
    player.update(0.5, |_| {}).unwrap();
    player.pose(&mut actor).unwrap();
    assert_eq!(actor.morph_weights(0), [1.0]);
}

fn tube_like(limb: &Character) -> Character {
    Character {
        bindings: Vec::new(),
        correctives: Vec::new(),
        layers: Vec::new(),
        ..limb.clone()
    }
}

#[test]
fn a_parameter_follows_the_curve_that_it_is_bound_to() {
    let mut tube = tube_character();
    tube.clips[0]
        .curves
        .push(curve("effort", 1, &[0.0, 0.5, 1.0]));
    tube.clips[0].curves.push(curve("pair", 2, &[0.0; 4]));
    tube.bindings = vec![line("effort=parameter.tired"), line("effort=morph.none")];
    let rig = Rig::new(&tube, Method::Linear).unwrap();
    let machine = || {
        StateMachine::new()
            .parameter("tired", 0.0)
            .state(State::clip("work", "twist"))
            .state(State::clip("rest", "bend"))
            .transition(
                Transition::new("work", "rest")
                    .when(Condition::above("tired", 0.7))
                    .inertia(0.1),
            )
    };
    let mut player = machine().build(&rig).unwrap().player();
    for (step, wanted) in [(0, 0.0), (1, 0.25), (2, 0.5)] {
        player.update(0.5, |_| {}).unwrap();
        assert_eq!(player.get("tired"), Some(wanted), "{step}");
        assert_eq!(player.state(), "work");
    }
    player.update(0.25, |_| {}).unwrap();
    assert_eq!((player.get("tired"), player.state()), (Some(0.75), "rest"));
    for (text, wanted) in [
        (
            "effort=parameter.tird",
            "binding effort=parameter.tird: there is no parameter \"tird\"; did you mean tired?",
        ),
        (
            "efort=parameter.tired",
            "binding efort=parameter.tired: there is no curve \"efort\"; did you mean effort?",
        ),
        (
            "pair=parameter.tired",
            "binding pair=parameter.tired: the number of values of the curve, 2 is not 1",
        ),
    ] {
        let refused: GraphError = machine()
            .build(&rig)
            .unwrap()
            .bound(&[line(text)])
            .unwrap_err();
        assert_eq!(refused.to_string(), wanted);
    }
}
