use super::gpu;
use sinew_view::headless::Headless;
use sinew_view::{PlaybackCommand, Session};

#[test]
fn a_window_of_one_pixel_and_one_of_8k_are_drawn() {
    let Some(gpu) = gpu() else {
        return;
    };
    for size in [[1, 1], [1, 700], [900, 2], [7680, 4320]] {
        let mut window =
            Headless::new(Session::default(), gpu.clone(), size, 1.0).expect("a window");
        window.frame(0.0).expect("a frame");
        window.frame(0.1).expect("a frame");
        assert_eq!(window.viewer().failure(), None, "{size:?}");
    }
}

#[test]
fn a_picture_that_stands_still_is_drawn_no_more() {
    let Some(gpu) = gpu() else {
        return;
    };
    let mut session = Session::default();
    session.run(PlaybackCommand::Pause);
    let mut window = Headless::new(session, gpu, [500, 400], 0.5).expect("a window");
    let first = window.screenshot().expect("a picture");
    assert!(window.viewer().is_done());
    let drawn = window.viewer().drawn_layers();
    for _ in 0..5 {
        window.frame(0.02).expect("a frame");
    }
    assert_eq!(window.viewer().drawn_layers(), drawn);
    assert!(
        window
            .screenshot()
            .expect("a picture")
            .difference(&first)
            .expect("as large")
            .0
            <= 1
    );
}

#[test]
fn a_screenshot_draws_its_layers_and_a_few_frames_to_fit_the_panels() {
    let Some(gpu) = gpu() else {
        return;
    };
    for layers in [4, 16] {
        let mut session = Session::default();
        session.run(PlaybackCommand::Pause);
        let mut window = Headless::new(session, gpu.clone(), [500, 400], 0.5).expect("a window");
        if layers != 16 {
            window.set_layers(layers);
        }
        window.screenshot().expect("a picture");
        let drawn = window.viewer().drawn_layers();
        println!("{drawn} layers drawn for {layers}");
        assert!(
            (u64::from(layers)..=u64::from(layers) + 4).contains(&drawn),
            "{drawn}"
        );
    }
}
