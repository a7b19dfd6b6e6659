//! Counts of the data in a C3D file that is not read.

use super::header::Header;
use super::parameters::Parameters;
use crate::report::{FileReport, Severity};

/// Amounts of data that was not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Number of analog samples (force plates, muscles) in all imported frames.
    pub analog_samples: usize,
    /// Number of analog channels, from `ANALOG:USED`. Default 0.
    pub analog_channels: usize,
    /// Number of events, such as foot strikes, from `EVENT:USED` or the header.
    pub events: usize,
}

/// Value of header word 150 if events follow it.
const HAS_EVENTS: u16 = 0x3039;

const MAX_HEADER_EVENTS: u16 = 18;

/// Counts and reports the data that was not read.
pub fn count(
    header: &Header<'_>,
    parameters: &Parameters<'_>,
    frames: usize,
    report: &mut FileReport,
) -> Skipped {
    let whole = |group| parameters.number(group, "USED").unwrap_or(0.0) as usize;
    let in_header = match header.word(150) {
        HAS_EVENTS => header.word(151).min(MAX_HEADER_EVENTS),
        _ => 0,
    };
    let skipped = Skipped {
        analog_samples: usize::from(header.word(3)).saturating_mul(frames),
        analog_channels: whole("ANALOG"),
        events: whole("EVENT").max(usize::from(in_header)),
    };
    if skipped.analog_samples > 0 {
        let Skipped {
            analog_samples: samples,
            analog_channels: channels,
            ..
        } = skipped;
        let of = match channels {
            0 => String::new(),
            1 => " of 1 channel".to_owned(),
            _ => format!(" of {channels} channels"),
        };
        report.add(
            Severity::Ignored,
            "C3D_ANALOG",
            "ANALOG",
            format_args!("{samples} analog samples{of} were left out"),
        );
    }
    if skipped.events > 0 {
        let events = skipped.events;
        report.add(
            Severity::Ignored,
            "C3D_EVENTS",
            "EVENT",
            format_args!("{events} events were left out"),
        );
    }
    skipped
}
