//! FBX import: meshes, blend shapes, materials, textures and lights. All files are made by code.

use crate::khronos::empty_folder;
use crate::made_fbx::{Curve, Fbx, LAYER, MESH, ROOT, STRIP, Y_UP, array, properties, vectors_of};
use glam::{Vec2, Vec3, Vec4};
use sinew::character::{Alpha, LightKind};
use sinew::{Material, Method, deform};
use sinew_io::fbx::{FbxImport, import_bytes};
use sinew_io::report::Severity;

fn read(fbx: &Fbx) -> FbxImport {
    let read = import_bytes(&fbx.bytes()).expect("the file is whole");
    read.character.check().expect("a character is consistent");
    read
}

/// Metres and y up, so that numbers stay unchanged.
fn metres() -> Fbx {
    let mut fbx = Fbx::new(Y_UP);
    fbx.unit = 100.0;
    fbx
}

const SQUARE: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];

fn square(layers: &str) -> Fbx {
    square_at(layers, &[])
}

fn square_at(layers: &str, transform: &[(&str, [f64; 3])]) -> Fbx {
    let mut fbx = metres();
    fbx.mesh(MESH, &SQUARE, &[&[0, 1, 2, 3]], layers)
        .node(STRIP, "square", "Mesh", transform);
    fbx.connect(MESH, STRIP).connect(STRIP, 0);
    fbx
}

fn codes(import: &FbxImport) -> Vec<&'static str> {
    import
        .report
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn polygons_become_triangles_of_the_same_area() {
    let mut fbx = metres();
    let points = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [1.0, 0.5, 0.0],
        [0.0, 2.0, 0.0],
    ];
    fbx.mesh(MESH, &points, &[&[0, 1, 2, 3, 4]], "")
        .node(STRIP, "pentagon", "Mesh", &[]);
    fbx.connect(MESH, STRIP).connect(STRIP, 0);
    let import = read(&fbx);
    let primitive = &import.character.meshes[0].primitives[0];
    assert_eq!((primitive.triangles().count(), primitive.len()), (3, 5));
    let twice = |t: [usize; 3]| {
        let [a, b, c] = t.map(|v| primitive.positions[v]);
        (b - a).cross(c - a).z
    };
    let areas: Vec<f32> = primitive.triangles().map(twice).collect();
    assert!(areas.iter().all(|area| *area > 0.0), "{areas:?}");
    assert!((areas.iter().sum::<f32>() - 5.0).abs() < 1e-5, "{areas:?}");
    let normals = primitive.normals.as_ref().expect("they are made");
    assert!(normals.iter().all(|n| n.distance(Vec3::Z) < 1e-6));
}

#[test]
fn texture_coordinates_grow_downward_and_colours_are_kept() {
    let uv =
        array("UV", &[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]) + &array("UVIndex", &[0, 1, 2, 3]);
    let colors: Vec<f64> = (0..4)
        .flat_map(|c| [f64::from(c) / 4.0, 0.5, 0.25, 1.0])
        .collect();
    let layers = format!(
        "LayerElementUV: 0 {{\nVersion: 101\nName: \"map1\"\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"IndexToDirect\"\n{uv}}}\n\
         LayerElementColor: 0 {{\nVersion: 101\nName: \"colors\"\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"Direct\"\n{}}}\n",
        array("Colors", &colors)
    );
    let import = read(&square(&layers));
    let primitive = &import.character.meshes[0].primitives[0];
    for (vertex, position) in primitive.positions.iter().enumerate() {
        let uv = primitive.texcoords[0][vertex];
        assert!(
            uv.distance(Vec2::new(position.x, 1.0 - position.y)) < 1e-6,
            "{uv} at {position}"
        );
    }
    let reds: Vec<f32> = primitive.colors[0].iter().map(|color| color.x).collect();
    assert_eq!(reds, [0.0, 0.25, 0.5, 0.75]);
    assert!(
        primitive.colors[0]
            .iter()
            .all(|c| *c == Vec4::new(c.x, 0.5, 0.25, 1.0))
    );
}

