//! Panes side by side, and deformation under the timeline.

use super::Driver;
use sinew::Method;
use sinew_view::document::{MadeFigure, Work};
use sinew_view::state::{PanelKind, Selection};
use sinew_view::{Command, Session};

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
    driver.run(&Command::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    driver.run(&Command::OpenMade {
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
    driver.run(&Command::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    driver.run(&Command::Pause);
    driver.click("Compare");
    driver.click("linear blend · dual quaternion");
    driver.run(&Command::Panel {
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
