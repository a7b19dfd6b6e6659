//! URIs of buffers and images: embedded data, or files beside the document.

use super::base64;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub(in crate::gltf) struct DataUri<'a> {
    pub(in crate::gltf) mime_type: &'a str,
    data: &'a str,
    is_base64: bool,
}

impl<'a> DataUri<'a> {
    /// Parses a data URI. `None` if `uri` does not start with `data:`. An error if it has no data.
    pub(in crate::gltf) fn parse(uri: &'a str) -> Option<Result<Self, &'static str>> {
        let scheme = uri.get(..5)?;
        if !scheme.eq_ignore_ascii_case("data:") {
            return None;
        }
        let Some((head, data)) = uri.get(5..).and_then(|rest| rest.split_once(',')) else {
            return Some(Err("a data URI must have a comma before its data"));
        };
        Some(Ok(DataUri {
            mime_type: head.split(';').next().unwrap_or_default(),
            data,
            is_base64: head.ends_with(";base64"),
        }))
    }

    pub(in crate::gltf) fn longest_decoded(&self) -> usize {
        if self.is_base64 {
            self.data.len() / 4 * 3 + 3
        } else {
            self.data.len()
        }
    }

    pub(in crate::gltf) fn decode(&self) -> Result<Vec<u8>, &'static str> {
        // An invalid escape is kept.
        let bytes: Cow<'_, [u8]> = percent_decode_str(self.data).into();
        if !self.is_base64 {
            return Ok(bytes.into_owned());
        }
        base64::decode(&bytes).ok_or("the base64 data is invalid")
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

pub(in crate::gltf) fn fault(uri: &str) -> Option<&'static str> {
    let before_path = uri.split(['/', '?', '#']).next().unwrap_or(uri);
    if let Some((scheme, _)) = before_path.split_once(':') {
        return (!is_scheme(scheme)).then_some("the text before the colon is not a URI scheme");
    }
    let host = uri.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let is_right = host.contains('[') == host.contains(']')
        && (host.ends_with(']') || port.bytes().all(|byte| byte.is_ascii_digit()));
    (!is_right).then_some("the host of the URI is invalid")
}

/// File in `folder` that a relative URI refers to.
///
/// # Errors
/// If the URI leads out of the folder, because a document must not open other files.
pub(in crate::gltf) fn file_in(folder: &Path, uri: &str) -> Result<PathBuf, &'static str> {
    let has_scheme = uri
        .split_once(':')
        .is_some_and(|(scheme, _)| is_scheme(scheme));
    if has_scheme {
        return Err(
            "only files in the document's folder are read; download the file and refer to it by its name",
        );
    }
    let decoded = percent_decode_str(uri).decode_utf8();
    within(folder, &decoded.map_err(|_| "the name is not UTF-8")?)
}

/// File `name` in `folder`.
///
/// # Errors
/// If the name leads out of the folder.
pub(crate) fn within(folder: &Path, name: &str) -> Result<PathBuf, &'static str> {
    if name.contains('\0') {
        return Err("the name contains a zero character");
    }
    let mut depth = 0_usize;
    for component in Path::new(name).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => {
                depth = depth.checked_sub(1).ok_or(
                    "the path leads outside the document's folder; move the file into the folder",
                )?;
            }
            Component::RootDir | Component::Prefix(_) => {
                return Err(
                    "absolute paths are not allowed; refer to the file relative to the document",
                );
            }
        }
    }
    if name.contains('\\') || depth == 0 {
        return Err("this does not name a file; separate folders by `/`");
    }
    Ok(folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_may_be_percent_encoded() {
        let uri = DataUri::parse("data:application/octet-stream;base64,Zm9v%59g%3D%3D")
            .unwrap()
            .unwrap();
        assert_eq!(uri.mime_type, "application/octet-stream");
        assert_eq!(uri.decode().unwrap(), b"foob");
        let plain = DataUri::parse("data:text/plain,a%20b").unwrap().unwrap();
        assert_eq!(plain.decode().unwrap(), b"a b");
        assert!(DataUri::parse("data:text/plain").unwrap().is_err());
        assert!(DataUri::parse("buffer.bin").is_none());
    }

    #[test]
    fn what_is_no_uri_is_told_from_what_is_not_there() {
        for wrong in [":", "1a:b", "a b:c", "//a:x/", "//[::1"] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
        for right in [
            "",
            "a.bin",
            "a b.bin",
            "%zz",
            "http://h/a:b",
            "//[::1]/a",
            "//h:8/a",
            "a/b:c",
            "?",
            "data:,",
        ] {
            assert_eq!(fault(right), None, "{right}");
        }
    }

    #[test]
    fn references_stay_in_the_folder() {
        let folder = Path::new("models");
        assert_eq!(file_in(folder, "a%20b.bin"), Ok(folder.join("a b.bin")));
        assert_eq!(
            file_in(folder, "sub/../a.bin"),
            Ok(folder.join("sub/../a.bin"))
        );
        for wrong in [
            "/etc/passwd",
            "../a.bin",
            "sub/../../a.bin",
            "%2e%2e/a.bin",
            "http://host/a",
            "file:a",
            "",
            ".",
            "..\\a",
            "a%00",
        ] {
            assert!(file_in(folder, wrong).is_err(), "{wrong}");
        }
    }
}
