use crate::files;
use glam::{Quat, Vec3};
use sinew::transform::{EulerOrder, quat};

/// A goal position and its joint. `None` means the end of a chain.
pub type Position = (Option<String>, Vec3);

/// A joint that looks at a point: its name, the line of sight in its frame, and the point.
pub type Sight = (String, Option<Vec3>, Vec3);

pub fn chain(text: &str) -> Result<[String; 2], String> {
    match text.split_once("..") {
        Some((first, last)) if !first.is_empty() && !last.is_empty() => {
            Ok([first.to_owned(), last.to_owned()])
        }
        _ => Err("a chain is two names of joints, like shoulder..hand".to_owned()),
    }
}

pub fn point(text: &str) -> Result<Vec3, String> {
    match numbers(text)[..] {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err("a point is three numbers, like 0.3,1.2,-0.5".to_owned()),
    }
}

/// Parses `hand=0.3,1.2,-0.5`, or the point alone.
pub fn position(text: &str) -> Result<Position, String> {
    match text.rsplit_once('=') {
        Some(("", _)) | None => Ok((None, point(text)?)),
        Some((joint, at)) => Ok((Some(joint.to_owned()), point(at)?)),
    }
}

/// Parses `hand=0,90,0` in degrees, or `hand=0,0.7071,0,0.7071` as a quaternion.
pub fn orientation(text: &str) -> Result<(String, Quat), String> {
    let wrong = || {
        "an orientation is JOINT=X,Y,Z in degrees about the model's axes, x first, or JOINT=X,Y,Z,W, a quaternion"
            .to_owned()
    };
    let (joint, how) = text.rsplit_once('=').ok_or_else(wrong)?;
    let rotation = match numbers(how)[..] {
        [x, y, z] => EulerOrder::ZYX.to_quat([z, y, x].map(f32::to_radians)),
        [x, y, z, w] if x * x + y * y + z * z + w * w > 1e-6 => {
            quat::normalized(Quat::from_xyzw(x, y, z, w))
        }
        _ => return Err(wrong()),
    };
    if joint.is_empty() || !rotation.is_finite() {
        return Err(wrong());
    }
    Ok((joint.to_owned(), rotation))
}

/// Parses `head=0,1.5,3`, or `head:-z=0,1.5,3` with a line of sight.
pub fn sight(text: &str) -> Result<Sight, String> {
    let wrong = || {
        "a look-at goal is JOINT=X,Y,Z, or JOINT:AXIS=X,Y,Z with one of the joint's own axes (x, -y …)"
            .to_owned()
    };
    let (who, at) = text.rsplit_once('=').ok_or_else(wrong)?;
    let at = point(at).map_err(|_| wrong())?;
    let axis = |name: &str| match name {
        "x" => Some(Vec3::X),
        "y" => Some(Vec3::Y),
        "z" => Some(Vec3::Z),
        "-x" => Some(Vec3::NEG_X),
        "-y" => Some(Vec3::NEG_Y),
        "-z" => Some(Vec3::NEG_Z),
        _ => None,
    };
    let (joint, axis) = match who
        .rsplit_once(':')
        .map(|(joint, name)| (joint, axis(name)))
    {
        Some((joint, Some(axis))) => (joint, Some(axis)),
        _ => (who, None),
    };
    if joint.is_empty() {
        return Err(wrong());
    }
    Ok((joint.to_owned(), axis, at))
}

fn numbers(text: &str) -> Vec<f32> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    numbers.unwrap_or_default()
}

/// First and last time in seconds. Equal for a single time.
pub type Span = (f64, f64);

/// Parses `0.4`, or `0.2..0.8`.
pub fn span(text: &str) -> Result<Span, String> {
    let wrong = || "a time is a number of seconds, like 0.5, or a range, like 0.2..0.8".to_owned();
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to) = (files::seconds(from), files::seconds(to));
    match (from, to) {
        (Ok(from), Ok(to)) if from <= to => Ok((from, to)),
        _ => Err(wrong()),
    }
}

/// Parses a fraction of the length of a chain.
pub fn tolerance(text: &str) -> Result<f32, String> {
    let part = text.trim().parse().ok();
    let part = part.filter(|p: &f32| p.is_finite() && *p > 0.0);
    part.ok_or_else(|| "a tolerance is a number above 0, like 0.001".to_owned())
}

/// Parses the seconds of a blend.
pub fn lead(text: &str) -> Result<f64, String> {
    let time = files::seconds(text).ok().filter(|time| *time >= 0.0);
    time.ok_or_else(|| "a blend is a number of seconds that is at least 0, like 0.2".to_owned())
}
