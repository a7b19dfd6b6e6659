use super::Driver;
use sinew_view::document::MadeFigure;
use sinew_view::state::PanelKind;
use sinew_view::{PlaybackCommand, Session, WindowCommand};

#[test]
fn every_exhibit_has_a_slider_for_each_angle() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for panel in [PanelKind::Joints, PanelKind::Look, PanelKind::Timeline] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    for (made, sliders) in [
        (MadeFigure::RobotArm, &["base", "shoulder", "elbow"][..]),
        (MadeFigure::Car, &["left_steering", "right_steering"]),
        (MadeFigure::Humanoid, &["left_upper_arm", "right_lower_leg"]),
        (MadeFigure::SolarSystem, &["planet"]),
    ] {
        driver.click("Samples");
        driver.click(made.name());
        driver.wait();
        let shown = driver.state().shown;
        let file = driver.session().document().file(shown).expect("shown");
        assert_eq!(file.made, Some(made));
        driver.run(PlaybackCommand::Clip { clip: None });
        for name in sliders {
            assert!(driver.has(&format!("Angle of {name}")), "{made:?}: {name}");
        }
    }
}
