//! Values of options, written the same on the command line and in recipes.

use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Allowed factors. They cannot overflow.
const FACTORS: RangeInclusive<f64> = 1e-9..=1e9;

/// Unit of a file: metres per unit, or found in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Metres per unit, from 1e-9 to 1e9.
    Factor(f64),
    /// The unit that the file states, or one that makes the skeleton as tall as a person.
    Auto,
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let factor = text.trim().parse().ok();
        let factor = factor.filter(|factor| FACTORS.contains(factor));
        factor.map(Self::Factor).ok_or_else(|| {
            "a scale is a number from 1e-9 to 1e9, like 0.01 for centimetres, or auto".to_owned()
        })
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(factor) => write!(f, "{factor}"),
            Self::Auto => f.write_str("auto"),
        }
    }
}

/// Length in metres, written with its unit, like `0.1mm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length(pub f64);

/// Units of lengths, in metres.
const UNITS: [(&str, f64); 3] = [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let length = UNITS.iter().find_map(|(unit, metres)| {
            let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
            Some(number * metres)
        });
        length
            .filter(|l| *l > 0.0 && l.is_finite())
            .map(Self)
            .ok_or_else(|| "a length is a number above 0 and mm, cm or m, like 0.1mm".to_owned())
    }
}

/// Times in seconds, the first before the second, written like `0.5..2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRange(pub [f32; 2]);

impl FromStr for TimeRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a range is FROM..TO in seconds, like 0.5..2".to_owned();
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let time = |text: &str| text.trim().parse().map_err(|_| wrong());
        let [from, to]: [f32; 2] = [time(from)?, time(to)?];
        (from < to && to.is_finite())
            .then_some(Self([from, to]))
            .ok_or_else(wrong)
    }
}

/// Part of a clip: two times in seconds, either of which may be left out, written like `0.2..1.4`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part(pub [Option<f32>; 2]);

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a part is FROM..TO in seconds, like 0.2..1.4".to_owned();
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let time = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| wrong()),
        };
        Ok(Self([time(from)?, time(to)?]))
    }
}

/// Time in seconds and name of an event, written like `0.3=grasp`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent(pub f32, pub String);

impl FromStr for NewEvent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "an event is SECONDS=NAME, like 0.3=grasp".to_owned();
        let (time, name) = text.split_once('=').ok_or_else(wrong)?;
        let time: f32 = time.trim().parse().map_err(|_| wrong())?;
        if time.is_finite() && time >= 0.0 && !name.is_empty() {
            Ok(Self(time, name.to_owned()))
        } else {
            Err(wrong())
        }
    }
}

/// Parses frames per second.
///
/// # Errors
/// A message with the range, from 0.01 to 1000.
pub fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|f: &f64| (0.01..=1000.0).contains(f));
    rate.ok_or_else(|| "a rate is a number from 0.01 to 1000, like 30".to_owned())
}

/// Parses a time in seconds.
///
/// # Errors
/// A message if the text is not a finite number.
pub fn seconds(text: &str) -> Result<f64, String> {
    let time = text.trim().parse().ok().filter(|t: &f64| t.is_finite());
    time.ok_or_else(|| "a time is a number of seconds, like 0.5".to_owned())
}

/// A value of a recipe as the text that the command line would have.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a text")]
enum Word {
    Number(f64),
    Text(String),
}

impl Word {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

fn parsed<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    let word = Word::deserialize(deserializer)?.text();
    parse(&word).map_err(de::Error::custom)
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer, str::parse)
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer, str::parse)
    }
}

impl<'de> Deserialize<'de> for TimeRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer, str::parse)
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer, str::parse)
    }
}

/// One text, or a list of texts.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum Words {
    One(Word),
    Many(Vec<Word>),
}

pub(crate) fn texts<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let words = match Words::deserialize(deserializer)? {
        Words::One(word) => vec![word],
        Words::Many(words) => words,
    };
    let parsed = words.into_iter().map(|word| word.text().parse());
    parsed.map(|one| one.map_err(de::Error::custom)).collect()
}

pub(crate) fn some_rate<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    parsed(deserializer, rate).map(Some)
}

pub(crate) fn some_seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    parsed(deserializer, seconds).map(Some)
}
