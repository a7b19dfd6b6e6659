//! Animals with legs, wings, fins, arms, or no limbs.

use super::body::Body;
use std::f32::consts::{PI, TAU};

/// Dog on four legs.
pub fn dog() -> Body {
    let mut body = Body::new("dog", 0.018);
    body.still = vec!["root", "IK"];
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("hips", "root", [0.0, 0.6, -0.4]);
    body.joint("spine", "hips", [0.0, 0.62, -0.1]);
    body.joint("chest", "spine", [0.0, 0.62, 0.2]);
    body.joint("neck", "chest", [0.0, 0.68, 0.4]);
    body.joint("head", "neck", [0.0, 0.85, 0.55]);
    body.joint("tail1", "hips", [0.0, 0.64, -0.55]);
    body.joint("tail2", "tail1", [0.0, 0.74, -0.7]);
    body.joint("tail3", "tail2", [0.0, 0.84, -0.85]);
    for (side, x) in [("l", 0.11), ("r", -0.11)] {
        for (leg, above, z) in [("front", "chest", 0.3), ("hind", "hips", -0.42)] {
            let name = |part: &str| format!("{leg}_{part}.{side}");
            body.joint(&name("upper"), above, [x, 0.52, z]);
            body.joint(&name("lower"), &name("upper"), [x, 0.3, z]);
            body.joint(&name("paw"), &name("lower"), [x, 0.07, z]);
            body.joint(&format!("IK_{leg}.{side}"), "root", [x, 0.07, z]);
            let from = [x, 0.5, z];
            body.limb(
                &name("leg"),
                from,
                [x, 0.05, z],
                0.05,
                &[&format!("{leg}_")],
            );
            body.limb(
                &name("paw"),
                [x, 0.04, z],
                [x, 0.04, z + 0.08],
                0.04,
                &[&format!("{leg}_")],
            );
        }
    }
    let trunk = ["hips", "spine", "chest"];
    body.limb("trunk", [0.0, 0.6, -0.42], [0.0, 0.6, 0.3], 0.14, &trunk);
    body.limb(
        "neck",
        [0.0, 0.68, 0.36],
        [0.0, 0.85, 0.52],
        0.08,
        &["neck", "chest", "head"],
    );
    body.limb(
        "head",
        [0.0, 0.87, 0.55],
        [0.0, 0.83, 0.75],
        0.07,
        &["head"],
    );
    body.limb(
        "tail",
        [0.0, 0.64, -0.55],
        [0.0, 0.9, -0.95],
        0.03,
        &["tail"],
    );
    body
}

/// Bird with its wings spread.
pub fn bird() -> Body {
    let mut body = Body::new("bird", 0.012);
    body.still = vec!["master", "tail_tip"];
    body.joint("master", "", [0.0, 0.0, 0.0]);
    body.joint("body", "master", [0.0, 0.3, -0.1]);
    body.joint("breast", "body", [0.0, 0.34, 0.08]);
    body.joint("neck", "breast", [0.0, 0.42, 0.18]);
    body.joint("head", "neck", [0.0, 0.52, 0.24]);
    body.joint("tail", "body", [0.0, 0.28, -0.24]);
    body.joint("tail_tip", "tail", [0.0, 0.26, -0.44]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}.{side}");
        body.joint(&name("wing1"), "breast", [0.1 * x, 0.36, 0.05]);
        body.joint(&name("wing2"), &name("wing1"), [0.35 * x, 0.38, 0.05]);
        body.joint(&name("wing3"), &name("wing2"), [0.6 * x, 0.38, 0.03]);
        body.joint(&name("leg"), "body", [0.05 * x, 0.22, 0.0]);
        body.joint(&name("foot"), &name("leg"), [0.05 * x, 0.04, 0.0]);
        let wing = name("wing");
        for z in [0.08, 0.03, -0.02, -0.07] {
            let (from, to) = ([0.08 * x, 0.36, z], [0.85 * x, 0.38, z]);
            body.limb(&wing, from, to, 0.03, &["wing"]);
        }
        let leg = [name("leg"), name("foot")];
        let leg = leg.each_ref().map(String::as_str);
        body.limb(
            &leg[0].replace('.', "g."),
            [0.05 * x, 0.22, 0.0],
            [0.05 * x, 0.03, 0.0],
            0.025,
            &leg,
        );
    }
    body.limb(
        "trunk",
        [0.0, 0.3, -0.12],
        [0.0, 0.34, 0.1],
        0.1,
        &["body", "breast"],
    );
    body.limb(
        "neck",
        [0.0, 0.4, 0.15],
        [0.0, 0.52, 0.24],
        0.05,
        &["neck", "breast", "head"],
    );
    body.limb(
        "head",
        [0.0, 0.53, 0.25],
        [0.0, 0.53, 0.3],
        0.055,
        &["head"],
    );
    body.limb(
        "tail",
        [0.0, 0.28, -0.2],
        [0.0, 0.26, -0.44],
        0.03,
        &["tail", "body"],
    );
    body
}