#[test]
fn every_material_has_a_primitive_and_an_instance_may_have_others() {
    let mut fbx = metres();
    let layer = format!(
        "LayerElementMaterial: 0 {{\nVersion: 101\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: \"IndexToDirect\"\n{}}}\n",
        array("Materials", &[0, 1])
    );
    let points = [SQUARE.as_slice(), &[[2.0, 0.0, 0.0], [2.0, 1.0, 0.0]]].concat();
    fbx.mesh(MESH, &points, &[&[0, 1, 2, 3], &[1, 4, 5, 2]], &layer);
    fbx.node(STRIP, "one", "Mesh", &[]).node(
        ROOT,
        "two",
        "Mesh",
        &[("Lcl Translation", [0.0, 5.0, 0.0])],
    );
    for (id, name) in [(30, "red"), (31, "green"), (32, "blue")] {
        fbx.object("Material", id, name, "", "ShadingModel: \"lambert\"");
    }
    fbx.connect(MESH, STRIP)
        .connect(MESH, ROOT)
        .connect(STRIP, 0)
        .connect(ROOT, 0);
    fbx.connect(30, STRIP)
        .connect(31, STRIP)
        .connect(32, ROOT)
        .connect(31, ROOT);
    let import = read(&fbx);
    let character = &import.character;
    let named = |node: &str| {
        let node = character
            .nodes
            .iter()
            .find(|n| n.name == node)
            .expect("it is kept");
        let mesh = &character.meshes[node.mesh.expect("it carries a mesh")];
        let names = mesh.primitives.iter().map(|primitive| {
            let material = primitive.material.expect("it has a look");
            character.materials[material].name.clone()
        });
        names.collect::<Vec<_>>()
    };
    assert_eq!(named("one"), ["red", "green"]);
    assert_eq!(named("two"), ["blue", "green"]);
    let first = |mesh: usize| &character.meshes[mesh].primitives[0].positions;
    assert!(std::sync::Arc::ptr_eq(first(0), first(1)));
}

/// A square with a channel. It rises by 1 at half the weight and by 4 at the full weight.
fn morphing(transform: &[(&str, [f64; 3])]) -> Fbx {
    let mut fbx = square_at("", transform);
    let shape = |height: f64| {
        let offsets: Vec<f64> = (0..4).flat_map(|_| [0.0, 0.0, height]).collect();
        array("Indexes", &[0, 1, 2, 3]) + &array("Vertices", &offsets)
    };
    fbx.object("Geometry", 60, "low", "Shape", &shape(1.0));
    fbx.object("Geometry", 61, "high", "Shape", &shape(4.0));
    fbx.object("Deformer", 62, "blend", "BlendShape", "Version: 100");
    let inside = format!(
        "Version: 100\nDeformPercent: 0\n{}",
        array("FullWeights", &[50.0, 100.0])
    );
    fbx.object(
        "BlendShapeChannel",
        63,
        "lift",
        "BlendShapeChannel",
        &inside,
    );
    fbx.connect(60, 63)
        .connect(61, 63)
        .connect(63, 62)
        .connect(62, MESH);
    fbx.take(40, "lift", [0.0, 1.0]);
    let curve = Curve {
        secs: &[0.0, 1.0],
        values: &[0.0, 100.0],
        flags: &[4, 4],
        past: "",
    };
    fbx.curve(42, LAYER, (63, "DeformPercent"), "DeformPercent", &curve);
    fbx
}

