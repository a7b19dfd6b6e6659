//! The window at 1280 × 720 pixels while editing, at 100 % and at 200 %: widgets do not overlap, and every tool is
//! reachable.

use super::Driver;
use egui::{Rect, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_view::state::{PanelKind, PoseTool, Selection};
use sinew_view::{PlaybackCommand, PoseCommand, SelectionCommand, Session, WindowCommand};

/// Beginnings of names of widgets that have others on top by design.
const SURFACES: [&str; 6] = [
    "Picture",
    "Time",
    "Keys of",
    "Curves of",
    "Events",
    "Curve ",
];

/// Tools over the picture while a joint is pulled.
const TOOLS: [&str; 12] = [
    "Select",
    "Rotate",
    "Move",
    "Scale",
    "Pull",
    "Local axes",
    "Stop at limits",
    "Pin",
    "Lock",
    "Keep rotation",
    "Pole",
    "Key over range",
];

struct Widget {
    name: String,
    role: Role,
    rect: Rect,
}

/// Window while the left upper arm is edited, with curves or rows of keys.
fn editing(scale: f32, has_curves: bool) -> Option<Driver> {
    let size = vec2(1280.0, 720.0) / scale;
    let mut driver = Driver::sized(Session::default(), size, 0.5 * scale)?;
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(PlaybackCommand::Pause);
    let file = driver.session().document().file(driver.state().shown);
    let skeleton = &file.expect("the mannequin").character.skeleton;
    let joint = skeleton.find("left_hand").expect("a hand");
    let selection = Selection::Joint(joint);
    driver.run(SelectionCommand::Select { selection });
    let tool = PoseTool::Pull;
    driver.run(PoseCommand::PoseTool { tool });
    for panel in [PanelKind::Selected, PanelKind::History] {
        driver.run(WindowCommand::Panel { panel, on: true });
    }
    if has_curves {
        driver.click("Curves");
    }
    driver.frames(4);
    Some(driver)
}

/// Visible parts of all widgets. Those of the side panels end where the picture ends.
fn widgets(driver: &Driver) -> Vec<Widget> {
    let picture = driver.0.get_by_label("Picture").rect();
    let side = Rect::from_x_y_ranges(f32::NEG_INFINITY..=f32::INFINITY, picture.y_range());
    let mut open: Vec<_> = driver
        .0
        .root()
        .children()
        .map(|node| (node, None))
        .collect();
    let mut found = Vec::new();
    while let Some((node, pane)) = open.pop() {
        let own = node.accesskit_node();
        let name = own.label().unwrap_or_default();
        let is_used = matches!(
            own.role(),
            Role::Button
                | Role::CheckBox
                | Role::Slider
                | Role::SpinButton
                | Role::TextInput
                | Role::Tab
                | Role::TreeItem
                | Role::ListItem
                | Role::DisclosureTriangle
                | Role::Image
        );
        let pane = match own.role() {
            Role::Pane => Some(own.id()),
            _ => pane,
        };
        if is_used {
            found.push((node.rect(), own.role(), name, pane));
        }
        open.extend(node.children().map(|child| (child, pane)));
    }
    let is_side = |(rect, .., pane): &(Rect, Role, String, _)| {
        let headings = ["Clips", "Look"];
        let heading = |other: &&(Rect, Role, String, _)| {
            other.3 == *pane && headings.contains(&other.2.as_str())
        };
        found.iter().any(|other| heading(&other))
            || rect.right() <= picture.left() && pane.is_none()
    };
    let seen = found.iter().map(|own| {
        let clip = if is_side(own) { side } else { Rect::EVERYTHING };
        Widget {
            name: own.2.clone(),
            role: own.1,
            rect: own.0.intersect(clip),
        }
    });
    seen.filter(|own| own.rect.is_positive()).collect()
}

fn assert_apart(driver: &Driver, what: &str, widgets_at_least: usize) {
    let all = widgets(driver);
    assert!(all.len() > widgets_at_least, "{what}: {}", all.len());
    let is_surface = |own: &Widget| SURFACES.iter().any(|name| own.name.starts_with(name));
    let mut wrong = Vec::new();
    for (index, a) in all.iter().enumerate() {
        for b in &all[index + 1..] {
            // The rows of trees and lists are cut at the edge of the area in which they scroll.
            let is_row = |own: &Widget| matches!(own.role, Role::TreeItem | Role::ListItem);
            let is_cut = is_row(a) != is_row(b);
            let is_part = a.rect.expand(1.0).contains_rect(b.rect)
                || b.rect.expand(1.0).contains_rect(a.rect);
            let both = a.rect.intersect(b.rect);
            let overlap = both.is_positive() && both.width() > 1.0 && both.height() > 1.0;
            if overlap && !is_cut && !is_part && !is_surface(a) && !is_surface(b) {
                wrong.push(format!("{} {:?} × {} {:?}", a.name, a.rect, b.name, b.rect));
            }
        }
    }
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
    let window = driver.0.ctx.content_rect();
    let picture = driver.0.get_by_label("Picture").rect();
    let is_out = |own: &&Widget| {
        let across = own.rect.left() < -1.0 || own.rect.right() > window.right() + 1.0;
        let is_below = own.rect.top() > picture.bottom() && own.role == Role::CheckBox;
        across || (is_below && own.rect.bottom() > window.bottom())
    };
    let out: Vec<String> = all
        .iter()
        .filter(is_out)
        .map(|own| format!("{} {:?}", own.name, own.rect))
        .collect();
    assert!(out.is_empty(), "{what}: cut off at {window:?}: {out:#?}");
}

#[test]
fn nothing_overlaps_while_editing_at_100_percent() {
    for has_curves in [false, true] {
        let Some(driver) = editing(1.0, has_curves) else {
            return;
        };
        assert_apart(&driver, &format!("curves {has_curves}"), 40);
        let picture = driver.0.get_by_label("Picture").rect();
        for tool in TOOLS {
            let rect = driver.0.get_by_label(tool).rect();
            assert!(picture.contains_rect(rect), "{tool} {rect:?}");
        }
        assert!(picture.width() > 700.0, "{picture:?}");
    }
}

#[test]
fn nothing_overlaps_while_editing_at_200_percent_and_tools_are_in_menus() {
    let Some(curves) = editing(2.0, true) else {
        return;
    };
    assert_apart(&curves, "curves", 40);
    let legend = curves.0.get_by_label("Curves of left_hand rotation").rect();
    assert!(
        curves.0.ctx.content_rect().contains_rect(legend),
        "{legend:?}"
    );
    let Some(mut driver) = editing(2.0, false) else {
        return;
    };
    assert_apart(&driver, "rows of keys", 40);
    let picture = driver.0.get_by_label("Picture").rect();
    assert!(
        picture.width() > 350.0 && picture.height() > 120.0,
        "{picture:?}"
    );
    let mut found = Vec::new();
    for menu in ["Tool: Pull", "Options"] {
        driver.click(menu);
        driver.frames(4);
        let window = driver.0.ctx.content_rect();
        for tool in TOOLS {
            if let Some(node) = driver.0.query_by_label(tool) {
                assert!(
                    window.contains_rect(node.rect()),
                    "{tool} {:?}",
                    node.rect()
                );
                found.push(tool);
            }
        }
        driver.click(menu);
        driver.frames(2);
    }
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), TOOLS.len(), "{found:?}");
    driver.click("Tool: Pull");
    driver.frames(4);
    driver.click("Move");
    assert_eq!(driver.state().posing.tool, PoseTool::Move);
}

