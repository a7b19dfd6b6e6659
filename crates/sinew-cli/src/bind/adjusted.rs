use super::arguments::Arguments;
use crate::files;
use anyhow::Result;
use sinew::Character;
use sinew_rig::weights::{self, Adjust};
use std::sync::Arc;

pub(super) fn adjust(arguments: &Arguments, character: &mut Character, skin: usize) -> Result<()> {
    let joints = &character.skins[skin].joints;
    let names: Vec<&str> = joints.iter().map(|&j| character.skeleton.name(j)).collect();
    let find = |name: &String, what: &str| {
        let named = (0..names.len()).filter(|&joint| names[joint] == name);
        let named: Vec<usize> = named.collect();
        match named.is_empty() {
            false => Ok(named),
            true => Err(files::no_joint(name, what, names.iter().copied())),
        }
    };
    for name in &arguments.no_deform {
        find(name, " for --no-deform")?;
    }
    for name in &arguments.deform {
        find(name, " for --deform")?;
    }
    for name in arguments.radius.iter().filter_map(|r| r.0.as_ref()) {
        find(name, " for --radius")?;
    }
    let locked = arguments.lock.iter().map(|name| find(name, " to lock"));
    let locked = locked.collect::<Result<Vec<_>>>()?.concat();
    if arguments.smooth == 0 && !arguments.mirror && arguments.prune == 0.0 {
        return Ok(());
    }
    let opposite = weights::mirrored_joints(&names);
    let count = names.len();
    for mesh in &mut character.meshes {
        for primitive in &mut mesh.primitives {
            let Some(influences) = &primitive.influences else {
                continue;
            };
            if influences.max_joint().is_some_and(|joint| joint >= count) {
                continue;
            }
            let positions = &primitive.positions;
            let triangles: Vec<[u32; 3]> =
                primitive.triangles().map(|t| t.map(|v| v as u32)).collect();
            let mut adjusted = Adjust::new(influences, count).lock(locked.iter().copied());
            if arguments.smooth > 0 {
                adjusted = adjusted.smooth(positions, &triangles, usize::from(arguments.smooth));
            }
            if arguments.mirror {
                let size = positions
                    .iter()
                    .fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
                adjusted = adjusted.mirror(positions, 0.0, 1e-4 * size, |joint| opposite[joint]);
            }
            if arguments.prune > 0.0 {
                adjusted = adjusted.prune(arguments.prune);
            }
            // Smoothing adds joints of neighbouring vertices, so the influences are limited again.
            let adjusted = adjusted.finish()?;
            let adjusted =
                weights::keep_heaviest(&adjusted, usize::from(arguments.influences), count)?;
            primitive.influences = Some(Arc::new(adjusted));
        }
    }
    Ok(())
}
