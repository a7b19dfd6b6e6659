//! Statements of an OBJ file as lists of attributes and faces.

use std::collections::HashMap;

use super::error::ObjError;
use crate::lines::{Lines, keyword, number, words};
use crate::polygons::linear;
use crate::report::{FileReport, Severity};

/// Marks an absent index in a corner.
pub(super) const NONE: u32 = u32::MAX;

/// Max number of bytes of a wrong word that a message shows.
const SHOWN: usize = 40;

pub(super) const MAX_LIBRARIES: usize = 64;

pub(super) type Corner = [u32; 3];

const CORNER_PARTS: [&str; 3] = ["position", "texture coordinate", "normal"];

/// Consecutive faces of one mesh and one material.
pub(super) struct Run {
    pub(super) mesh: usize,
    pub(super) material: Option<usize>,
    pub(super) first_face: usize,
}

#[derive(Default)]
pub(super) struct Statements {
    pub(super) positions: Vec<[f32; 3]>,
    /// Linear colours, one per position. Empty without colours.
    pub(super) colors: Vec<[f32; 4]>,
    pub(super) texcoords: Vec<[f32; 2]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) corners: Vec<Corner>,
    /// First corner and line of each face.
    pub(super) faces: Vec<(u32, u32)>,
    pub(super) runs: Vec<Run>,
    /// Names of meshes, from `o`, or from `g` if there is no `o`.
    pub(super) meshes: Vec<String>,
    pub(super) materials: Vec<String>,
    /// Lines and arguments of `mtllib`.
    pub(super) libraries: Vec<(usize, String)>,
}

impl Statements {
    pub(super) fn corners_of(&self, face: usize) -> &[Corner] {
        let end = self
            .faces
            .get(face + 1)
            .map_or(self.corners.len(), |f| f.0 as usize);
        &self.corners[self.faces[face].0 as usize..end]
    }

    fn begin(&mut self, name: &[u8]) {
        self.meshes.push(String::from_utf8_lossy(name).into_owned());
    }
}

pub(super) fn read(bytes: &[u8], report: &mut FileReport) -> Result<Statements, ObjError> {
    let mut read = Statements::default();
    let mut material = None;
    let mut material_of: HashMap<Vec<u8>, usize> = HashMap::new();
    let has_objects = Lines::of(bytes).any(|(_, text)| keyword(&text).0 == b"o");
    for (line, text) in Lines::of(bytes) {
        let (word, rest) = keyword(&text);
        match word {
            b"v" => read.position(line, rest)?,
            b"vt" => {
                let [u, v] = numbers(line, "vt", rest, [0.0; 2], 1)?;
                read.texcoords.push([u, 1.0 - v]);
            }
            b"vn" => read.normals.push(numbers(line, "vn", rest, [0.0; 3], 3)?),
            b"f" | b"fo" => read.face(line, rest, material, report)?,
            b"o" => read.begin(rest),
            b"g" if !has_objects => read.begin(rest),
            b"usemtl" => {
                let next = material_of.len();
                let index = *material_of.entry(rest.to_vec()).or_insert(next);
                if index == next {
                    read.materials
                        .push(String::from_utf8_lossy(rest).into_owned());
                }
                material = Some(index);
            }
            b"mtllib" => {
                let name = String::from_utf8_lossy(rest).into_owned();
                let is_new = read.libraries.iter().all(|(_, known)| *known != name);
                if is_new && read.libraries.len() == MAX_LIBRARIES {
                    let message = "there are too many libraries; this one was not read";
                    let location = format_args!("line {line}");
                    report.add(Severity::Ignored, "LIBRARIES", location, message);
                } else if is_new {
                    read.libraries.push((line, name));
                }
            }
            b"g" | b"s" => {}
            b"l" | b"p" => {
                let message = "lines and points were left out";
                report.add(
                    Severity::Ignored,
                    "LINES",
                    format_args!("line {line}"),
                    message,
                );
            }
            _ => {
                let message = format_args!("the statement `{}` was left out", shown(word));
                report.add(
                    Severity::Ignored,
                    "STATEMENT",
                    format_args!("line {line}"),
                    message,
                );
            }
        }
    }
    read.check()?;
    Ok(read)
}

/// The first `N` numbers of a statement. At least `expected` of them must exist.
fn numbers<const N: usize>(
    line: usize,
    keyword: &'static str,
    rest: &[u8],
    mut numbers: [f32; N],
    expected: usize,
) -> Result<[f32; N], ObjError> {
    let mut found = 0;
    for word in words(rest).take(N) {
        numbers[found] = number(word).ok_or_else(|| not_a_number(line, word))?;
        found += 1;
    }
    if found < expected {
        return Err(ObjError::Count {
            line,
            keyword,
            expected,
            found,
        });
    }
    Ok(numbers)
}

