use crate::files;
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::measure::measure;
use sinew::mesh::{Primitive, volume};
use sinew::{Character, Method, deform};
use sinew_samples::Grove;
use std::fmt::Write;

/// Volume of the tube at a time, with each method.
#[derive(Serialize)]
pub struct Moment {
    figure: &'static str,
    clip: &'static str,
    pub angle_deg: f64,
    time_secs: f64,
    rigid: f64,
    pub lbs: f64,
    pub dqs: f64,
}

/// Narrowest ring around the twisted shoulder, relative to its width at rest.
#[derive(Serialize)]
pub struct Shoulder {
    weights: &'static str,
    time_secs: f64,
    rigid: f64,
    lbs: f64,
    dqs: f64,
}

/// A row of table 1 of Xu et al.: our numbers and the published numbers.
#[derive(Serialize)]
pub struct Row {
    object: &'static str,
    vertices: usize,
    faces: usize,
    published_vertices: usize,
    published_faces: usize,
}

pub fn moments(tube: &Character) -> Result<Vec<Moment>> {
    let mut moments = Vec::new();
    for (clip, full_angle) in [("twist", 180.0), ("bend", 120.0)] {
        for angle in [45.0, 90.0, 120.0, 170.0] {
            if angle <= full_angle {
                moments.push(moment(tube, clip, angle, full_angle)?);
            }
        }
    }
    Ok(moments)
}

/// Measures a clip that rotates to the angle `full`, at the time of the angle `angle`.
fn moment(tube: &Character, clip: &'static str, angle: f64, full: f64) -> Result<Moment> {
    let index = files::find_clip(tube, clip)?;
    let time_secs = f64::from(tube.clips[index].duration_secs) * angle / full;
    let rest = volume_at(tube, None, 0.0, Method::Linear)?;
    let at =
        |method| Ok::<_, anyhow::Error>(volume_at(tube, Some(index), time_secs, method)? / rest);
    Ok(Moment {
        figure: "tube",
        clip,
        angle_deg: angle,
        time_secs,
        rigid: at(Method::Rigid)?,
        lbs: at(Method::Linear)?,
        dqs: at(Method::DualQuat)?,
    })
}

fn volume_at(character: &Character, clip: Option<usize>, time: f64, method: Method) -> Result<f64> {
    let moment = deform(character, clip, time, method)?;
    let parts = moment.primitives.iter().map(|part| {
        let primitive = &character.meshes[part.mesh].primitives[part.primitive];
        volume(&part.positions, primitive.triangles())
    });
    Ok(parts.sum())
}

/// Measures the shoulder at its max twist, at a quarter of the clip.
pub fn shoulder(person: &Character, weights: &'static str) -> Result<Shoulder> {
    let clip = files::find_clip(person, "shoulder twist")?;
    let time_secs = f64::from(person.clips[clip].duration_secs) / 4.0;
    let methods = [Method::Rigid, Method::Linear, Method::DualQuat];
    let found = measure(person, Some(clip), &[time_secs], &methods)?;
    let joint = person.skeleton.find("left_upper_arm");
    let at = |method: usize| {
        let mut sections = found.methods[method].sections.iter();
        let section = sections.find(|section| Some(section.joint) == joint);
        let section = section.context("the shoulder has no ring around it")?;
        Ok::<f64, anyhow::Error>(section.narrowest.value)
    };
    Ok(Shoulder {
        weights,
        time_secs,
        rigid: at(0)?,
        lbs: at(1)?,
        dqs: at(2)?,
    })
}

/// Vertices and faces of the figure, the grove, the sword and the total.
pub fn table(person: &Character) -> Vec<Row> {
    let count = |mesh: usize| {
        let primitives = &person.meshes[mesh].primitives;
        primitives
            .iter()
            .fold([0, 0], |[vertices, faces], p: &Primitive| {
                [vertices + p.len(), faces + p.triangles().count()]
            })
    };
    let row = |object, [vertices, faces]: [usize; 2], published: [usize; 2]| Row {
        object,
        vertices,
        faces,
        published_vertices: published[0],
        published_faces: published[1],
    };
    let (body, sword, scene) = (count(0), count(1), Grove::new().drawn());
    let total = [0, 1].map(|k| body[k] + scene[k] + sword[k]);
    vec![
        row("character", body, [5138, 7355]),
        row("scene", scene, [13483, 10521]),
        row("sword", sword, [83, 161]),
        // Published as 17,876 faces, without the sword.
        row("total", total, [18704, 18037]),
    ]
}

pub fn describe(
    person: &Character,
    tube: &Character,
    moments: &[Moment],
    table: &[Row],
    out: &mut String,
) -> std::fmt::Result {
    let skeleton = &person.skeleton;
    let clips = person.clips.iter().map(|c| format!("\"{}\"", c.name));
    writeln!(
        out,
        "mannequin  {} joints, {} degrees of freedom, {} vertices, clips {}",
        skeleton.len(),
        skeleton.degrees_of_freedom(),
        vertices(person),
        clips.collect::<Vec<_>>().join(", ")
    )?;
    writeln!(
        out,
        "tube       {} joints, {} vertices, clips \"twist\" and \"bend\"\n",
        tube.skeleton.len(),
        vertices(tube)
    )?;
    writeln!(
        out,
        "{:<34} {:>9} {:>7}   {:>9} {:>7}",
        "the scene, and table 1 of Xu et al.", "vertices", "faces", "vertices", "faces"
    )?;
    for row in table {
        writeln!(
            out,
            "{:<35} {:>9} {:>7}   {:>9} {:>7}",
            row.object, row.vertices, row.faces, row.published_vertices, row.published_faces
        )?;
    }
    writeln!(out, "\nvolume relative to rest:\n")?;
    header(out)?;
    for m in moments {
        let what = format!("{} {} {:.0}°", m.figure, m.clip, m.angle_deg);
        line(out, &what, [m.rigid, m.lbs, m.dqs])?;
    }
    Ok(())
}

pub fn describe_shoulder(shoulders: &[Shoulder], out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "\nnarrowest ring around the mannequin's twisted shoulder, relative to its radius at rest:\n"
    )?;
    header(out)?;
    for shoulder in shoulders {
        let what = format!("weights by {}", shoulder.weights);
        line(out, &what, [shoulder.rigid, shoulder.lbs, shoulder.dqs])?;
    }
    Ok(())
}

fn header(out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "{:<34} {:>7}   linear blend{:16}dual quaternion",
        "", "rigid", ""
    )
}

fn line(out: &mut String, what: &str, [rigid, lbs, dqs]: [f64; 3]) -> std::fmt::Result {
    let percent = |ratio: f64| format!("{:.1} %", 100.0 * ratio);
    let bar = |ratio: f64| "█".repeat((ratio * 20.0).round().clamp(0.0, 40.0) as usize);
    writeln!(
        out,
        "{what:<34} {:>7}   {:>7} {:<20} {:>7} {}",
        percent(rigid),
        percent(lbs),
        bar(lbs),
        percent(dqs),
        bar(dqs)
    )
}

fn vertices(character: &Character) -> usize {
    let primitives = character.meshes.iter().flat_map(|m| &m.primitives);
    primitives.map(|p| p.len()).sum()
}