#[test]
fn shapes_between_others_are_passed_through() {
    let import = read(&morphing(&[]));
    assert_eq!(import.character.meshes[0].morph_names, ["low", "high"]);
    for (secs, wanted) in [
        (0.0, 0.0),
        (0.25, 0.5),
        (0.5, 1.0),
        (0.75, 2.5),
        (1.0, 4.0),
        (0.49, 0.98),
        (0.51, 1.06),
    ] {
        let moved = deform(&import.character, Some(0), secs, Method::Linear).expect("it moves");
        let height = moved.primitives[0].positions[0].z;
        assert!(
            (height - wanted).abs() < 1e-3,
            "{height} at {secs}, not {wanted}"
        );
    }
}

#[test]
fn shapes_rotate_and_grow_with_the_geometry_that_they_change() {
    for (transform, wanted) in [
        (("GeometricRotation", [90.0, 0.0, 0.0]), [0.0, -4.0, 0.0]),
        (("GeometricScaling", [1.0, 1.0, 0.5]), [0.0, 0.0, 2.0]),
        (("GeometricTranslation", [1.0, 2.0, 3.0]), [0.0, 0.0, 4.0]),
    ] {
        let import = read(&morphing(&[transform]));
        let at = |secs| {
            let moved = deform(&import.character, Some(0), secs, Method::Linear);
            moved.expect("it moves").primitives[0].positions[0]
        };
        let moved = at(1.0) - at(0.0);
        assert!(
            moved.distance(Vec3::from(wanted)) < 1e-4,
            "{transform:?}: {moved}"
        );
    }
}

fn material(inside: &str) -> (Material, FbxImport) {
    let mut fbx = square("");
    fbx.object("Material", 30, "look", "", inside)
        .connect(30, STRIP);
    let import = read(&fbx);
    (import.character.materials[0].clone(), import)
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-5
}

#[test]
fn older_materials_become_metal_and_roughness() {
    let lambert = format!(
        "ShadingModel: \"lambert\"\n{}",
        properties(
            &(vectors_of(&[
                ("DiffuseColor", [0.5, 0.25, 1.0]),
                ("EmissiveColor", [0.1, 0.2, 0.3])
            ]) + "P: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.8\nP: \"EmissiveFactor\", \"Number\", \"\", \"A\",2\n")
        )
    );
    let (look, _) = material(&lambert);
    assert_eq!(look.name, "look");
    for (found, wanted) in look.base_color.iter().zip([0.4, 0.2, 0.8, 1.0]) {
        assert!(near(*found, wanted), "{:?}", look.base_color);
    }
    assert!(near(look.roughness, 1.0) && near(look.metallic, 0.0));
    assert!(near(look.emissive[2], 0.3) && near(look.emissive_strength, 2.0));
    assert_eq!(look.alpha, Alpha::Opaque);

    let phong = format!(
        "ShadingModel: \"phong\"\n{}",
        properties(
            &(vectors_of(&[("TransparentColor", [1.0, 1.0, 1.0])])
                + "P: \"ShininessExponent\", \"Number\", \"\", \"A\",25\nP: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n")
        )
    );
    let (look, _) = material(&phong);
    // 1 - √25 / 10.
    assert!(near(look.roughness, 0.5), "{}", look.roughness);
    assert!(near(look.base_color[3], 0.75) && look.alpha == Alpha::Blend);
}

#[test]
fn physical_materials_keep_their_parameters() {
    // Metalness and roughness of 3ds Max, which is recognised by its class id.
    let number = |name: &str, value: f64| {
        format!("P: \"3dsMax|main|{name}\", \"Float\", \"\", \"A\",{value}\n")
    };
    let inside = [
        "P: \"3dsMax|ClassIDa\", \"int\", \"Integer\", \"\",-804315648\n".to_owned(),
        "P: \"3dsMax|ClassIDb\", \"int\", \"Integer\", \"\",-1099438848\n".to_owned(),
        vectors_of(&[("3dsMax|main|base_color", [0.4, 0.6, 0.8])]),
        number("metalness", 0.75),
        number("roughness", 0.3),
    ];
    let (look, _) = material(&format!(
        "ShadingModel: \"unknown\"\n{}",
        properties(&inside.concat())
    ));
    assert!(
        near(look.base_color[0], 0.4) && near(look.base_color[2], 0.8),
        "{look:?}"
    );
    assert!(
        near(look.metallic, 0.75) && near(look.roughness, 0.3),
        "{look:?}"
    );
}

