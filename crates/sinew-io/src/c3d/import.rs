use super::error::C3dError;
use super::frames::{Layout, UpAxis};
use super::header::{BLOCK, Header, MAGIC};
use super::labels::labels;
use super::parameters::Parameters;
use super::skipped::{self, Skipped};
use crate::foreign::is_lfs_pointer;
use crate::report::{FileReport, Severity};
use sinew::markers::Trial;
use std::path::Path;

/// The contents of a C3D file.
#[derive(Clone, Debug)]
pub struct C3dImport {
    /// The markers, in metres with y up.
    pub trial: Trial,
    /// Labels of computed points: angles, forces, moments, powers, scalars, modelled markers, and
    /// the origins and axes of segments.
    pub not_markers: Vec<String>,
    /// Number of analog samples and events that were not read.
    pub skipped: Skipped,
    /// Repairs and omissions.
    pub report: FileReport,
}

/// Reads a C3D file.
///
/// # Errors
/// [`C3dError`] states the fault, its byte offset and a remedy.
pub fn import(path: impl AsRef<Path>) -> Result<C3dImport, C3dError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| C3dError::Io {
        path: path.to_owned(),
        source,
    })?;
    import_bytes(&bytes)
}

fn looks_like_c3d(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && bytes[0] > 0 && bytes[1] == MAGIC
}

/// Reads the bytes of a C3D file.
///
/// # Errors
/// Same as [`import`].
pub fn import_bytes(bytes: &[u8]) -> Result<C3dImport, C3dError> {
    if is_lfs_pointer(bytes) {
        return Err(C3dError::LfsPointer);
    }
    if !looks_like_c3d(bytes) {
        return Err(C3dError::NotC3d);
    }
    let mut report = FileReport::default();
    let parameters = Parameters::read(bytes, bytes[0])?;
    let header = Header {
        bytes,
        machine: parameters.machine,
    };
    let layout = layout(&header, &parameters, &mut report)?;
    let rate_hz = rate(&header, &parameters)?;
    let frames = frame_count(bytes, &header, &parameters, &layout, &mut report)?;
    let skipped = skipped::count(&header, &parameters, frames, &mut report);
    let (labels, not_markers) = labels(&parameters, layout.points, &mut report);
    let mut trial = Trial::new(rate_hz, labels);
    let mut frame_of_points = Vec::with_capacity(layout.points);
    for frame in 0..frames {
        layout.read(bytes, frame, &mut frame_of_points);
        let pushed = trial.push(&frame_of_points);
        pushed.expect("a label and a point for every marker of the header");
    }
    Ok(C3dImport {
        trial,
        not_markers,
        skipped,
        report,
    })
}

fn layout(
    header: &Header<'_>,
    parameters: &Parameters<'_>,
    report: &mut FileReport,
) -> Result<Layout, C3dError> {
    let in_header = f64::from(header.word(2));
    let points = parameters.number("POINT", "USED").unwrap_or(in_header);
    if points != in_header {
        report.add(
            Severity::Repaired,
            "C3D_POINTS",
            "POINT:USED",
            format_args!("the number of markers is {points} in the parameters and {in_header} in the header; {points} was used"),
        );
    }
    if points.is_nan() || points < 1.0 {
        return Err(C3dError::NoMarkers);
    }
    let scale = parameters
        .number("POINT", "SCALE")
        .unwrap_or(header.float(7));
    if scale == 0.0 || !scale.is_finite() {
        return Err(C3dError::Number {
            name: "POINT:SCALE",
            found: scale.to_string(),
            expected: "a number that is not zero",
        });
    }
    let first_block = parameters
        .number("POINT", "DATA_START")
        .filter(|&block| block >= 1.0)
        .unwrap_or(f64::from(header.word(9)));
    if first_block.is_nan() || first_block < 1.0 {
        return Err(C3dError::Number {
            name: "POINT:DATA_START",
            found: first_block.to_string(),
            expected: "the number of the block where frames begin, at least 1",
        });
    }
    Ok(Layout {
        machine: parameters.machine,
        start: (first_block as usize - 1).saturating_mul(BLOCK),
        points: (points as usize).min(usize::from(u16::MAX)),
        analog: usize::from(header.word(3)),
        scale,
        metres_per_unit: metres_per_unit(parameters, report),
        up: up(parameters, report),
    })
}

fn metres_per_unit(parameters: &Parameters<'_>, report: &mut FileReport) -> f64 {
    let unit = parameters.texts("POINT", "UNITS").into_iter().next();
    let unit = unit.unwrap_or_default().to_ascii_lowercase();
    match unit.as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "dm" => 0.1,
        "cm" => 0.01,
        "mm" => 0.001,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "feet" => 0.3048,
        _ => {
            report.add(
                Severity::Note,
                "C3D_UNITS",
                "POINT:UNITS",
                format_args!("the unit {unit:?} is unknown; millimetres are assumed"),
            );
            0.001
        }
    }
}

fn up(parameters: &Parameters<'_>, report: &mut FileReport) -> UpAxis {
    let stated = parameters.texts("POINT", "Y_SCREEN").into_iter().next();
    stated
        .as_deref()
        .and_then(UpAxis::parse)
        .unwrap_or_else(|| {
            report.add(
                Severity::Note,
                "C3D_UP",
                "POINT:Y_SCREEN",
                "the up axis is not stated; z is assumed",
            );
            UpAxis {
                axis: 2,
                downward: false,
            }
        })
}

fn rate(header: &Header<'_>, parameters: &Parameters<'_>) -> Result<f64, C3dError> {
    let good = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let stated = parameters.number("POINT", "RATE");
    let in_header = header.float(11);
    stated
        .filter(good)
        .or(Some(in_header).filter(good))
        .ok_or_else(|| C3dError::Number {
            name: "POINT:RATE",
            found: stated.unwrap_or(in_header).to_string(),
            expected: "a frame rate above 0",
        })
}

/// Largest stated number of frames that fits into the file, else the number of whole frames.
fn frame_count(
    bytes: &[u8],
    header: &Header<'_>,
    parameters: &Parameters<'_>,
    layout: &Layout,
    report: &mut FileReport,
) -> Result<usize, C3dError> {
    let available = layout.frames_in(bytes)?;
    // The number has two 16-bit words, the low word first.
    let field = |name| match parameters.numbers("TRIAL", name)[..] {
        [low, high, ..] => Some(low + 65536.0 * high),
        _ => None,
    };
    let whole_trial = field("ACTUAL_START_FIELD")
        .zip(field("ACTUAL_END_FIELD"))
        .map(|(first, last)| last - first + 1.0);
    let stated = [
        Some(f64::from(header.word(5)) - f64::from(header.word(4)) + 1.0),
        whole_trial,
        parameters.number("POINT", "FRAMES"),
        parameters.number("POINT", "LONG_FRAMES"),
    ];
    let stated = stated.into_iter().flatten().filter(|&n| n >= 1.0);
    let stated: Vec<usize> = stated.map(|n| n as usize).collect();
    let fitting = stated.iter().copied().filter(|&n| n <= available).max();
    Ok(fitting.unwrap_or_else(|| {
        let expected = stated.iter().min().copied().unwrap_or(0);
        report.add_at_byte(
            Severity::Repaired,
            "C3D_FRAMES",
            bytes.len() as u64,
            format_args!(
                "{expected} frames are declared, but the file has {available}; these were read"
            ),
        );
        available
    }))
}
