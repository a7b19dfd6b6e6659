//! Round trips of nodes with zero scale along some axes, for which glTF has no matrix.

use crate::hostile::Random;
use crate::made;
use glam::{Quat, Vec3};
use sinew::{Affine, Character, Joint, Skeleton, Transform};
use sinew_io::gltf::{ExportOptions, GltfImport, SourceDocument, export, import_bytes};

/// Exports and imports a character. Returns the new character with the finding codes.
fn again(
    character: &Character,
    source: Option<&SourceDocument>,
) -> (GltfImport, Vec<&'static str>) {
    let written = export(character, &ExportOptions::new().source(source)).unwrap();
    let reported = written.report.findings.iter().map(|f| f.code).collect();
    (
        import_bytes(&written.to_glb().unwrap(), None).unwrap(),
        reported,
    )
}

fn bits(character: &Character) -> Vec<[[u32; 4]; 3]> {
    let maps = character.nodes.iter().map(|node| node.parent_from_node);
    maps.map(|map| map.rows.map(|row| row.map(f32::to_bits)))
        .collect()
}

/// Maps with zero scale along every choice of axes, with many rotations.
fn flat_maps(shear: Option<f32>) -> Vec<Affine> {
    let mut random = Random(0x2545_f491);
    let mut number = || random.below(2_000_001) as f32 / 1e6 - 1.0;
    let mut maps = Vec::new();
    for round in 0..2100 {
        let gone = 1 + round % 7;
        let mut axis = |bit: usize| match gone & bit {
            0 => 3.0 * number(),
            _ => 0.0,
        };
        let scale = Vec3::new(axis(1), axis(2), axis(4));
        let rotation = Quat::from_xyzw(number(), number(), number(), number()).normalize();
        let translation = Vec3::new(number(), number(), number());
        let parts = Transform {
            translation,
            rotation,
            scale,
        };
        let map = parts.to_affine();
        maps.push(match shear {
            None => map,
            Some(by) => {
                let sheared =
                    Affine::from_axes(Vec3::X, Vec3::new(by, 1.0, 0.0), Vec3::Z, Vec3::ZERO);
                map * sheared
            }
        });
    }
    maps
}

fn with_nodes(maps: &[Affine]) -> Character {
    let mut character = made::skinned(2, 5, 1);
    character.nodes.extend(maps.iter().map(|map| sinew::Node {
        parent_from_node: *map,
        ..made::still("flat", None)
    }));
    character
}

#[test]
fn flat_nodes_are_written_read_and_written_alike() {
    for shear in [None, Some(0.4)] {
        // With shear, a map may be flat only up to rounding. Such a map becomes a matrix.
        let mut maps = flat_maps(shear);
        maps.retain(|map| map.determinant() == 0.0);
        assert!(maps.len() > 1500);
        let character = with_nodes(&maps);
        let (first, reported) = again(&character, None);
        assert!(
            reported.iter().all(|code| *code == "NODE_FLAT"),
            "{reported:?}"
        );
        let first_nodes = &first.character.nodes[3..];
        for (node, map) in first_nodes.iter().zip(&maps).filter(|_| shear.is_none()) {
            let [a, b] = [&node.parent_from_node, map].map(|map| map.rows.concat());
            let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f32::max) < 3e-5, "{map:?}");
        }
        let (second, reported) = again(&first.character, None);
        assert_eq!(reported, Vec::<&str>::new(), "nothing is lost any more");
        assert_eq!(bits(&second.character), bits(&first.character));
        assert_eq!(second.character, first.character);
        // With the source document, all bits stay.
        let (kept, reported) = again(&first.character, Some(&first.source));
        assert_eq!(reported, Vec::<&str>::new());
        assert_eq!(bits(&kept.character), bits(&first.character));
    }
}

#[test]
fn what_is_lost_of_a_flat_node_is_reported() {
    let flat = Affine::from_axes(Vec3::X, Vec3::X * 0.5 + Vec3::Y, Vec3::ZERO, Vec3::ONE);
    let written = export(&with_nodes(&[flat]), &ExportOptions::default()).unwrap();
    let reported = written.report.to_string();
    assert!(
        reported.contains("NODE_FLAT") && reported.contains("its shear was left out"),
        "{reported}"
    );
}

#[test]
fn flat_joints_that_nothing_uses_are_written_alike_by_every_export() {
    let mut maps = flat_maps(None);
    maps.retain(|map| map.determinant() == 0.0);
    let mut character = made::skinned(2, 5, 1);
    let skeleton = &character.skeleton;
    let mut joints: Vec<Joint> = (0..skeleton.len())
        .map(|j| {
            let parent = skeleton.hierarchy().parent(j);
            Joint::new(skeleton.name(j), parent, skeleton.rest().get(j))
        })
        .collect();
    for (index, map) in maps.iter().enumerate() {
        let (rest, _) = Transform::from_affine(map);
        character.nodes.push(sinew::Node {
            parent_from_node: rest.to_affine(),
            joint: Some(joints.len()),
            ..made::still("flat", None)
        });
        joints.push(Joint::new(format!("flat {index}"), Some(0), rest));
    }
    character.skeleton = Skeleton::new(joints).unwrap().0;
    let (first, _) = again(&character, None);
    let (second, _) = again(&first.character, None);
    assert_eq!(bits(&second.character), bits(&first.character));
    assert_eq!(second.character, first.character);
}
