use super::TableError;
use super::members::{Members, document, name_text, transform_text};
use crate::gltf::{freedom_json, read_freedom};
use serde_json::Value;
use sinew::skeleton::{Joint, MetaJoints, Skeleton};

const FORMAT: &str = "sinew-meta-joints/1";

/// JSON of the skeleton with meta-joints: its joints with their rest transforms and limits. Roles
/// are left out.
///
/// ```
/// use sinew::skeleton::MetaJoints;
/// use sinew::transform::EulerOrder;
/// use sinew_io::tables::{meta_joints_from_json, meta_joints_json};
/// let person = sinew_samples::humanoid_character().skeleton;
/// let head = person.find("head").expect("a head");
/// let split = MetaJoints::split(&person, &[head], EulerOrder::ZXY)?;
/// let read = meta_joints_from_json(&meta_joints_json(&split))?;
/// assert_eq!(read.combined_skeleton().freedom(head), person.freedom(head));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn meta_joints_json(meta_joints: &MetaJoints) -> String {
    let skeleton = meta_joints.split_skeleton();
    let joints = skeleton.joints().into_iter().map(|joint| {
        let name = name_text(&joint.name);
        let parent = joint
            .parent
            .map_or("null".to_owned(), |parent| parent.to_string());
        let rest = transform_text(&joint.rest);
        let freedom = freedom_json(&joint.freedom).expect("the limits of a skeleton are valid");
        format!("    {{\"name\": {name}, \"parent\": {parent}{rest}, \"freedom\": {freedom}}}")
    });
    let joints = joints.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"format\": \"{FORMAT}\",\n  \"joints\": [\n{joints}\n  ]\n}}\n")
}

/// Reads a skeleton with meta-joints from JSON, and merges the meta-joints.
///
/// # Errors
/// [`TableError`] for invalid JSON, for members that are unknown, missing or wrong, and for joints
/// that are not a skeleton.
pub fn meta_joints_from_json(text: &str) -> Result<MetaJoints, TableError> {
    let value = document(text)?;
    let all = Members::new(String::new(), &value, &["format", "joints"])?;
    if all.text("format")? != FORMAT {
        return Err(all.wrong("format", &format!("\"{FORMAT}\" is expected here")));
    }
    let joints = all.list("joints")?.iter().enumerate();
    let joints = joints.map(|(index, joint)| read_joint(index, joint));
    let (skeleton, _) = Skeleton::new(joints.collect::<Result<_, _>>()?)?;
    Ok(MetaJoints::merge(&skeleton)?)
}

fn read_joint(index: usize, joint: &Value) -> Result<Joint, TableError> {
    let known = [
        "name",
        "parent",
        "translation",
        "rotation",
        "scale",
        "freedom",
    ];
    let joint = Members::new(format!("joints[{index}]"), joint, &known)?;
    let parent =
        match joint.get("parent") {
            None | Some(Value::Null) => None,
            Some(parent) => {
                let parent = parent
                    .as_u64()
                    .and_then(|parent| usize::try_from(parent).ok());
                Some(parent.ok_or_else(|| {
                    joint.wrong("parent", "the index of a joint is expected here")
                })?)
            }
        };
    let mut read = Joint::new(joint.text("name")?, parent, joint.transform()?);
    if let Some(freedom) = joint.get("freedom") {
        let text = serde_json::value::to_raw_value(freedom);
        let freedom = text
            .map_err(|error| error.to_string())
            .and_then(|text| read_freedom(&text));
        read.freedom = freedom.map_err(|error| joint.wrong("freedom", &error))?;
    }
    Ok(read)
}
