//! People: without clothes, in a skirt, in armour, and a robot.

use super::body::Body;
use super::net;
use glam::Vec3;

fn bones(name: &'static str, cell: f32) -> Body {
    let mut body = Body::new(name, cell);
    body.still = vec!["root", "head_end", "foot_target", "knee_pole"];
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("hips", "root", [0.0, 0.95, 0.0]);
    body.joint("spine", "hips", [0.0, 1.1, 0.0]);
    body.joint("chest", "spine", [0.0, 1.3, 0.0]);
    body.joint("head", "chest", [0.0, 1.55, 0.0]);
    body.joint("head_end", "head", [0.0, 1.8, 0.0]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        body.joint(&name("arm"), "chest", [0.2 * x, 1.42, 0.0]);
        body.joint(&name("forearm"), &name("arm"), [0.48 * x, 1.42, 0.0]);
        body.joint(&name("hand"), &name("forearm"), [0.74 * x, 1.42, 0.0]);
        body.joint(&name("thigh"), "hips", [0.1 * x, 0.9, 0.0]);
        body.joint(&name("shin"), &name("thigh"), [0.1 * x, 0.5, 0.0]);
        body.joint(&name("foot"), &name("shin"), [0.1 * x, 0.08, 0.0]);
        body.joint(&name("toe"), &name("foot"), [0.1 * x, 0.04, 0.14]);
        body.joint(&name("foot_target"), "root", [0.1 * x, 0.08, 0.0]);
        body.joint(&name("knee_pole"), "root", [0.1 * x, 0.5, 0.6]);
    }
    body
}

fn flesh(body: &mut Body) {
    let trunk = ["hips", "spine", "chest"];
    body.limb("trunk", [0.0, 0.98, 0.0], [0.0, 1.36, 0.0], 0.15, &trunk);
    body.limb(
        "head",
        [0.0, 1.52, 0.0],
        [0.0, 1.7, 0.0],
        0.1,
        &["head", "chest"],
    );
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let arm = [name("arm"), name("forearm"), name("hand")];
        let arm = arm.each_ref().map(String::as_str);
        body.limb(
            &name("arm"),
            [0.16 * x, 1.42, 0.0],
            [0.86 * x, 1.42, 0.0],
            0.05,
            &arm,
        );
        let leg = [name("thigh"), name("shin"), name("foot"), name("toe")];
        let leg = leg.each_ref().map(String::as_str);
        body.limb(
            &name("leg"),
            [0.1 * x, 0.9, 0.0],
            [0.1 * x, 0.07, 0.0],
            0.075,
            &leg,
        );
        body.limb(
            &name("foot"),
            [0.1 * x, 0.05, 0.0],
            [0.1 * x, 0.05, 0.18],
            0.045,
            &leg,
        );
    }
}

/// Person with one skin.
pub fn person() -> Body {
    let mut body = bones("person", 0.02);
    flesh(&mut body);
    body
}

/// Person in a skirt to below the knees, open at the top and bottom.
pub fn skirt() -> Body {
    let mut body = bones("person in a skirt", 0.02);
    flesh(&mut body);
    let rings = [(1.06, 0.165), (0.9, 0.215), (0.42, 0.29)];
    let rings = rings.map(|(y, radius)| (Vec3::Y * y, radius));
    body.clothes = vec![("skirt".to_owned(), net::tube(&rings, body.cell))];
    body
}

/// Knight made of twelve closed parts that overlap, one of them a shield.
pub fn knight() -> Body {
    let mut body = bones("knight", 0.02);
    body.in_pieces = true;
    body.limb(
        "helmet",
        [0.0, 1.62, 0.0],
        [0.0, 1.72, 0.0],
        0.13,
        &["head"],
    );
    body.limb(
        "breastplate",
        [0.0, 1.3, 0.0],
        [0.0, 1.34, 0.0],
        0.18,
        &["spine", "chest"],
    );
    body.limb(
        "faulds",
        [0.0, 0.98, 0.0],
        [0.0, 1.04, 0.0],
        0.14,
        &["hips", "spine", "thigh"],
    );
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let at = |far: f32, y: f32| [far * x, y, 0.0];
        let pieces = [
            (
                "pauldron",
                at(0.26, 1.42),
                at(0.44, 1.42),
                0.075,
                ["arm", "arm"],
            ),
            (
                "gauntlet",
                at(0.5, 1.42),
                at(0.84, 1.42),
                0.065,
                ["forearm", "hand"],
            ),
            (
                "cuisse",
                at(0.1, 0.86),
                at(0.1, 0.56),
                0.085,
                ["thigh", "thigh"],
            ),
            (
                "greave",
                at(0.1, 0.5),
                at(0.1, 0.08),
                0.075,
                ["shin", "foot"],
            ),
        ];
        for (piece, from, to, radius, follows) in pieces {
            let follows = follows.map(name);
            let follows = follows.each_ref().map(String::as_str);
            body.limb(&name(piece), from, to, radius, &follows);
        }
    }
    let arm = ["forearm.l", "hand.l"];
    body.limb("shield", [0.62, 1.3, 0.12], [0.62, 1.54, 0.12], 0.03, &arm);
    body
}

/// Robot made of thirty closed parts with gaps between them.
pub fn robot() -> Body {
    let mut body = bones("robot", 0.012);
    body.in_pieces = true;
    let up = |y: f32| [0.0, y, 0.0];
    body.limb("pelvis", up(0.97), up(1.03), 0.06, &["hips"]);
    body.limb("waist", up(1.16), up(1.2), 0.06, &["spine"]);
    body.limb("torso", up(1.35), up(1.42), 0.09, &["chest"]);
    body.limb("skull", up(1.63), up(1.68), 0.06, &["head"]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let mut row = |part: &str, joint: &str, from: [f32; 3], to: [f32; 3]| {
            body.limb(&name(part), from, to, 0.035, &[&name(joint)]);
        };
        let out = |far: f32| [far * x, 1.42, 0.0];
        row("shoulder", "arm", out(0.24), out(0.26));
        row("biceps", "arm", out(0.36), out(0.38));
        row("elbow", "forearm", out(0.53), out(0.55));
        row("cuff", "forearm", out(0.66), out(0.68));
        row("palm", "hand", out(0.79), out(0.81));
        row("fingers", "hand", out(0.9), out(0.92));
        let down = |y: f32| [0.1 * x, y, 0.0];
        row("hip", "thigh", down(0.85), down(0.84));
        row("thigh", "thigh", down(0.72), down(0.7));
        row("knee", "thigh", down(0.58), down(0.56));
        row("calf", "shin", down(0.42), down(0.4));
        row("ankle", "shin", down(0.26), down(0.24));
        row("heel", "foot", down(0.07), down(0.06));
        row("toes", "toe", [0.1 * x, 0.04, 0.2], [0.1 * x, 0.04, 0.22]);
    }
    body
}
