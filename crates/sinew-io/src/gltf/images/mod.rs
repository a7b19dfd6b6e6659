//! Pictures as bytes: what they are, and whether they begin as they should.

mod ktx2;
mod whole;

pub(super) use whole::is_whole;

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
const WEBP: &str = "image/webp";
const KTX2: &str = "image/ktx2";

/// Formats that a texture may have through an extension only, with that extension.
pub(super) const EXTENSIONS: [(&str, &str); 4] = [
    (WEBP, "EXT_texture_webp"),
    (KTX2, "KHR_texture_basisu"),
    ("image/avif", "EXT_texture_avif"),
    ("image/vnd-ms.dds", "MSFT_texture_dds"),
];

/// Whether a texture may have pictures of this type without an extension.
pub(crate) fn is_core(mime_type: &str) -> bool {
    [PNG, JPEG].contains(&mime_type)
}

/// Whether [`mime_type_of`] would know bytes of this type.
pub(super) fn is_known(mime_type: &str) -> bool {
    is_core(mime_type) || extension_for(mime_type).is_some()
}

/// The extension that a texture needs for pictures of this type.
pub(super) fn extension_for(mime_type: &str) -> Option<&'static str> {
    let known = EXTENSIONS.iter().find(|(known, _)| *known == mime_type);
    known.map(|(_, extension)| *extension)
}

/// What encoded bytes are, by how they begin.
pub(crate) fn mime_type_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(PNG),
        [0xff, 0xd8, 0xff, ..] => Some(JPEG),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(WEBP),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some(KTX2),
        [
            _,
            _,
            _,
            _,
            b'f',
            b't',
            b'y',
            b'p',
            b'a',
            b'v',
            b'i',
            b'f' | b's',
            ..,
        ] => Some("image/avif"),
        [b'D', b'D', b'S', b' ', ..] => Some("image/vnd-ms.dds"),
        _ => None,
    }
}

/// Why surfaces are drawn without a picture that may well be right.
pub(super) fn why_not_drawn(bytes: &[u8]) -> Option<String> {
    match mime_type_of(bytes)? {
        PNG | JPEG | WEBP => None,
        KTX2 => ktx2::why_not_drawn(bytes),
        other => Some(format!("{other} is not decoded")),
    }
}

/// A fault of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end before the pixels begin.
    Ends,
    /// What stands before the pixels makes no sense.
    Broken(&'static str),
}

impl Fault {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Ends => "IMAGE_UNEXPECTED_EOS",
            Self::Broken(_) => "IMAGE_DATA_INVALID",
        }
    }

    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Ends => "the picture ends before its pixels begin",
            Self::Broken(why) => why,
        }
    }
}

/// Looks at everything up to the pixels of a PNG, JPEG, WebP or KTX2; other pictures are taken as they are.
pub(crate) fn examine(bytes: &[u8]) -> Result<(), Fault> {
    match mime_type_of(bytes) {
        Some(PNG) => examine_png(bytes),
        Some(JPEG) => examine_jpeg(bytes),
        Some(WEBP) => examine_webp(bytes),
        Some(KTX2) => ktx2::examine(bytes),
        _ => Ok(()),
    }
}

/// The next bytes, as many as there must be.
fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], Fault> {
    let (taken, after) = rest.split_first_chunk().ok_or(Fault::Ends)?;
    *rest = after;
    Ok(taken)
}

fn skip(rest: &mut &[u8], length: usize) -> Result<(), Fault> {
    *rest = rest.get(length..).ok_or(Fault::Ends)?;
    Ok(())
}

fn examine_png(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<8>(&mut rest)?;
    let length = u32::from_be_bytes(*take(&mut rest)?);
    if take::<4>(&mut rest)? != b"IHDR" || length != 13 {
        return Err(Fault::Broken("the picture does not begin with its size"));
    }
    let [width, height] = [
        u32::from_be_bytes(*take(&mut rest)?),
        u32::from_be_bytes(*take(&mut rest)?),
    ];
    if [width, height]
        .iter()
        .any(|&side| side == 0 || side > i32::MAX as u32)
    {
        return Err(Fault::Broken("the picture has no pixels, or too many"));
    }
    let [depth, color, compression, filter, interlace] = *take(&mut rest)?;
    let depths: &[u8] = match color {
        0 => &[1, 2, 4, 8, 16],
        2 | 4 | 6 => &[8, 16],
        3 => &[1, 2, 4, 8],
        _ => &[],
    };
    if !depths.contains(&depth) || compression != 0 || filter != 0 || interlace > 1 {
        return Err(Fault::Broken("there is no such kind of PNG"));
    }
    take::<4>(&mut rest)?;
    loop {
        let length = u32::from_be_bytes(*take(&mut rest)?) as usize;
        match take::<4>(&mut rest)? {
            b"IDAT" => return Ok(()),
            b"IHDR" | b"IEND" => {
                return Err(Fault::Broken(
                    "the picture has no pixels where they should be",
                ));
            }
            _ => skip(&mut rest, length.saturating_add(4))?,
        }
    }
}

fn examine_jpeg(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<2>(&mut rest)?;
    loop {
        let [mark] = *take(&mut rest)?;
        if mark != 0xff {
            return Err(Fault::Broken("there is no marker where one should be"));
        }
        let mut kind = 0xff;
        while kind == 0xff {
            [kind] = *take(&mut rest)?;
        }
        if matches!(kind, 0x01 | 0xd0..=0xd7) {
            continue;
        }
        if matches!(kind, 0x00 | 0xd8 | 0xd9 | 0xda) {
            return Err(Fault::Broken(
                "the picture does not say its size before its pixels",
            ));
        }
        let length = usize::from(u16::from_be_bytes(*take(&mut rest)?));
        let Some(length) = length.checked_sub(2) else {
            return Err(Fault::Broken("a part is shorter than its own length"));
        };
        // Frames of every sort but tables, which have their numbers among them.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let [_, h, i, w, x] = *take(&mut rest)?;
            let has_pixels = u16::from_be_bytes([h, i]) > 0 && u16::from_be_bytes([w, x]) > 0;
            return has_pixels
                .then_some(())
                .ok_or(Fault::Broken("the picture has no pixels"));
        }
        skip(&mut rest, length)?;
    }
}

fn examine_webp(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<12>(&mut rest)?;
    let kind = take::<4>(&mut rest)?;
    take::<4>(&mut rest)?;
    let is_right = match kind {
        b"VP8 " => {
            take::<3>(&mut rest)?;
            let begins = take::<3>(&mut rest)? == &[0x9d, 0x01, 0x2a];
            take::<4>(&mut rest)?;
            begins
        }
        b"VP8L" => {
            let begins = take::<1>(&mut rest)? == &[0x2f];
            take::<4>(&mut rest)?;
            begins
        }
        b"VP8X" => {
            take::<10>(&mut rest)?;
            true
        }
        _ => false,
    };
    is_right
        .then_some(())
        .ok_or(Fault::Broken("there is no such kind of WebP"))
}
