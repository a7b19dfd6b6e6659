//! Messages to the person.

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Something went wrong.
    Problem,
    /// Something was done.
    Notice,
}

/// Something that a person should see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Problem or notice.
    pub kind: MessageKind,
    /// The file that it is about.
    pub file: String,
    /// The event.
    pub text: String,
    /// Advice; empty where there is no need to.
    pub way_out: String,
}
