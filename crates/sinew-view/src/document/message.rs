/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// A failure.
    Problem,
    /// A success.
    Notice,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Severity.
    pub kind: MessageKind,
    /// Name of the file that the message is about.
    pub file: String,
    /// Description of the event.
    pub text: String,
    /// Advice; empty where none is needed.
    pub way_out: String,
}
