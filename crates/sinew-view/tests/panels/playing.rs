use super::{Driver, gpu};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable;
use sinew::clip::Curve;
use sinew::{Clip, Interpolation, Track};
use sinew_gpu::Picture;
use sinew_view::headless::Headless;
use sinew_view::state::{Ending, PanelKind, Selection, TimeUnit};
use sinew_view::{PlaybackCommand, Session, WindowCommand, script};

#[test]
fn a_closed_timeline_leaves_a_row_that_plays_and_scrubs() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let height = |driver: &Driver| driver.0.get_by_label("Picture").rect().height();
    let before = height(&driver);
    let panel = PanelKind::Timeline;
    driver.run(WindowCommand::Panel { panel, on: false });
    assert!(height(&driver) > before + 100.0);
    assert!(!driver.has("Loop"));
    driver.drag("Time", [0.02, 0.5], [0.5, 0.5]);
    let duration = driver.session().duration_secs();
    let part = driver.state().playback.time_secs / duration;
    assert!((0.45..0.55).contains(&part), "{part}");
    driver.click("Play");
    assert!(driver.state().playback.is_playing);
}

#[test]
fn time_is_driven_by_buttons_keys_and_the_ruler() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let now = |driver: &Driver| driver.state().playback.time_secs;
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    driver.click("To the beginning");
    assert_eq!(now(&driver), 0.0);
    driver.click("Next frame");
    assert!((now(&driver) - 1.0 / 30.0).abs() < 1e-6, "{}", now(&driver));
    driver.key(Key::ArrowRight);
    driver.click("Previous frame");
    assert!((now(&driver) - 1.0 / 30.0).abs() < 1e-6, "{}", now(&driver));
    driver.click("Next key");
    let key = now(&driver);
    assert!(key > 1.0 / 30.0);
    driver.click("Previous key");
    assert!(now(&driver) < key);
    driver.click("To the end");
    let duration = driver.session().duration_secs();
    assert!((now(&driver) - duration).abs() < 1e-6);
    assert!(!driver.state().playback.is_playing);

    driver.drag("Time", [0.02, 0.1], [0.5, 0.1]);
    let part = now(&driver) / duration;
    assert!((0.45..0.55).contains(&part), "{part}");
    // The ruler goes to frames, and to the end, which is between two.
    let frames = now(&driver) * driver.state().playback.fps;
    assert!((frames - frames.round()).abs() < 1e-9, "{frames}");
    driver.0.event(Event::ModifiersChanged(Modifiers::SHIFT));
    driver.drag("Time", [0.02, 0.1], [0.503, 0.1]);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    let frames = now(&driver) * driver.state().playback.fps;
    assert!((frames - frames.round()).abs() > 1e-3, "{frames}");
    driver.drag("Time", [0.5, 0.1], [0.999, 0.1]);
    assert_eq!(now(&driver), duration);
    driver.drag("Time", [0.9, 0.1], [0.5, 0.1]);
    driver.click("Begin here");
    let begin = driver.state().playback.range_secs.expect("a range")[0];
    assert_eq!(begin, now(&driver));
    driver.drag("Time", [0.6, 0.1], [0.9, 0.1]);
    driver.click("End here");
    let [first, last] = driver.state().playback.range_secs.expect("a range");
    assert_eq!((first, last), (begin, now(&driver)));
    driver.click("Play all");
    assert_eq!(driver.state().playback.range_secs, None);

    for (name, ending) in [
        ("Ping-pong", Ending::PingPong),
        ("Stop at the end", Ending::Stop),
        ("Loop", Ending::Loop),
    ] {
        driver.click(name);
        assert_eq!(driver.state().playback.ending, ending);
    }
    driver.key(Key::L);
    assert_eq!(driver.state().playback.ending, Ending::PingPong);
    driver.click("Root motion");
    assert!(!driver.state().playback.root_motion);
    driver.click("Seconds");
    assert_eq!(driver.state().playback.unit, TimeUnit::Frames);
    assert!(driver.has("Frames per second"));

    driver.click("Play");
    assert!(driver.state().playback.is_playing);
    driver.drag("Time", [0.2, 0.1], [0.3, 0.1]);
    assert!(driver.state().playback.is_playing);
    let before = now(&driver);
    driver.frames(5);
    assert_ne!(now(&driver), before);
    driver.key(Key::Space);
    assert!(!driver.state().playback.is_playing);
}

