/// Kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Failure.
    Problem,
    /// Success.
    Notice,
}

/// Message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Failure or success.
    pub kind: MessageKind,
    /// Name of the file that the message is about.
    pub file: String,
    /// Text of the message.
    pub text: String,
    /// Advice, empty if none is needed.
    pub way_out: String,
}
