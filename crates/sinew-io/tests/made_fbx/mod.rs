//! FBX files made by code, as text.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

use std::fmt::Write as _;

/// One second in the time unit of FBX.
pub const SECOND: i64 = 46_186_158_000;

/// A file under construction.
#[derive(Clone)]
pub struct Fbx {
    /// Centimetres per unit.
    pub unit: f64,
    /// `UpAxis`, `FrontAxis` and `CoordAxis`, each with its sign.
    pub axes: [i32; 6],
    pub objects: String,
    connections: String,
}

/// y up, as in most files.
pub const Y_UP: [i32; 6] = [1, 1, 2, 1, 0, 1];
/// z up, as in Blender and 3ds Max.
pub const Z_UP: [i32; 6] = [2, 1, 1, -1, 0, 1];
/// y up and left-handed.
pub const LEFT_HANDED: [i32; 6] = [1, 1, 2, -1, 0, 1];

impl Fbx {
    pub fn new(axes: [i32; 6]) -> Self {
        Self {
            unit: 1.0,
            axes,
            objects: String::new(),
            connections: String::new(),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let names = [
            "UpAxis",
            "UpAxisSign",
            "FrontAxis",
            "FrontAxisSign",
            "CoordAxis",
            "CoordAxisSign",
        ];
        let mut settings = String::new();
        for (name, value) in names.iter().zip(self.axes) {
            let _ = writeln!(
                settings,
                "P: \"{name}\", \"int\", \"Integer\", \"\",{value}"
            );
        }
        let unit = self.unit;
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\nCreator: \"made by code\"\n}}\n\
             GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{settings}\
             P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{unit}\n\
             P: \"TimeMode\", \"enum\", \"\", \"\",6\n}}\n}}\n\
             Objects:  {{\n{}}}\nConnections:  {{\n{}}}\n",
            self.objects, self.connections
        )
        .into_bytes()
    }

    /// Connects an object to another object. 0 is the scene.
    pub fn connect(&mut self, child: i64, parent: i64) -> &mut Self {
        let _ = writeln!(self.connections, "C: \"OO\",{child},{parent}");
        self
    }

    /// Connects an object to a property of another object.
    pub fn connect_to(&mut self, child: i64, parent: i64, property: &str) -> &mut Self {
        let _ = writeln!(
            self.connections,
            "C: \"OP\",{child},{parent}, \"{property}\""
        );
        self
    }

    pub fn object(
        &mut self,
        kind: &str,
        id: i64,
        name: &str,
        class: &str,
        inside: &str,
    ) -> &mut Self {
        let (prefix, kind) = match kind {
            "Cluster" => ("SubDeformer", "Deformer"),
            "BlendShapeChannel" => ("SubDeformer", "Deformer"),
            "AnimationStack" => ("AnimStack", kind),
            "AnimationLayer" => ("AnimLayer", kind),
            "AnimationCurveNode" => ("AnimCurveNode", kind),
            "AnimationCurve" => ("AnimCurve", kind),
            _ => (kind, kind),
        };
        let _ = writeln!(
            self.objects,
            "{kind}: {id}, \"{prefix}::{name}\", \"{class}\" {{\n{inside}\n}}"
        );
        self
    }

    /// Adds a node with properties such as `("Lcl Translation", [0, 0, 1])`.
    pub fn node(
        &mut self,
        id: i64,
        name: &str,
        class: &str,
        vectors: &[(&str, [f64; 3])],
    ) -> &mut Self {
        let inside = vectors_of(vectors);
        self.object("Model", id, name, class, &properties(&inside))
    }

    /// Adds a mesh with control points and polygons.
    pub fn mesh(
        &mut self,
        id: i64,
        points: &[[f64; 3]],
        polygons: &[&[i32]],
        layers: &str,
    ) -> &mut Self {
        let points: Vec<f64> = points.iter().flatten().copied().collect();
        let mut corners = Vec::new();
        for polygon in polygons {
            let (last, first) = polygon.split_last().expect("a polygon has corners");
            corners.extend_from_slice(first);
            corners.push(-1 - last);
        }
        let inside = format!(
            "{}{}GeometryVersion: 124\n{layers}",
            array("Vertices", &points),
            array("PolygonVertexIndex", &corners)
        );
        self.object("Geometry", id, "", "Mesh", &inside)
    }

    /// Adds a cluster: the weights of a node on control points.
    pub fn cluster(&mut self, id: i64, weights: &[(i32, f64)], link: [f64; 16]) -> &mut Self {
        let (points, weights): (Vec<i32>, Vec<f64>) = weights.iter().copied().unzip();
        let inside = format!(
            "Version: 100\n{}{}{}{}",
            array("Indexes", &points),
            array("Weights", &weights),
            array("Transform", &inverse_of_translation(link)),
            array("TransformLink", &link),
        );
        self.object("Cluster", id, "", "Cluster", &inside)
    }

    /// Adds a take with one layer.
    pub fn take(&mut self, stack: i64, name: &str, seconds: [f64; 2]) -> &mut Self {
        let ticks = |secs: f64| (secs * SECOND as f64) as i64;
        let [begin, end] = seconds.map(ticks);
        let inside = format!(
            "P: \"LocalStart\", \"KTime\", \"Time\", \"\",{begin}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{end}\n"
        );
        self.object("AnimationStack", stack, name, "", &properties(&inside));
        self.object("AnimationLayer", stack + 1, "layer", "", "");
        self.connect(stack + 1, stack)
    }

