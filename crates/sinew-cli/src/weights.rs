//! `sinew weights`: shows and sets the joint weights of vertices.

use crate::files::{self, counted};
use crate::outputs;
use crate::usage::wrong;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use sinew::mesh::Weld;
use sinew::{Character, Influences, Skin};
use sinew_rig::weights::Adjust;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM or FBX file with a skinned mesh, or - for standard input
    input: PathBuf,
    /// The mesh, given by name or number
    #[arg(long, value_name = "MESH", default_value = "0")]
    mesh: String,
    /// Numbers of vertices to show, separated by commas. Vertices are numbered from 0 across all parts of the mesh.
    /// Default: print the number of vertices that each joint moves
    #[arg(long, value_name = "N", value_delimiter = ',')]
    vertex: Vec<usize>,
    /// New weights of the vertices of --vertex, as JOINT=WEIGHT separated by commas. The other joints of each vertex
    /// share the remaining weight. Vertices at the same position get the same weights
    #[arg(long, value_name = "JOINT=WEIGHT", value_delimiter = ',', value_parser = weight, requires_all = ["vertex", "output"])]
    set: Vec<(String, f32)>,
    /// Joints whose weights --set does not change, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',', requires = "set")]
    lock: Vec<String>,
    /// The output file of --set: .glb, .gltf or .vrm; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", requires = "set", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: Option<PathBuf>,
    /// Print the weights as JSON
    #[arg(long)]
    json: bool,
}

fn weight(text: &str) -> Result<(String, f32), String> {
    let wrong =
        || "a weight is JOINT=WEIGHT with a number from 0 to 1, like left_hand=0.7".to_owned();
    let (joint, weight) = text.rsplit_once('=').ok_or_else(wrong)?;
    let weight: f32 = weight.trim().parse().map_err(|_| wrong())?;
    if (0.0..=1.0).contains(&weight) && !joint.is_empty() {
        Ok((joint.to_owned(), weight))
    } else {
        Err(wrong())
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    mesh: &'a str,
    vertices: usize,
    joints: Vec<JointRow<'a>>,
    rows: Vec<VertexRow<'a>>,
    /// Number of changed vertices, including vertices at the same positions.
    set: usize,
}

#[derive(Serialize)]
struct JointRow<'a> {
    name: &'a str,
    vertices: usize,
    weight: f64,
}

#[derive(Serialize)]
struct VertexRow<'a> {
    vertex: usize,
    position: [f32; 3],
    weights: Vec<WeightOf<'a>>,
}

#[derive(Serialize)]
struct WeightOf<'a> {
    joint: &'a str,
    weight: f32,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(output) = &arguments.output {
        if files::is_standard(output) && arguments.json {
            return Err(wrong(
                "the file and --json cannot both go to standard output",
            ));
        }
        outputs::check(output)?;
    }
    let mut import = files::load(&arguments.input)?;
    let name = || files::name(&arguments.input);
    let mesh = find_mesh(&import.character, &arguments.mesh).with_context(name)?;
    let skin = skin_of(&import.character, mesh).with_context(name)?;
    let set = set(arguments, &mut import.character, mesh, &skin).with_context(name)?;
    let document = document(arguments, &import.character, mesh, &skin, set).with_context(name)?;
    let writes_to_standard = arguments.output.as_deref().is_some_and(files::is_standard);
    if !writes_to_standard {
        let text = if arguments.json {
            serde_json::to_string_pretty(&document)? + "\n"
        } else {
            text(&document)?
        };
        outputs::print(&text)?;
    }
    if let Some(output) = &arguments.output {
        let what = format!("the weights of {} set", counted(set, "vertex"));
        outputs::character(output, &what, &import.character, import.source.as_ref())?;
    }
    Ok(())
}

fn find_mesh(character: &Character, wanted: &str) -> Result<usize> {
    let names = || character.meshes.iter().map(|mesh| mesh.name.as_str());
    if let Some(mesh) = names().position(|name| name == wanted) {
        return Ok(mesh);
    }
    let number = wanted.parse().ok();
    if let Some(mesh) = number.filter(|&mesh: &usize| mesh < character.meshes.len()) {
        return Ok(mesh);
    }
    if character.meshes.is_empty() {
        bail!("the file has no mesh");
    }
    let there = names().enumerate();
    let there: Vec<_> = there.map(|(n, name)| format!("\"{name}\" ({n})")).collect();
    let there = files::listed(&there, "and");
    bail!("there is no mesh \"{wanted}\"; available: {there}")
}

fn skin_of(character: &Character, mesh: usize) -> Result<Skin> {
    let mut nodes = character
        .nodes
        .iter()
        .filter(|node| node.mesh == Some(mesh));
    let skin = nodes.find_map(|node| node.skin);
    let skin = skin.and_then(|skin| character.skins.get(skin));
    let name = &character.meshes[mesh].name;
    let skin = skin.ok_or_else(|| anyhow!("mesh \"{name}\" has no skin; `sinew bind` adds one"))?;
    Ok(skin.clone())
}

