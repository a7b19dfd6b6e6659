//! Commands that compare methods, files and packed clips side by side.

use super::Session;
use crate::state::{MAX_PANES, Pane, PaneCommand};
use sinew::Method;

impl Session {
    pub(super) fn run_pane(&mut self, command: PaneCommand) {
        let shown = self.state.shown;
        let first = self.state.panes.first();
        let first = first.map_or(Method::Linear, |pane| pane.method);
        let own = |method| Pane {
            file: shown,
            method,
            is_packed: false,
        };
        let panes: Vec<Pane> = match command {
            PaneCommand::CompareMethods { methods } => {
                let mut known: Vec<Method> = Vec::new();
                for method in methods.iter().filter_map(|name| Method::named(name)) {
                    if !known.contains(&method) {
                        known.push(method);
                    }
                }
                known.into_iter().map(own).collect()
            }
            PaneCommand::CompareFiles { files } => {
                let open = files.iter().filter_map(|&id| self.document.file(id));
                let mut panes: Vec<Pane> = Vec::new();
                for file in open {
                    if panes.iter().all(|pane| pane.file != file.id) {
                        panes.push(Pane::of(file));
                    }
                }
                // The first pane determines the shown file.
                match panes.first() {
                    Some(pane) if pane.file != shown => {
                        let file = pane.file;
                        self.show(file);
                    }
                    _ => {}
                }
                panes
            }
            PaneCommand::Method { method } => {
                let mut panes = self.state.panes.clone();
                if let Some((pane, method)) = panes.first_mut().zip(Method::named(&method)) {
                    pane.method = method;
                }
                panes
            }
            PaneCommand::ComparePacked => {
                let pane = own(first);
                let packed = Pane {
                    is_packed: true,
                    ..pane
                };
                vec![pane, packed]
            }
            PaneCommand::CompareNone => vec![own(first)],
        };
        if !panes.is_empty() {
            self.state.panes = panes;
            self.state.panes.truncate(MAX_PANES);
        }
    }
}
