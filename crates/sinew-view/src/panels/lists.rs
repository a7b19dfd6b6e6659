//! Heights of the list of clips and of the tree below it, which share a panel by what they hold.

use egui::{Id, Ui};

/// List that shares the height of the panel.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) enum List {
    Clips,
    Tree,
}

impl List {
    /// Height that a list has in a low panel, in points.
    fn min(self) -> f32 {
        match self {
            Self::Clips => 92.0,
            Self::Tree => 180.0,
        }
    }

    fn id(self) -> Id {
        Id::unique(("height of a list", self))
    }
}

/// Keeps the height of all rows of a list for the next frame, in points.
pub(super) fn keep_wanted(ui: &Ui, list: List, height: f32) {
    let before: Option<f32> = ui.data(|data| data.get_temp(list.id()));
    if before != Some(height) {
        ui.data_mut(|data| data.insert_temp(list.id(), height));
        ui.ctx().request_repaint();
    }
}

/// Heights of the clips and of the tree, for a panel whose lists have `room`, in points. A list that is not open needs
/// none.
pub(super) fn heights(ui: &Ui, room: f32, are_open: [bool; 2]) -> [f32; 2] {
    let wanted = [List::Clips, List::Tree].map(|list| {
        let kept: Option<f32> = ui.data(|data| data.get_temp(list.id()));
        kept.filter(|_| are_open[list as usize]).unwrap_or(0.0)
    });
    let [clips, tree] = shares(room, wanted);
    [clips.max(List::Clips.min()), tree.max(List::Tree.min())]
}

/// Parts of the room for two lists. A list that needs less than half of it leaves the rest to the other one.
fn shares(room: f32, [a, b]: [f32; 2]) -> [f32; 2] {
    let half = room / 2.0;
    match (a <= half, b <= half) {
        (true, _) => [a, room - a],
        (_, true) => [room - b, b],
        _ => [half, half],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_list_leaves_its_room_to_the_long_one() {
        assert_eq!(shares(400.0, [50.0, 900.0]), [50.0, 350.0]);
        assert_eq!(shares(400.0, [900.0, 50.0]), [350.0, 50.0]);
        assert_eq!(shares(400.0, [900.0, 900.0]), [200.0, 200.0]);
        assert_eq!(shares(400.0, [50.0, 60.0]), [50.0, 350.0]);
    }
}
