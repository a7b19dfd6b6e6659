//! Marker labels of Plug-in Gait, the most common set. Each has a joint and a position in model
//! space, on the surface of the mannequin at rest. Left side only.

/// Label and joint without their side, and position.
pub(super) const BOTH_SIDES: [(&str, &str, [f32; 3]); 18] = [
    ("FHD", "head", [0.051, 1.695, 0.075]),
    ("BHD", "head", [0.056, 1.706, -0.087]),
    ("SHO", "shoulder", [0.162, 1.480, 0.008]),
    ("UPA", "upper_arm", [0.305, 1.379, -0.016]),
    ("ELB", "upper_arm", [0.420, 1.270, -0.025]),
    ("FRM", "lower_arm", [0.504, 1.177, -0.022]),
    ("WRA", "lower_arm", [0.563, 1.072, 0.036]),
    ("WRB", "lower_arm", [0.574, 1.063, -0.014]),
    ("FIN", "hand", [0.636, 1.020, 0.034]),
    ("ASI", "hips", [0.101, 1.003, 0.078]),
    ("PSI", "hips", [0.069, 0.995, -0.095]),
    ("THI", "upper_leg", [0.169, 0.726, -0.005]),
    ("KNE", "upper_leg", [0.160, 0.492, 0.007]),
    ("TIB", "lower_leg", [0.158, 0.300, -0.022]),
    ("ANK", "lower_leg", [0.142, 0.087, -0.039]),
    ("HEE", "foot", [0.096, 0.049, -0.093]),
    ("TOE", "foot", [0.134, 0.053, 0.117]),
    ("MT5", "foot", [0.164, 0.028, 0.079]),
];

pub(super) const MIDDLE: [(&str, &str, [f32; 3]); 5] = [
    ("C7", "chest", [0.000, 1.503, -0.088]),
    ("T10", "chest", [0.000, 1.278, -0.108]),
    ("CLAV", "chest", [0.000, 1.436, 0.066]),
    ("STRN", "chest", [0.000, 1.279, 0.117]),
    ("RBAK", "chest", [-0.087, 1.375, -0.115]),
];
