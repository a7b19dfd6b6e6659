//! Widgets of the panels for the screen reader of a browser: the page gets their names and values, and acts on them.

use egui::accesskit::{
    Action, ActionData, ActionRequest, Node, NodeId, Role, Toggled, TreeId, TreeUpdate,
};
use egui::{Context, Event, FullOutput, Plugin, RawInput};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// Min time between two lists of widgets.
const PERIOD: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
pub(super) struct Mirror {
    tree: Option<TreeUpdate>,
    actions: Vec<ActionRequest>,
    now_secs: f64,
    due_secs: f64,
}

impl Mirror {
    /// Acts on a widget in the next frame: sets its value, or clicks it if there is none.
    pub fn act(&mut self, widget: &str, value: Option<f64>) {
        let Ok(id) = widget.parse() else {
            return;
        };
        self.actions.push(ActionRequest {
            action: value.map_or(Action::Click, |_| Action::SetValue),
            target_tree: TreeId::ROOT,
            target_node: NodeId(id),
            data: value.map(ActionData::NumericValue),
        });
    }

    /// Widgets in their order on the screen, as JSON, and the one that has the focus, if they may have changed.
    pub fn take(&mut self) -> Option<String> {
        let tree = self.tree.take()?;
        let nodes: HashMap<NodeId, &Node> =
            tree.nodes.iter().map(|(id, node)| (*id, node)).collect();
        let mut widgets = Vec::new();
        let mut left = vec![tree.tree.as_ref()?.root];
        while let Some(id) = left.pop() {
            let Some(node) = nodes.get(&id) else {
                continue;
            };
            left.extend(node.children().iter().rev());
            widgets.extend(widget(id, node, &nodes));
        }
        Some(json!({ "widgets": widgets, "focus": tree.focus.0.to_string() }).to_string())
    }
}

/// Name, role and values of a widget. `None` for parts without a name.
fn widget(id: NodeId, node: &Node, nodes: &HashMap<NodeId, &Node>) -> Option<Value> {
    let labels = node.labelled_by().iter();
    let labels = labels.filter_map(|label| nodes.get(label)?.value());
    let of_labels = labels.collect::<Vec<_>>().join(" ");
    let name = match node.role() {
        Role::Label => node.value()?,
        _ => node.label().unwrap_or(&of_labels),
    };
    (!name.is_empty()).then(|| {
        json!({
            "id": id.0.to_string(),
            "role": format!("{:?}", node.role()),
            "name": name,
            "text": node.value(),
            "value": node.numeric_value(),
            "min": node.min_numeric_value(),
            "max": node.max_numeric_value(),
            "on": node.toggled().map(|toggled| toggled == Toggled::True),
            "disabled": node.is_disabled(),
        })
    })
}

impl Plugin for Mirror {
    fn debug_name(&self) -> &'static str {
        "mirror"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let actions = self.actions.drain(..).map(Event::AccessKitActionRequest);
        input.events.extend(actions);
        self.now_secs = input.time.unwrap_or(self.now_secs);
        if self.now_secs >= self.due_secs {
            ctx.enable_accesskit();
        }
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        match output.platform_output.accesskit_update.take() {
            Some(tree) => {
                self.tree = Some(tree);
                self.due_secs = self.now_secs + PERIOD.as_secs_f64();
                ctx.disable_accesskit();
            }
            // The list is older than what this frame shows.
            None => ctx.request_repaint_after(PERIOD),
        }
    }
}