fn png() -> Vec<u8> {
    let text = "89504e470d0a1a0a0000000d4948445200000001000000010806000000\
                1f15c4890000000d49444154789c6360f8ffff3f0005fe02fea7356d2b0000000049454e44ae426082";
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).expect("digits are text");
        u8::from_str_radix(text, 16).expect("two digits")
    };
    digits.chunks(2).map(byte).collect()
}

fn textured(file: &str) -> Fbx {
    let mut fbx = square("");
    fbx.object("Material", 30, "look", "", "ShadingModel: \"lambert\"")
        .connect(30, STRIP);
    let inside = format!("FileName: \"C:\\\\elsewhere\\\\{file}\"\nRelativeFilename: \"{file}\"\n");
    fbx.object("Texture", 70, "picture", "", &inside)
        .connect_to(70, 30, "DiffuseColor");
    fbx
}

#[test]
fn pictures_beside_the_file_are_read_and_none_outside_its_folder() {
    let folder = empty_folder("fbx_textures");
    let inside = folder.join("inside");
    std::fs::create_dir_all(inside.join("maps")).expect("a folder can be made");
    std::fs::create_dir_all(inside.join("a.fbm")).expect("a folder can be made");
    for name in [
        "secret.png",
        "inside/beside.png",
        "inside/maps/deeper.png",
        "inside/a.fbm/unpacked.png",
    ] {
        std::fs::write(folder.join(name), png()).expect("it can be written");
    }
    std::fs::write(inside.join("odd.png"), b"no picture").expect("it can be written");
    let read = |name: &str| {
        let path = inside.join("a.fbx");
        std::fs::write(&path, textured(name).bytes()).expect("it can be written");
        sinew_io::import(&path).expect("the file is whole")
    };
    for name in [
        "beside.png",
        "maps/deeper.png",
        "maps\\deeper.png",
        "D:\\work\\beside.png",
        "x/unpacked.png",
    ] {
        let import = read(name);
        let image = import.character.images.first().expect(name);
        assert_eq!(
            (image.mime_type.as_str(), &*image.bytes),
            ("image/png", &png())
        );
        let look = &import.character.materials[0];
        assert!(look.base_color_texture.is_some() && look.base_color[..3] == [1.0; 3]);
    }
    for name in ["../secret.png", "..\\secret.png", "missing.png", "odd.png"] {
        let import = read(name);
        assert!(import.character.images.is_empty(), "{name}");
        let reported = import.report.findings.iter().map(|finding| finding.code);
        assert!(
            reported
                .clone()
                .any(|code| code == "IO_ERROR" || code == "NOT_DRAWN"),
            "{name}"
        );
    }
}

#[test]
fn pictures_inside_the_file_are_read() {
    let mut fbx = textured("any.png");
    let text = base64(&png());
    let inside = format!(
        "Type: \"Clip\"\nFileName: \"any.png\"\nRelativeFilename: \"any.png\"\nContent: ,\n\"{text}\"\n"
    );
    fbx.object("Video", 71, "picture", "Clip", &inside)
        .connect(71, 70);
    let import = read(&fbx);
    assert_eq!(*import.character.images[0].bytes, png());
    assert_eq!(import.character.images[0].name, "any");
}

/// An image with an unknown chunk of `bytes` bytes.
fn long_png(bytes: u32) -> Vec<u8> {
    let mut picture = png();
    let mut chunk = bytes.to_be_bytes().to_vec();
    chunk.extend(b"fiLl");
    chunk.resize(chunk.len() + bytes as usize + 4, 0);
    // After the signature of 8 bytes and the first chunk.
    picture.splice(33..33, chunk);
    picture
}

