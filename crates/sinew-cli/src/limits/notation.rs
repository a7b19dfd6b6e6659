//! Text notation for the degrees of freedom of a joint. Angles are in degrees from rest, slides in metres.

use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::transform::{Axis, EulerOrder};

const KINDS: &str = "free, fixed, hinge:AXIS:MIN..MAX, saddle:AXES:MIN..MAX,MIN..MAX, ball:AXIS:CONE:MIN..MAX or euler:AXES:MIN..MAX,MIN..MAX,MIN..MAX";

const FULL_DEGREES: f32 = 360.0;

/// Parses texts such as `hinge:x:-8..150`.
pub fn parse(text: &str) -> Result<Freedom, String> {
    let (limit, slides) = match text.split_once("+slides:") {
        Some((limit, slides)) => (limit, slides),
        None => (text, ""),
    };
    let mut freedom = Freedom {
        rotation: parse_rotation(limit)?,
        ..Freedom::default()
    };
    if let Some((axis, range)) = slides.split_once(':') {
        let [min, max] = parse_distances(range)?;
        let axis = parse_axis(axis)?;
        freedom.slide_range = Some(SlideRange { axis, min, max });
    } else {
        for axis in parse_axes(slides)? {
            freedom.slides[axis.index()] = true;
        }
    }
    freedom.check().map_err(|error| error.to_string())?;
    Ok(freedom)
}

fn parse_rotation(text: &str) -> Result<RotationLimit, String> {
    let parts: Vec<&str> = text.split(':').collect();
    Ok(match parts[..] {
        ["free"] => RotationLimit::Free,
        ["fixed"] => RotationLimit::Fixed,
        ["hinge", axis, range] => RotationLimit::Hinge {
            axis: parse_axis(axis)?,
            range: parse_range(range)?,
        },
        ["saddle", axes, ranges] => RotationLimit::Saddle {
            axes: exactly(parse_axes(axes)?).ok_or("a saddle has two axes, like xz")?,
            ranges: parse_ranges(ranges)?,
        },
        ["ball", axis, cone, twist] => RotationLimit::Ball {
            axis: parse_axis(axis)?,
            swing_rad: parse_degrees(cone)?.to_radians(),
            twist: parse_range(twist)?,
        },
        ["euler", axes, ranges] => RotationLimit::Euler {
            order: exactly(parse_axes(axes)?)
                .and_then(EulerOrder::new)
                .ok_or("Euler angles have three axes, no two neighbours alike, like xzy")?,
            ranges: parse_ranges(ranges)?,
        },
        _ => return Err(format!("\"{text}\" is not one of {KINDS}")),
    })
}

fn exactly<T, const N: usize>(list: Vec<T>) -> Option<[T; N]> {
    list.try_into().ok()
}

fn parse_degrees(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number: &f32| number.is_finite());
    let number = number.ok_or_else(|| format!("\"{text}\" is not a number of degrees"))?;
    if number.abs() > FULL_DEGREES {
        return Err(format!(
            "{number} degrees are more than a full rotation; limits are from -{FULL_DEGREES} to {FULL_DEGREES}, and free means no limits"
        ));
    }
    Ok(number)
}

fn parse_range(text: &str) -> Result<AngleRange, String> {
    let (min, max) = text
        .split_once("..")
        .ok_or_else(|| format!("\"{text}\" is not a range of degrees, like -8..150"))?;
    Ok(AngleRange::degrees(
        parse_degrees(min)?,
        parse_degrees(max)?,
    ))
}

fn parse_distances(text: &str) -> Result<[f32; 2], String> {
    let ends = text.split("..").map(|end| end.trim().parse().ok());
    let ends = ends.map(|end| end.filter(|metres: &f32| metres.is_finite()));
    let ends: Option<Vec<f32>> = ends.collect();
    let ends = ends.and_then(exactly);
    ends.ok_or_else(|| format!("\"{text}\" is not a range of metres, like -0.2..0"))
}

fn parse_ranges<const N: usize>(text: &str) -> Result<[AngleRange; N], String> {
    let ranges = text.split(',').map(parse_range);
    let ranges = ranges.collect::<Result<Vec<_>, _>>()?;
    let found = ranges.len();
    exactly(ranges).ok_or_else(|| format!("{N} ranges are needed here, not {found}"))
}

fn parse_axes(text: &str) -> Result<Vec<Axis>, String> {
    let axis = |letter| match letter {
        'x' => Ok(Axis::X),
        'y' => Ok(Axis::Y),
        'z' => Ok(Axis::Z),
        other => Err(format!("\"{other}\" is not one of the axes x, y and z")),
    };
    text.chars().map(axis).collect()
}

fn parse_axis(text: &str) -> Result<Vec3, String> {
    let numbers: Vec<f32> = text
        .split(',')
        .map_while(|number| number.trim().parse().ok())
        .collect();
    match (text, &numbers[..]) {
        ("x", _) => Ok(Vec3::X),
        ("y", _) => Ok(Vec3::Y),
        ("z", _) => Ok(Vec3::Z),
        ("-x", _) => Ok(Vec3::NEG_X),
        ("-y", _) => Ok(Vec3::NEG_Y),
        ("-z", _) => Ok(Vec3::NEG_Z),
        (_, [x, y, z]) => Ok(Vec3::new(*x, *y, *z)),
        _ => Err(format!(
            "\"{text}\" is not an axis: x, -y or three numbers, like 0,0.6,0.8"
        )),
    }
}