fn set(
    arguments: &Arguments,
    character: &mut Character,
    mesh: usize,
    skin: &Skin,
) -> Result<usize> {
    if arguments.set.is_empty() {
        return Ok(0);
    }
    let names: Vec<&str> = skin
        .joints
        .iter()
        .map(|&j| character.skeleton.name(j))
        .collect();
    let find = |wanted: &String| {
        let found = names.iter().position(|name| name == wanted);
        found.ok_or_else(|| files::no_joint(wanted, " in the skin", names.iter().copied()))
    };
    let weights = arguments
        .set
        .iter()
        .map(|(joint, weight)| Ok((find(joint)?, *weight)));
    let weights: Vec<(usize, f32)> = weights.collect::<Result<_>>()?;
    let locked: Vec<usize> = arguments.lock.iter().map(find).collect::<Result<_>>()?;
    check_vertices(arguments, character, mesh)?;
    let (mut first, mut count) = (0, 0);
    for primitive in &mut character.meshes[mesh].primitives {
        let vertices = primitive.positions.len();
        let here = arguments.vertex.iter().filter_map(|v| v.checked_sub(first));
        let here: Vec<usize> = here.filter(|&v| v < vertices).collect();
        first += vertices;
        let Some(influences) = primitive.influences.as_ref().filter(|_| !here.is_empty()) else {
            continue;
        };
        let weld = Weld::by_position(&primitive.positions);
        let wanted: Vec<usize> = here.iter().map(|&vertex| weld.first(vertex)).collect();
        let alike: Vec<usize> = (0..vertices)
            .filter(|&vertex| wanted.contains(&weld.first(vertex)))
            .collect();
        let adjusted = Adjust::new(influences, skin.joints.len()).lock(locked.iter().copied());
        let adjusted = adjusted.set(&alike, &weights)?.finish()?;
        primitive.influences = Some(Arc::new(adjusted));
        count += alike.len();
    }
    match count {
        0 => bail!("these vertices have no weights; `sinew bind` computes them"),
        count => Ok(count),
    }
}

fn check_vertices(arguments: &Arguments, character: &Character, mesh: usize) -> Result<()> {
    let mesh = &character.meshes[mesh];
    let vertices: usize = mesh.primitives.iter().map(|p| p.positions.len()).sum();
    match arguments.vertex.iter().find(|&&vertex| vertex >= vertices) {
        Some(vertex) => bail!(
            "there is no vertex {vertex}: mesh \"{}\" has {vertices} vertices, numbered from 0",
            mesh.name
        ),
        None => Ok(()),
    }
}

fn document<'a>(
    arguments: &Arguments,
    character: &'a Character,
    mesh: usize,
    skin: &Skin,
    set: usize,
) -> Result<Document<'a>> {
    check_vertices(arguments, character, mesh)?;
    let name = |joint: usize| match skin.joints.get(joint) {
        Some(&joint) => character.skeleton.name(joint),
        None => "?",
    };
    let mut sums = vec![(0_usize, 0.0_f64); skin.joints.len()];
    let mut rows = Vec::new();
    let mut first = 0;
    for primitive in &character.meshes[mesh].primitives {
        let influences: Option<&Influences> = primitive.influences.as_deref();
        for (vertex, position) in primitive.positions.iter().enumerate() {
            let row = influences.map(|influences| influences.get(vertex));
            let weights: Vec<(usize, f32)> = row.into_iter().flatten().collect();
            for &(joint, weight) in weights.iter().filter(|w| w.1 > 0.0) {
                if let Some(sum) = sums.get_mut(joint) {
                    *sum = (sum.0 + 1, sum.1 + f64::from(weight));
                }
            }
            if arguments.vertex.contains(&(first + vertex)) {
                let weights = weights.into_iter().map(|(joint, weight)| WeightOf {
                    joint: name(joint),
                    weight,
                });
                rows.push(VertexRow {
                    vertex: first + vertex,
                    position: position.to_array(),
                    weights: weights.collect(),
                });
            }
        }
        first += primitive.positions.len();
    }
    let joints = sums.into_iter().enumerate().map(|(joint, sum)| JointRow {
        name: name(joint),
        vertices: sum.0,
        weight: sum.1,
    });
    Ok(Document {
        format: "sinew-weights/1",
        mesh: &character.meshes[mesh].name,
        vertices: first,
        joints: joints.collect(),
        rows,
        set,
    })
}

fn text(document: &Document<'_>) -> Result<String> {
    let mut text = String::new();
    for row in &document.rows {
        let [x, y, z] = row.position;
        writeln!(text, "vertex {} at {x:.4} {y:.4} {z:.4}", row.vertex)?;
        for WeightOf { joint, weight } in &row.weights {
            writeln!(text, "  {weight:.4} {}", files::one_line(joint))?;
        }
        if row.weights.is_empty() {
            writeln!(text, "  no weights")?;
        }
    }
    if document.rows.is_empty() {
        writeln!(
            text,
            "mesh \"{}\": {}",
            files::one_line(document.mesh),
            counted(document.vertices, "vertex")
        )?;
        for joint in &document.joints {
            let name = files::one_line(joint.name);
            let vertices = counted(joint.vertices, "vertex");
            writeln!(
                text,
                "  {name}: {vertices}, total weight {:.1}",
                joint.weight
            )?;
        }
    }
    Ok(text)
}
