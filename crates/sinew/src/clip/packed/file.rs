//! `.sinew` files: a skeleton and its clips, in chunks. `docs/format.md` describes every byte.

use super::clip::PackedClip;
use super::finite;
use super::motion::Motion;
use super::read::bytes::{PackedError, Reader};
use super::read::extras::Extras;
use super::read::limits::{read_limits, read_slides};
use crate::skeleton::{Joint, Skeleton};
use glam::Vec3;
use sinew_math::transform::Transform;
use std::borrow::Cow;

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"SINW";
/// Version of files without tracks of finer frames.
pub const VERSION: u16 = 2;
/// Version of files with tracks of finer frames.
pub const VERSION_WITH_FINER: u16 = 3;
/// Version of files with frames that are not evenly spaced.
pub const VERSION_WITH_TIMES: u16 = 4;
const MAX_FINER: usize = 8;
/// Parent index of a root.
pub const NO_PARENT: u32 = u32::MAX;

/// Skeleton with its limits, and packed clips that borrow the bytes of the file.
#[derive(Clone, Debug)]
pub struct PackedFile<'a> {
    /// Skeleton that the clips move.
    pub skeleton: Skeleton,
    /// One clip per motion chunk, in the order of the file.
    pub clips: Vec<PackedClip<'a>>,
}

impl<'a> PackedFile<'a> {
    /// Reads a file and checks all bytes once. Sampling then cannot fail and gives finite numbers.
    /// Invalid bytes give an error with their offset. Memory use is at most a few times the input.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, PackedError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(PackedError::NotSinew);
        }
        let mut reader = Reader::new(bytes, 0, "file header");
        reader.take(4)?;
        let version = reader.u16()?;
        if !(VERSION..=VERSION_WITH_TIMES).contains(&version) {
            return Err(PackedError::Version {
                found: version,
                known: VERSION_WITH_TIMES,
            });
        }
        let may_be_finer = version >= VERSION_WITH_FINER;
        if reader.u16()? != 0 {
            return Err(reader.bad("these two bytes must be 0"));
        }
        let length = reader.u32()? as usize;
        if length != bytes.len() {
            let found = bytes.len();
            return Err(reader.bad(format!(
                "the file should have {length} bytes and has {found}"
            )));
        }
        let mut skeleton: Option<Skeleton> = None;
        let mut clips: Vec<PackedClip<'a>> = Vec::new();
        let mut names_wanted = 0;
        let (mut has_limits, mut has_slides) = (false, false);
        while reader.left() > 0 {
            reader.location = "chunk header";
            let before = reader.clone();
            let tag = reader.take(4)?;
            let length = reader.u32()? as usize;
            let at = reader.at();
            let chunk = reader.take(length)?;
            match (tag, &skeleton) {
                (b"SKEL", None) => skeleton = Some(read_skeleton(chunk, at)?),
                (b"SKEL", Some(_)) => return Err(before.bad("there is a second skeleton")),
                (b"FINE", _) if !may_be_finer => {}
                (b"MOTN" | b"FINE" | b"XTRA" | b"LIMT" | b"SLID", None) => {
                    return Err(before.bad("motion or limits come before the skeleton"));
                }
                (b"LIMT", Some(free)) => {
                    if std::mem::replace(&mut has_limits, true) {
                        return Err(before.bad("there is a second limits chunk"));
                    }
                    skeleton = Some(read_limits(chunk, at, free)?);
                }
                (b"SLID", Some(still)) => {
                    if std::mem::replace(&mut has_slides, true) {
                        return Err(before.bad("there is a second slides chunk"));
                    }
                    skeleton = Some(read_slides(chunk, at, still)?);
                }
                (b"MOTN", Some(skeleton)) => {
                    let motion = Motion::from_bytes(Cow::Borrowed(chunk), at, skeleton.rest())?;
                    clips.push(PackedClip::new(motion, Extras::default()));
                    names_wanted = clips.len();
                }
                (b"FINE", Some(skeleton)) => match clips.last_mut() {
                    Some(clip) if clip.finer.len() == MAX_FINER => {
                        return Err(before.bad(format!(
                            "there are more than {MAX_FINER} rows of finer frames"
                        )));
                    }
                    Some(clip) if names_wanted > 0 => {
                        let (bytes, joints) = (Cow::Borrowed(chunk), skeleton.len());
                        let motion = Motion::finer_from_bytes(bytes, at, clip.motions(), joints)?;
                        clip.finer.push(motion);
                    }
                    _ => return Err(before.bad("finer frames must follow a motion chunk")),
                },
                (b"XTRA", Some(_)) => match clips.last_mut() {
                    Some(clip) if names_wanted > 0 => {
                        clip.extras = Extras::from_bytes(chunk, at)?;
                        names_wanted = 0;
                    }
                    _ => return Err(before.bad("extras must follow a motion chunk")),
                },
                // Later versions may add chunks.
                _ => {}
            }
        }
        match skeleton {
            Some(skeleton) => {
                for (number, clip) in clips.iter().enumerate() {
                    finite::check(number, clip, &skeleton)?;
                }
                Ok(Self { skeleton, clips })
            }
            None => Err(reader.bad("there is no skeleton chunk")),
        }
    }
}

fn read_skeleton(bytes: &[u8], file_offset: usize) -> Result<Skeleton, PackedError> {
    let mut reader = Reader::new(bytes, file_offset, "skeleton chunk");
    let count = reader.u32()? as usize;
    let mut joints = Vec::new();
    for joint in 0..count {
        let before = reader.clone();
        let parent = match reader.u32()? {
            NO_PARENT => None,
            parent if (parent as usize) < joint => Some(parent as usize),
            _ => {
                return Err(before.bad(format!("joint {joint} comes before its parent")));
            }
        };
        let rest = Transform {
            translation: Vec3::from_array(reader.f32s()?),
            rotation: reader.rotation()?,
            scale: Vec3::from_array(reader.f32s()?),
        };
        joints.push(Joint::new(reader.text()?, parent, rest));
    }
    if reader.left() > 0 {
        return Err(reader.bad("there are bytes past the end"));
    }
    // The joints are already in order, parents first.
    let (skeleton, _) = Skeleton::new(joints).map_err(|e| reader.bad(e.to_string()))?;
    Ok(skeleton)
}
