//! Skinning method, and the kind of normals.

use sinew_skin::Method;

/// Kind of the normals of skinned vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normals {
    /// Normals move like positions, as if the weights around a vertex were equal. The default.
    #[default]
    Skinned,
    /// Normals of the surface that skinning makes, from the gradients of the weights. Costs several
    /// times as much as skinning. Differs from [`Normals::Skinned`] only for [`Method::Linear`] and
    /// [`Method::DualQuat`].
    Exact,
}

impl Normals {
    /// True if `method` has exact normals that differ from its skinned ones.
    pub fn is_exact_for(self, method: Method) -> bool {
        self == Self::Exact && matches!(method, Method::Linear | Method::DualQuat)
    }
}

/// Skinning method and kind of normals. A [`Method`] converts to it, with skinned normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinnedBy {
    /// Skinning method.
    pub method: Method,
    /// Kind of normals.
    pub normals: Normals,
}

impl From<Method> for SkinnedBy {
    fn from(method: Method) -> Self {
        Self {
            method,
            normals: Normals::default(),
        }
    }
}