    /// Adds a curve for one axis of a property of an object.
    pub fn curve(
        &mut self,
        id: i64,
        layer: i64,
        target: (i64, &str),
        axis: &str,
        curve: &Curve<'_>,
    ) -> &mut Self {
        let (target, property) = target;
        let short = match property {
            "Lcl Translation" => "T",
            "Lcl Rotation" => "R",
            "Lcl Scaling" => "S",
            other => other,
        };
        let inside = format!("P: \"d|{axis}\", \"Number\", \"\", \"A\",0\n");
        self.object("AnimationCurveNode", id, short, "", &properties(&inside));
        self.connect(id, layer).connect_to(id, target, property);
        self.axis(id + 1, id, axis, curve)
    }

    /// Adds a curve for another axis of a property. `node` is the id of the first curve.
    pub fn axis(&mut self, id: i64, node: i64, axis: &str, curve: &Curve<'_>) -> &mut Self {
        let times: Vec<i64> = curve
            .secs
            .iter()
            .map(|s| (s * SECOND as f64).round() as i64)
            .collect();
        let ones = vec![1; curve.flags.len()];
        let slopes = vec![0.0; 4 * curve.flags.len()];
        let inside = format!(
            "Default: 0\nKeyVer: 4009\n{}{}{}{}{}{}",
            array("KeyTime", &times),
            array("KeyValueFloat", curve.values),
            array("KeyAttrFlags", curve.flags),
            array("KeyAttrDataFloat", &slopes),
            array("KeyAttrRefCount", &ones),
            curve.past,
        );
        self.object("AnimationCurve", id, "", "", &inside);
        self.connect_to(id, node, &format!("d|{axis}"))
    }
}

/// Keys of a curve.
pub struct Curve<'a> {
    pub secs: &'a [f64],
    pub values: &'a [f64],
    /// Interpolation per key: 4 is linear, 2 a step, 8 cubic with zero slopes.
    pub flags: &'a [i32],
    /// Extrapolation, as FBX text.
    pub past: &'a str,
}

/// A list of numbers in FBX syntax.
pub fn array<T: std::fmt::Display>(name: &str, values: &[T]) -> String {
    let list: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{name}: *{} {{\na: {}\n}}\n", values.len(), list.join(","))
}

pub fn properties(inside: &str) -> String {
    format!("Version: 232\nProperties70:  {{\n{inside}}}\n")
}

pub fn vectors_of(vectors: &[(&str, [f64; 3])]) -> String {
    let mut text = String::new();
    for (name, [x, y, z]) in vectors {
        let _ = writeln!(
            text,
            "P: \"{name}\", \"Vector3D\", \"Vector\", \"\",{x},{y},{z}"
        );
    }
    text
}

/// A column-major translation matrix.
pub fn translation(x: f64, y: f64, z: f64) -> [f64; 16] {
    [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0,
    ]
}

fn inverse_of_translation(m: [f64; 16]) -> [f64; 16] {
    translation(-m[12], -m[13], -m[14])
}

pub const STRIP: i64 = 10;
pub const ROOT: i64 = 11;
pub const TIP: i64 = 12;
pub const MESH: i64 = 1;
pub const SKIN: i64 = 20;
pub const LAYER: i64 = 41;

/// A strip of two squares along z, 20 cm wide and 1 m high, with two joints. The lower row follows
/// the root, the upper row the tip, and the middle row both. The tip is half way up.
pub fn strip(axes: [i32; 6]) -> Fbx {
    let mut fbx = Fbx::new(axes);
    let rows = [0.0, 50.0, 100.0];
    let points: Vec<[f64; 3]> = rows
        .iter()
        .flat_map(|z| [[-10.0, 0.0, *z], [10.0, 0.0, *z]])
        .collect();
    fbx.mesh(MESH, &points, &[&[0, 1, 3, 2], &[2, 3, 5, 4]], "");
    fbx.node(STRIP, "strip", "Mesh", &[]);
    fbx.node(ROOT, "root", "LimbNode", &[]);
    fbx.node(
        TIP,
        "tip",
        "LimbNode",
        &[("Lcl Translation", [0.0, 0.0, 50.0])],
    );
    fbx.object(
        "NodeAttribute",
        15,
        "",
        "LimbNode",
        "TypeFlags: \"Skeleton\"",
    );
    fbx.object(
        "NodeAttribute",
        16,
        "",
        "LimbNode",
        "TypeFlags: \"Skeleton\"",
    );
    fbx.object(
        "Deformer",
        SKIN,
        "",
        "Skin",
        "Version: 101\nLink_DeformAcuracy: 50",
    );
    fbx.cluster(
        21,
        &[(0, 1.0), (1, 1.0), (2, 0.5), (3, 0.5)],
        translation(0.0, 0.0, 0.0),
    );
    fbx.cluster(
        22,
        &[(2, 0.5), (3, 0.5), (4, 1.0), (5, 1.0)],
        translation(0.0, 0.0, 50.0),
    );
    fbx.connect(MESH, STRIP)
        .connect(STRIP, 0)
        .connect(ROOT, 0)
        .connect(TIP, ROOT);
    fbx.connect(15, ROOT).connect(16, TIP);
    fbx.connect(SKIN, MESH)
        .connect(21, SKIN)
        .connect(22, SKIN)
        .connect(ROOT, 21)
        .connect(TIP, 22);
    fbx
}

/// The strip. Its tip rotates by 90° about x within a second.
pub fn bending_strip(axes: [i32; 6]) -> Fbx {
    let mut fbx = strip(axes);
    fbx.take(40, "bend", [0.0, 1.0]);
    let curve = Curve {
        secs: &[0.0, 1.0],
        values: &[0.0, 90.0],
        flags: &[4, 4],
        past: "",
    };
    fbx.curve(42, LAYER, (TIP, "Lcl Rotation"), "X", &curve);
    fbx
}