/// Windows of a small notebook, of a tablet and of a large screen with large letters, in pixels and pixels per point.
const SIZES: [([f32; 2], f32); 4] = [
    ([640.0, 480.0], 1.0),
    ([890.0, 600.0], 1.0),
    ([1280.0, 720.0], 1.0),
    ([1280.0, 720.0], 2.0),
];

#[test]
fn the_picture_has_half_of_the_width_and_nothing_is_cut() {
    for (size, scale) in SIZES {
        let size = vec2(size[0], size[1]) / scale;
        let Some(mut driver) = Driver::sized(Session::default(), size, 0.4 * scale) else {
            return;
        };
        driver.frames(6);
        let picture = driver.0.get_by_label("Picture").rect();
        assert!(picture.width() >= 0.5 * size.x, "{size}: {picture}");
        assert!(picture.height() >= 0.25 * size.y, "{size}: {picture}");
        assert_apart(&driver, &format!("{size}"), 30);
        // One column of panels has all of them.
        let has_right = driver.0.get_by_label("Look").rect().left() > picture.left();
        assert_eq!(has_right, size.x >= 900.0, "{size}");
        for menu in ["View", "Compare", "Panels", "Samples"] {
            let rect = driver.0.get_by_label(menu).rect();
            assert!(
                driver.0.ctx.content_rect().contains_rect(rect),
                "{size} {menu}"
            );
        }
    }
}

#[test]
fn h_leaves_only_the_picture_and_brings_the_panels_back() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let window = driver.0.ctx.content_rect();
    let picture = |driver: &Driver| driver.0.get_by_label("Picture").rect();
    let before = picture(&driver);
    assert!(before.width() < 0.8 * window.width(), "{before}");
    driver.key(egui::Key::H);
    driver.frames(2);
    let shown = picture(&driver);
    assert!(window.shrink(10.0).width() < shown.width(), "{shown}");
    assert!(window.shrink(10.0).height() < shown.height(), "{shown}");
    assert!(!driver.has("Panels"));
    driver.key(egui::Key::H);
    driver.frames(2);
    assert_eq!(picture(&driver), before);
}