/// Writes the notation, rounded to 0.0001 degrees. Limits with their own frame add words that [`parse`] refuses.
pub fn write(freedom: &Freedom) -> String {
    let mut text = write_rotation(&freedom.rotation);
    if let Some(SlideRange { axis, min, max }) = freedom.slide_range {
        let (axis, min, max) = (write_axis(axis), short(min), short(max));
        text += &format!("+slides:{axis}:{min}..{max}");
    }
    let slides = [Axis::X, Axis::Y, Axis::Z];
    let slides: Vec<Axis> = slides
        .into_iter()
        .filter(|axis| freedom.slides[axis.index()])
        .collect();
    if !slides.is_empty() {
        text += &format!("+slides:{}", letters(&slides));
    }
    text
}

fn write_rotation(limit: &RotationLimit) -> String {
    match limit {
        RotationLimit::Free => "free".to_owned(),
        RotationLimit::Fixed => "fixed".to_owned(),
        RotationLimit::Hinge { axis, range } => {
            format!("hinge:{}:{}", write_axis(*axis), ranges(&[*range]))
        }
        RotationLimit::Saddle { axes, ranges: r } => {
            format!("saddle:{}:{}", letters(axes), ranges(r))
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            let (axis, cone) = (write_axis(*axis), degrees(*swing_rad));
            format!("ball:{axis}:{cone}:{}", ranges(&[*twist]))
        }
        RotationLimit::Euler { order, ranges: r } => {
            format!("euler:{}:{}", letters(&order.axes()), ranges(r))
        }
        RotationLimit::Framed(framed) => {
            let numbers = |q: glam::Quat| q.to_array().map(short).join(",");
            let (axes, rest) = (numbers(framed.frame.axes), numbers(framed.frame.rest));
            let rotation = write_rotation(&framed.rotation);
            format!("{rotation} about axes rotated by {axes}, at rest {rest}")
        }
    }
}

fn letters(axes: &[Axis]) -> String {
    axes.iter()
        .map(|axis| ['x', 'y', 'z'][axis.index()])
        .collect()
}

fn write_axis(axis: Vec3) -> String {
    for (letter, known) in [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)] {
        if axis == known {
            return letter.to_owned();
        }
        if axis == -known {
            return format!("-{letter}");
        }
    }
    axis.to_array().map(short).join(",")
}

fn ranges(ranges: &[AngleRange]) -> String {
    let range = |range: &AngleRange| {
        let (min, max) = (degrees(range.min_rad), degrees(range.max_rad));
        format!("{min}..{max}")
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

fn degrees(angle_rad: f32) -> String {
    let degrees = f64::from(angle_rad).to_degrees();
    // + 0.0 removes the sign of −0.
    ((degrees * 1e4).round() / 1e4 + 0.0).to_string()
}

fn short(number: f32) -> String {
    ((f64::from(number) * 1e6).round() / 1e6 + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let cases = [
            "free",
            "fixed",
            "hinge:x:-8..150",
            "hinge:-y:0..90",
            "hinge:0,0.6,0.8:-8.5..150.25",
            "saddle:xz:-75..80,-35..35",
            "ball:y:150:-120..120",
            "euler:xzy:-125..40,-60..35,-60..60",
            "free+slides:xyz",
            "hinge:z:-1..1+slides:y",
            "fixed+slides:z:-0.2..0",
            "hinge:z:-1..1+slides:0,-0.6,0.8:0..1.25",
        ];
        for case in cases {
            let freedom = parse(case).unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(write(&freedom), case);
        }
    }

    #[test]
    fn mistakes_are_said() {
        let cases = [
            ("hinge", "not one of"),
            ("hinge:w:0..1", "not an axis"),
            ("hinge:0,0,0:0..1", "no direction"),
            ("hinge:x:20..10", "empty"),
            ("hinge:x:nan..10", "not a number"),
            ("hinge:x:-10..500", "more than a full rotation"),
            ("ball:y:500:0..1", "more than a full rotation"),
            ("saddle:xx:0..1,0..1", "two different axes"),
            ("saddle:xyz:0..1,0..1", "two axes"),
            ("saddle:xy:0..1", "2 ranges"),
            ("euler:xxy:0..1,0..1,0..1", "no two neighbours"),
            ("free+slides:w", "not one of the axes"),
            ("fixed+slides:z:1..0", "is empty"),
            ("fixed+slides:z:0", "not a range of metres"),
            ("fixed+slides:z:0..1..2", "not a range of metres"),
            ("fixed+slides:z:0..inf", "not a range of metres"),
            ("fixed+slides:xy:0..1", "not an axis"),
            ("fixed+slides:0,0,0:0..1", "no direction"),
        ];
        for (case, words) in cases {
            let error = parse(case).expect_err(case);
            assert!(error.contains(words), "{case}: {error}");
        }
    }
}
