//! Commands that compare methods, files and packed clips side by side.

use super::Session;
use crate::state::{MAX_PANES, Pane, PaneCommand, method_named};
use sinew::Method;

impl Session {
    pub(super) fn run_pane(&mut self, command: PaneCommand) {
        let shown = self.state.shown;
        let own = |method| Pane {
            file: shown,
            method,
            is_packed: false,
        };
        let first = self
            .state
            .panes
            .first()
            .map_or(Method::DualQuat, |p| p.method);
        let panes: Vec<Pane> = match command {
            PaneCommand::CompareMethods { methods } => {
                let mut known: Vec<Method> = Vec::new();
                for method in methods.iter().filter_map(|name| method_named(name)) {
                    if !known.contains(&method) {
                        known.push(method);
                    }
                }
                known.into_iter().map(own).collect()
            }
            PaneCommand::CompareFiles { files } => {
                let open = files.iter().filter(|&&id| self.document.file(id).is_some());
                let mut panes: Vec<Pane> = Vec::new();
                for &file in open {
                    if panes.iter().all(|pane| pane.file != file) {
                        let pane = own(first);
                        panes.push(Pane { file, ..pane });
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
                if let Some((pane, method)) = panes.first_mut().zip(method_named(&method)) {
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