/// Textures with different names share one file object. Each texture would copy the image.
#[test]
fn pictures_beyond_what_a_file_may_take_are_left_out_and_reported() {
    const PICTURES: i64 = 700;
    let mut fbx = square("");
    let picture = long_png(100_000);
    let inside = format!(
        "Type: \"Clip\"\nFileName: \"any.png\"\nRelativeFilename: \"any.png\"\nContent: ,\n\"{}\"\n",
        base64(&picture)
    );
    fbx.object("Video", 71, "picture", "Clip", &inside);
    for id in 1000..1000 + PICTURES {
        let inside = format!("FileName: \"{id}.png\"\nRelativeFilename: \"{id}.png\"\n");
        fbx.object("Texture", id, &format!("t{id}"), "", &inside)
            .connect(71, id);
        fbx.object("Material", 2 * id, "look", "", "ShadingModel: \"lambert\"")
            .connect(2 * id, STRIP)
            .connect_to(id, 2 * id, "DiffuseColor");
    }
    let import = read(&fbx);
    let reported = import.report.findings.iter();
    let left_out = reported.filter(|finding| finding.code == "MEMORY_LIMIT");
    let first = left_out.clone().next().expect("some are too many");
    assert!(first.pointer.starts_with("texture `t1"), "{first}");
    assert!(first.to_string().contains("left out"), "{first}");
    let images = &import.character.images;
    let taken: usize = images.iter().map(|image| image.bytes.len()).sum();
    let max = (16 << 20) + 128 * fbx.bytes().len();
    assert!(taken <= max && taken > max - max / 4, "{taken} of {max}");
    assert!(images.iter().all(|image| *image.bytes == picture));
    let with = import.character.materials.iter();
    let with = with.filter(|material| material.base_color_texture.is_some());
    assert_eq!(with.count(), images.len());
    assert_eq!(
        import.report.count(Severity::Ignored),
        PICTURES as u64 - images.len() as u64
    );
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |number: usize| u32::from(three.get(number).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for number in 0..4 {
            let letter = letters[(bits >> (18 - 6 * number) & 63) as usize];
            text.push(if number <= three.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[test]
fn lights_shine_along_their_nodes_z() {
    let mut fbx = metres();
    fbx.node(ROOT, "lamp", "Light", &[]);
    let inside = "P: \"LightType\", \"enum\", \"\", \"\",2\nP: \"Intensity\", \"Number\", \"\", \"A\",200\n\
                  P: \"InnerAngle\", \"Number\", \"\", \"A\",20\nP: \"OuterAngle\", \"Number\", \"\", \"A\",60\n";
    fbx.object("NodeAttribute", 15, "spot", "Light", &properties(inside));
    fbx.connect(15, ROOT).connect(ROOT, 0);
    let import = read(&fbx);
    let character = &import.character;
    let node = character
        .nodes
        .iter()
        .find(|node| node.light.is_some())
        .expect("it shines");
    let light = &character.lights[node.light.expect("it has one")];
    let LightKind::Spot {
        inner_rad,
        outer_rad,
        ..
    } = light.kind
    else {
        panic!("{light:?}");
    };
    assert!(near(inner_rad, 10_f32.to_radians()) && near(outer_rad, 30_f32.to_radians()));
    assert!(
        near(light.intensity, 2.0 * std::f32::consts::PI),
        "{}",
        light.intensity
    );
    let down = node.parent_from_node.transform_vector(-Vec3::Z);
    assert!(down.distance(-Vec3::Y) < 1e-5, "{down}");
}

#[test]
fn what_cannot_be_stored_is_reported() {
    let mut fbx = square("");
    fbx.node(ROOT, "eye", "Camera", &[])
        .object("NodeAttribute", 15, "eye", "Camera", "");
    fbx.connect(15, ROOT).connect(ROOT, 0);
    assert!(codes(&read(&fbx)).contains(&"FBX_CAMERA"));
}
