use serde::Serialize;

/// Effects of an edit.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// One line for people, like `moved 12 keys of "walk"`.
    pub text: String,
    /// Indices of clips that changed, after the edit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<usize>,
    /// Distance that inverse kinematics missed the goal by, in the unit of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<f32>,
    /// Names of joints that stopped at their limits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_limits: Vec<String>,
}

impl Report {
    pub(crate) fn clip(clip: usize, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            clips: vec![clip],
            ..Self::default()
        }
    }

    pub(crate) fn pose(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}