fn not_a_number(line: usize, word: &[u8]) -> ObjError {
    ObjError::Number {
        line,
        found: shown(word),
    }
}

impl Statements {
    /// Reads `v x y z`, with an ignored weight or an sRGB colour after it.
    fn position(&mut self, line: usize, rest: &[u8]) -> Result<(), ObjError> {
        let all = numbers(line, "v", rest, [1.0; 7], 3)?;
        let [x, y, z, red, green, blue, alpha] = all;
        let has_color = words(rest).nth(5).is_some();
        if has_color && self.colors.is_empty() {
            self.colors.resize(self.positions.len(), [1.0; 4]);
        }
        self.positions.push([x, y, z]);
        if has_color {
            self.colors
                .push([linear(red), linear(green), linear(blue), alpha]);
        } else if !self.colors.is_empty() {
            self.colors.push([1.0; 4]);
        }
        Ok(())
    }

    fn face(
        &mut self,
        line: usize,
        rest: &[u8],
        material: Option<usize>,
        report: &mut FileReport,
    ) -> Result<(), ObjError> {
        let first = self.corners.len();
        for word in words(rest) {
            let corner = self.corner(line, word)?;
            self.corners.push(corner);
        }
        if self.corners.len() < first + 3 {
            self.corners.truncate(first);
            let message = "a face with fewer than three corners was left out";
            report.add(
                Severity::Repaired,
                "FACE_CORNERS",
                format_args!("line {line}"),
                message,
            );
            return Ok(());
        }
        let too_many = |_| ObjError::TooMany { line };
        let start = u32::try_from(first).map_err(too_many)?;
        if self.meshes.is_empty() {
            self.begin(b"");
        }
        let mesh = self.meshes.len() - 1;
        let goes_on = self.runs.last();
        if goes_on.is_none_or(|run| (run.mesh, run.material) != (mesh, material)) {
            self.runs.push(Run {
                mesh,
                material,
                first_face: self.faces.len(),
            });
        }
        self.faces.push((start, line.min(u32::MAX as usize) as u32));
        Ok(())
    }

    /// Reads `1`, `1/2`, `1//3` or `1/2/3`. A negative index counts back from this line.
    fn corner(&self, line: usize, word: &[u8]) -> Result<Corner, ObjError> {
        let wrong = || ObjError::Corner {
            line,
            found: shown(word),
        };
        let counts = [
            self.positions.len(),
            self.texcoords.len(),
            self.normals.len(),
        ];
        let mut corner = [NONE; 3];
        for (part_index, part) in word.split(|byte| *byte == b'/').enumerate() {
            let out = corner.get_mut(part_index).ok_or_else(wrong)?;
            if part.is_empty() && part_index > 0 {
                continue;
            }
            let text = std::str::from_utf8(part).map_err(|_| wrong())?;
            let index: i64 = text.parse().map_err(|_| wrong())?;
            let (what, count) = (CORNER_PARTS[part_index], counts[part_index]);
            let found = match index {
                1.. => Some(index - 1),
                0 => None,
                _ => Some(index + count as i64).filter(|found| *found >= 0),
            };
            let found = found.and_then(|found| u32::try_from(found).ok());
            *out = found
                .filter(|found| *found != NONE)
                .ok_or(ObjError::Index {
                    line,
                    what,
                    index,
                    count,
                })?;
        }
        Ok(corner)
    }

    fn check(&self) -> Result<(), ObjError> {
        if self.faces.is_empty() {
            return Err(ObjError::NoFaces);
        }
        let counts = [
            self.positions.len(),
            self.texcoords.len(),
            self.normals.len(),
        ];
        for face in 0..self.faces.len() {
            for corner in self.corners_of(face) {
                let wrong = (0..3).find(|&k| corner[k] != NONE && corner[k] as usize >= counts[k]);
                if let Some(k) = wrong {
                    return Err(ObjError::Index {
                        line: self.faces[face].1 as usize,
                        what: CORNER_PARTS[k],
                        index: i64::from(corner[k]) + 1,
                        count: counts[k],
                    });
                }
            }
        }
        Ok(())
    }
}

fn shown(word: &[u8]) -> String {
    match word.get(..SHOWN) {
        Some(beginning) if word.len() > SHOWN => format!("{}…", String::from_utf8_lossy(beginning)),
        _ => String::from_utf8_lossy(word).into_owned(),
    }
}
