use serde::{Deserialize, Serialize};
use sinew_edit::Keys;

/// Change of the choices for edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum EditingCommand {
    /// Selects keys of the clip that plays.
    SelectKeys {
        /// The keys.
        keys: Vec<Keys>,
        /// True to keep the keys that are selected already. Default false.
        #[serde(default)]
        add: bool,
    },
    /// Keys joints as soon as they are posed.
    AutoKey {
        /// True to do so.
        on: bool,
    },
    /// Chooses the layer that gets keys.
    ActiveLayer {
        /// Index of the layer, `None` for the clip itself.
        layer: Option<usize>,
    },
}