/// Snake of forty joints.
pub fn snake() -> Body {
    let mut body = Body::new("snake", 0.022);
    let at = |joint: f32| {
        let angle = 0.35 * joint;
        [0.4 * angle.sin(), 0.05, 0.1 * joint]
    };
    for joint in 0..40_u8 {
        let above = joint
            .checked_sub(1)
            .map_or(String::new(), |above| format!("b{above:02}"));
        body.joint(&format!("b{joint:02}"), &above, at(f32::from(joint)));
        let near = joint.saturating_sub(1)..joint + 2;
        let near: Vec<String> = near.map(|other| format!("b{other:02}")).collect();
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        let (from, to) = (at(f32::from(joint)), at(f32::from(joint) + 1.0));
        body.limb(&format!("stretch{joint:02}"), from, to, 0.06, &near);
    }
    body
}

/// Spider on eight legs.
pub fn spider() -> Body {
    let mut body = Body::new("spider", 0.016);
    body.still = vec!["root", "target"];
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("abdomen", "root", [0.0, 0.3, -0.45]);
    body.joint("thorax", "abdomen", [0.0, 0.28, 0.0]);
    for leg in 0..8_u8 {
        let x = if leg % 2 == 0 { 1.0 } else { -1.0 };
        let angle = (f32::from(leg / 2) - 1.5) * 0.45;
        let out = |far: f32, y: f32| [x * far * angle.cos(), y, far * angle.sin()];
        let name = |part: &str| format!("leg{leg}_{part}");
        body.joint(&name("hip"), "thorax", out(0.14, 0.28));
        body.joint(&name("knee"), &name("hip"), out(0.45, 0.5));
        body.joint(&name("ankle"), &name("knee"), out(0.75, 0.2));
        body.joint(&format!("target{leg}"), "root", out(0.9, 0.0));
        let own = format!("leg{leg}");
        body.limb(
            &name("upper"),
            out(0.12, 0.28),
            out(0.45, 0.5),
            0.03,
            &[&own],
        );
        body.limb(
            &name("lower"),
            out(0.45, 0.5),
            out(0.75, 0.2),
            0.03,
            &[&own],
        );
        body.limb(
            &name("claw"),
            out(0.75, 0.2),
            out(0.9, 0.02),
            0.025,
            &[&own],
        );
    }
    body.limb(
        "thorax",
        [0.0, 0.28, -0.05],
        [0.0, 0.28, 0.03],
        0.12,
        &["thorax", "abdomen"],
    );
    let waist = ["thorax", "abdomen"];
    body.limb("waist", [0.0, 0.28, -0.1], [0.0, 0.3, -0.3], 0.05, &waist);
    body.limb(
        "abdomen",
        [0.0, 0.32, -0.56],
        [0.0, 0.3, -0.42],
        0.16,
        &["abdomen"],
    );
    body
}

/// Fish: a spine along the body, fins on its back, sides and tail.
pub fn fish() -> Body {
    let mut body = Body::new("fish", 0.016);
    body.still = vec!["root"];
    body.joint("root", "", [0.0, -0.4, 0.0]);
    let along = |k: u8| 0.42 - 0.2 * f32::from(k);
    for k in 0..5_u8 {
        let above = k.checked_sub(1);
        let above = above.map_or("root".to_owned(), |k| format!("spine{k}"));
        body.joint(&format!("spine{k}"), &above, [0.0, 0.0, along(k)]);
    }
    let spine = ["spine", "back_fin", "side_fin"];
    for (from, to, radius) in [(0.5, 0.2, 0.11), (0.2, -0.1, 0.13), (-0.1, -0.42, 0.07)] {
        body.limb("trunk", [0.0, 0.0, from], [0.0, 0.0, to], radius, &spine);
    }
    for (side, y) in [("up", 1.0), ("down", -1.0)] {
        let name = format!("tail_fin_{side}");
        body.joint(&name, "spine4", [0.0, 0.05 * y, -0.48]);
        let (from, to) = ([0.0, 0.03 * y, -0.46], [0.0, 0.2 * y, -0.62]);
        body.limb(&name, from, to, 0.028, &[&name, "spine4"]);
    }
    body.joint("back_fin", "spine2", [0.0, 0.14, 0.0]);
    body.limb(
        "back",
        [0.0, 0.12, 0.06],
        [0.0, 0.28, -0.06],
        0.028,
        &["back_fin", "spine"],
    );
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = format!("side_fin.{side}");
        body.joint(&name, "spine1", [0.12 * x, -0.03, 0.16]);
        let (from, to) = ([0.1 * x, -0.03, 0.16], [0.3 * x, -0.1, 0.02]);
        body.limb(&name, from, to, 0.026, &[&name, "spine"]);
    }
    body
}