/// While frames are slow, many movements and the release come in one. A finger that rests is a long touch for egui.
#[test]
fn the_ruler_follows_pointers_to_their_release() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let ruler = driver.0.get_by_label("Time").rect();
    let at = |part: f32| egui::pos2(ruler.left() + part * ruler.width(), ruler.center().y);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let touch = |phase, pos| Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(0),
        phase,
        pos,
        force: None,
    };
    for rest_frames in [1, 8] {
        let events = &mut driver.0.input_mut().events;
        events.extend([Event::PointerMoved(at(0.1)), button(at(0.1), true)]);
        events.push(touch(egui::TouchPhase::Start, at(0.1)));
        driver.frames(rest_frames);
        let events = &mut driver.0.input_mut().events;
        events.extend([Event::PointerMoved(at(0.3)), Event::PointerMoved(at(0.5))]);
        events.extend([button(at(0.5), false), Event::PointerGone]);
        events.push(touch(egui::TouchPhase::End, at(0.5)));
        driver.frames(2);
        let part = driver.state().playback.time_secs / driver.session().duration_secs();
        assert!((0.45..0.55).contains(&part), "{part} after {rest_frames}");
    }
}

#[test]
fn rows_select_joints_and_flags_are_clicked() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    assert!(!driver.has("Row hips"));
    driver.click("All rows");
    driver.click("Row hips");
    let Selection::Joint(joint) = driver.state().selection else {
        panic!("{:?}", driver.state().selection);
    };
    let skeleton = &driver.session().document().files()[0].character.skeleton;
    assert_eq!(skeleton.name(joint), "hips");
    let clip = driver.session().clip().expect("a clip");
    let event = clip.events.last().expect("an event").clone();
    driver.run(PlaybackCommand::Seek { time_secs: 0.2 });
    driver.click(&format!("Event {}", event.name));
    let now = driver.state().playback.time_secs;
    assert!((now - f64::from(event.time_secs)).abs() < 1e-6);
}

/// A tube that becomes black and is hidden after a second, as a file with pointers.
fn fading() -> sinew::Character {
    let mut tube = sinew_samples::tube_character();
    tube.materials[0].name = "skin".to_owned();
    let body = tube.nodes.iter().position(|node| node.mesh.is_some());
    let body = body.expect("a mesh");
    tube.nodes[body].name.clear();
    let colors = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let color = Track::new(vec![0.0, 1.0], colors.to_vec(), 4, Interpolation::Linear);
    let seen = Track::new(vec![0.0, 1.5], vec![1.0, 0.0], 1, Interpolation::Step);
    let seen_name = format!("node.#{body}.visible");
    let mut clip = Clip::new("fade");
    for (name, track) in [("material.skin.color".to_owned(), color), (seen_name, seen)] {
        let binding = format!("{name}={name}").parse();
        tube.bindings.push(binding.expect("a binding"));
        let track = track.expect("a track");
        clip.curves.push(Curve { name, track });
    }
    clip.duration_secs = 2.0;
    tube.clips = vec![clip];
    tube
}

#[test]
fn materials_and_visibility_follow_the_played_clip() {
    let Some(gpu) = gpu() else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("sinew-fading-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("fading.glb");
    let options = sinew_io::gltf::ExportOptions::new();
    sinew_io::gltf::write(&path, &fading(), &options).expect("written");
    let mut window = Headless::new(Session::default(), gpu, [800, 600], 0.4).expect("a window");
    let run = |window: &mut Headless, steps: &str| {
        for step in script::parse(steps).expect("a script") {
            window.step(&step).expect("a step");
        }
    };
    let open = format!(r#"[{{"do":"open","path":{path:?}}},{{"do":"wait"}},{{"do":"pause"}}]"#);
    run(&mut window, &open);
    let at = |time_secs: f64| {
        let seek = format!(r#"[{{"do":"seek","time_secs":{time_secs}}},{{"do":"wait"}}]"#);
        run(&mut window, &seek);
        window.screenshot().expect("a picture")
    };
    let [white, black, away] = [0.0, 1.0, 1.75].map(at);
    let changed = |a: &Picture, b: &Picture, is: fn(u8, u8) -> bool| {
        let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4));
        pixels.filter(|(a, b)| is(a[0], b[0])).count()
    };
    let darker = changed(&white, &black, |a, b| a > b.saturating_add(40));
    assert!(darker > 300, "{darker} pixels");
    let lighter = changed(&black, &away, |a, b| b > a.saturating_add(40));
    assert!(lighter > 300, "{lighter} pixels");
    let _ = std::fs::remove_dir_all(folder);
}
