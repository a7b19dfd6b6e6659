//! Common formats that cannot be imported, with advice on conversion.

use std::path::Path;

/// A format that is recognised but cannot be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// glTF 1.0, as text or as GLB.
    Gltf1,
    /// Universal Scene Description, in any of its containers.
    Usd,
    /// COLLADA (`.dae`).
    Collada,
    /// A Blender file (`.blend`).
    Blend,
    /// A Git LFS pointer: the real file was not fetched.
    LfsPointer,
}

pub(crate) fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs.github.com/spec/")
}

impl Foreign {
    /// Detects the format by the first bytes, then by the file extension.
    pub fn of(bytes: &[u8], path: Option<&Path>) -> Option<Self> {
        let starts = |with: &[u8]| bytes.starts_with(with);
        let head = &bytes[..bytes.len().min(1024)];
        let contains = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
        if is_lfs_pointer(bytes) {
            return Some(Self::LfsPointer);
        }
        if starts(b"glTF\x01\0\0\0") {
            return Some(Self::Gltf1);
        }
        if starts(b"#usda") || starts(b"PXR-USDC") {
            return Some(Self::Usd);
        }
        if starts(b"BLENDER") {
            return Some(Self::Blend);
        }
        if contains(b"<COLLADA") {
            return Some(Self::Collada);
        }
        let extension = path.and_then(Path::extension).and_then(|e| e.to_str());
        match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
            "usd" | "usda" | "usdc" | "usdz" => Some(Self::Usd),
            "dae" => Some(Self::Collada),
            "blend" => Some(Self::Blend),
            _ => None,
        }
    }

    /// Name for messages, with an article: "a USD file".
    pub fn name(self) -> &'static str {
        match self {
            Self::Gltf1 => "a glTF 1.0 file",
            Self::Usd => "a USD file",
            Self::Collada => "a COLLADA file",
            Self::Blend => "a Blender file",
            Self::LfsPointer => "a Git LFS pointer instead of the file itself",
        }
    }

    /// Advice on how to convert the file to a supported format.
    pub fn instead(self) -> &'static str {
        match self {
            Self::Usd | Self::Collada => {
                "export it as glTF (.glb) from the program that made it, or open it in Blender and export it from there"
            }
            Self::Gltf1 => "export the model as glTF 2.0, or convert it with gltf-pipeline",
            Self::LfsPointer => "`git lfs pull` fetches the file",
            Self::Blend => "open it in Blender and export it as glTF (.glb)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_are_known_by_their_bytes_and_then_by_their_names() {
        let by_bytes: [(&[u8], Foreign); 5] = [
            (
                b"version https://git-lfs.github.com/spec/v1\noid sha256:",
                Foreign::LfsPointer,
            ),
            (b"#usda 1.0\n", Foreign::Usd),
            (b"PXR-USDC\0\0", Foreign::Usd),
            (b"BLENDER-v404", Foreign::Blend),
            (
                b"<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\">",
                Foreign::Collada,
            ),
        ];
        for (bytes, expected) in by_bytes {
            assert_eq!(Foreign::of(bytes, None), Some(expected));
        }
        let named = |name: &str| Foreign::of(b"PK\x03\x04", Some(Path::new(name)));
        assert_eq!(named("a.usdz"), Some(Foreign::Usd));
        assert_eq!(named("a.zip"), None);
        assert_eq!(Foreign::of(b"", None), None);
        assert_eq!(Foreign::of(b"v\n", None), None);
    }
}
