//! OBJ export: references and orientation.

use glam::Vec3;
use sinew::mesh::{Mesh, Primitive, Topology, shapes};
use sinew::{Affine, Character, Joint, Method, Node, Skeleton, Transform, deform};
use sinew_io::write_obj;
use std::sync::Arc;

fn carried(primitive: Primitive, parent_from_node: Affine) -> Character {
    let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)]).unwrap();
    let mut character = Character::from_skeleton(skeleton);
    character.meshes.push(Mesh {
        name: "a mesh".to_owned(),
        primitives: vec![primitive],
        ..Mesh::default()
    });
    character.nodes[0].joint = None;
    character.nodes[0] = Node {
        mesh: Some(0),
        parent_from_node,
        ..character.nodes[0].clone()
    };
    character
}

fn text(character: &Character) -> String {
    let deformed = deform(character, None, 0.0, Method::Linear).unwrap();
    let mut out = Vec::new();
    write_obj(character, &deformed, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn lines<'t>(text: &'t str, kind: &'t str) -> Vec<&'t str> {
    text.lines()
        .filter(|l| l.split(' ').next() == Some(kind))
        .collect()
}

#[test]
fn a_line_to_nowhere_does_not_shift_those_after_it() {
    let text = text(&carried(
        Primitive {
            positions: Arc::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]),
            indices: Some(Arc::new(vec![0, 9, 1, 2, 2, 3])),
            topology: Topology::Lines,
            ..Primitive::default()
        },
        Affine::IDENTITY,
    ));
    assert_eq!(lines(&text, "l"), ["l 2 3", "l 3 4"]);
    assert_eq!(lines(&text, "o"), ["o a_mesh.0.0"]);
}

#[test]
fn a_mirrored_mesh_is_reversed() {
    let mut mirror = Affine::IDENTITY;
    let cube = shapes::cuboid(Vec3::ONE);
    let plain = text(&carried(cube.clone(), mirror));
    mirror.rows[0][0] = -1.0;
    let mirrored = text(&carried(cube, mirror));
    assert_eq!(lines(&plain, "f")[0], "f 1//1 2//2 3//3");
    assert_eq!(lines(&mirrored, "f")[0], "f 1//1 3//3 2//2");
    assert_eq!(lines(&plain, "vn").len(), 24);
}
