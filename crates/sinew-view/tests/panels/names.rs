//! Every widget that the user can use has a name.

use super::Driver;
use egui_kittest::kittest::NodeT;
use sinew_view::state::{PanelKind, PoseTool, Selection};
use sinew_view::{
    PaneCommand, PlaybackCommand, PoseCommand, SelectionCommand, Session, WindowCommand,
};

#[test]
fn every_widget_has_a_name() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for panel in PanelKind::ALL {
        driver.run(WindowCommand::Panel { panel, on: true });
    }
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    let selection = Selection::Joint(3);
    driver.run(SelectionCommand::Select { selection });
    let tool = PoseTool::Pull;
    driver.run(PoseCommand::PoseTool { tool });
    driver.run(PoseCommand::CopyPose);
    driver.frames(2);
    assert!(driver.has("Key over range") && driver.has("Weight of the copied pose"));
    assert_named(&driver);
    driver.run(PaneCommand::CompareMethods {
        methods: vec!["lbs".into(), "dqs".into()],
    });
    driver.wait();
    assert_named(&driver);
}

#[track_caller]
fn assert_named(driver: &Driver) {
    let mut open = vec![driver.0.root()];
    let (mut named, mut nameless) = (0, Vec::new());
    while let Some(node) = open.pop() {
        let own = node.accesskit_node();
        let is_used = super::is_used(own.role());
        match own.label().is_some_and(|label| !label.trim().is_empty()) {
            true if is_used => named += 1,
            false if is_used => nameless.push(format!("{:?} at {:?}", own.role(), node.rect())),
            _ => {}
        }
        open.extend(node.children());
    }
    assert!(named > 60, "{named}");
    assert!(nameless.is_empty(), "{nameless:#?}");
}
