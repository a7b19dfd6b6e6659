#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end before the pixels begin.
    Ends,
    Broken(&'static str),
}

impl Fault {
    pub(in crate::gltf) fn code(self) -> &'static str {
        match self {
            Self::Ends => "IMAGE_UNEXPECTED_EOS",
            Self::Broken(_) => "IMAGE_DATA_INVALID",
        }
    }

    pub(in crate::gltf) fn message(self) -> &'static str {
        match self {
            Self::Ends => "the image ends before its pixels",
            Self::Broken(why) => why,
        }
    }
}

pub(super) fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], Fault> {
    let (taken, after) = rest.split_first_chunk().ok_or(Fault::Ends)?;
    *rest = after;
    Ok(taken)
}

pub(super) fn skip(rest: &mut &[u8], length: usize) -> Result<(), Fault> {
    *rest = rest.get(length..).ok_or(Fault::Ends)?;
    Ok(())
}
