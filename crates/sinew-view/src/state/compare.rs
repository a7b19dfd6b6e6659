use crate::document::FileId;
use sinew::Method;

/// Max number of panes.
pub const MAX_PANES: usize = 4;

/// Pane: one of several pictures side by side with the same camera and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// Id of the file that the pane shows.
    pub file: FileId,
    /// Skinning method.
    pub method: Method,
    /// True if the packed clip plays instead of the original.
    pub is_packed: bool,
}

/// Name of a method in scripts and in `sinew render --method`.
pub(crate) fn method_word(method: Method) -> &'static str {
    match method {
        Method::Rigid => "rigid",
        Method::Linear => "lbs",
        Method::DualQuat => "dqs",
        Method::Quaternion => "quat",
    }
}

pub(crate) fn method_named(word: &str) -> Option<Method> {
    let all = [
        Method::Rigid,
        Method::Linear,
        Method::DualQuat,
        Method::Quaternion,
    ];
    all.into_iter().find(|method| method_word(*method) == word)
}