/// Octopus: eight arms of five joints each.
pub fn octopus() -> Body {
    let mut body = Body::new("octopus", 0.02);
    body.still = vec!["root"];
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("head", "root", [0.0, 0.3, 0.0]);
    body.joint("mantle", "head", [0.0, 0.45, -0.05]);
    body.limb(
        "head",
        [0.0, 0.28, 0.0],
        [0.0, 0.55, -0.08],
        0.16,
        &["head", "mantle", "arm"],
    );
    for arm in 0..8_u8 {
        let angle = TAU * (f32::from(arm) + 0.5) / 8.0;
        let at = |k: u8| {
            let far = 0.13 + 0.17 * f32::from(k);
            let up = 0.2 - 0.14 * (0.25 * PI * f32::from(k)).min(0.5 * PI).sin();
            [far * angle.cos(), up, far * angle.sin()]
        };
        for k in 0..5_u8 {
            let name = |k: u8| format!("arm{arm}_{k}");
            let above = k.checked_sub(1).map_or("head".to_owned(), name);
            body.joint(&name(k), &above, at(k));
            let (from, to) = (at(k), at(k + 1));
            let own = format!("arm{arm}");
            let radius = 0.055 - 0.007 * f32::from(k);
            body.limb(&name(k), from, to, radius, &[&own]);
        }
    }
    body
}

/// Sauropod: a neck and a tail of eight joints each on four legs.
pub fn sauropod() -> Body {
    let mut body = Body::new("sauropod", 0.03);
    body.still = vec!["root", "IK"];
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("hips", "root", [0.0, 0.9, -0.3]);
    body.joint("chest", "hips", [0.0, 0.95, 0.25]);
    body.limb(
        "trunk",
        [0.0, 0.88, -0.3],
        [0.0, 0.9, 0.25],
        0.26,
        &["hips", "chest", "front_upper", "hind_upper"],
    );
    let neck = |t: f32| [0.0, 1.05 + 0.95 * t * t.sqrt(), 0.45 + 1.05 * t];
    let tail = |t: f32| [0.0, 0.88 - 0.35 * t, -0.55 - 1.45 * t];
    for k in 0..8_u8 {
        let [from, to] = [k, k + 1].map(|k| f32::from(k) / 8.0);
        let thin = 1.0 - 0.08 * f32::from(k);
        let neck = ("neck", "chest", [neck(from), neck(to)], 0.13 * thin);
        let tail = ("tail", "hips", [tail(from), tail(to)], 0.14 * thin);
        for (row, first, [from, to], radius) in [neck, tail] {
            let above = k.checked_sub(1);
            let above = above.map_or(first.to_owned(), |k| format!("{row}{k}"));
            body.joint(&format!("{row}{k}"), &above, from);
            body.limb(row, from, to, radius, &[row, first]);
        }
    }
    body.joint("head", "neck7", neck(1.0));
    let [_, y, z] = neck(1.0);
    body.limb(
        "head",
        [0.0, y, z],
        [0.0, y - 0.03, z + 0.16],
        0.07,
        &["head", "neck"],
    );
    for (side, x) in [("l", 0.17), ("r", -0.17)] {
        for (leg, above, z) in [("front", "chest", 0.24), ("hind", "hips", -0.3)] {
            let name = |part: &str| format!("{leg}_{part}.{side}");
            body.joint(&name("upper"), above, [x, 0.8, z]);
            body.joint(&name("lower"), &name("upper"), [x, 0.42, z]);
            body.joint(&name("foot"), &name("lower"), [x, 0.1, z]);
            body.joint(&format!("IK_{leg}.{side}"), "root", [x, 0.1, z]);
            body.limb(
                &name("leg"),
                [x, 0.78, z],
                [x, 0.07, z],
                0.095,
                &[&format!("{leg}_")],
            );
        }
    }
    body
}
