use super::{fault, inputs};
use crate::program::folder;

/// Invalid names and numbers, and a part of the message about each.
pub(super) const VALUES: [(&str, &str); 172] = [
    ("view --size 8 --screenshot x.png", "1280x800"),
    ("view --size 8x8", "--screenshot"),
    ("view --scale 0 --screenshot x.png", "0.5 to 4"),
    ("view --scale nan --screenshot x.png", "0.5 to 4"),
    ("completions tcsh", "bash, elvish, fish"),
    ("completions bash zsh", "zsh"),
    ("man comprss", "did you mean compress?"),
    ("man skin render", "render"),
    ("info tube.glb --clip walk", "--clip"),
    ("info tube.glb --joints=yes", "--joints"),
    ("demo --small --no-pictures", "--no-pictures"),
    ("demo --size 8x8", "--size"),
    ("skin tube.glb --clip fly -o x.obj", "\"twist\" (0)"),
    ("skin tube.glb --clip 9 -o x.obj", "\"twist\" (0)"),
    ("skin tube.glb --clip -1 -o x.obj", "-1"),
    ("skin tube.glb --method magic -o x.obj", "rigid, lbs, dqs"),
    ("skin tube.glb --time nan -o x.obj", "seconds"),
    ("skin tube.glb --time inf -o x.obj", "seconds"),
    ("skin tube.glb --time 1,-inf -o x.json", "seconds"),
    ("skin tube.glb --time noon -o x.obj", "seconds"),
    ("skin tube.glb --time 0,1 -o x.obj", "one --time"),
    ("skin tube.glb -o x.fbx", ".json, .obj, .ply or .glb"),
    ("render tube.glb --clip fly -o x.png", "\"twist\" (0)"),
    ("render tube.glb --weights tail -o x.png", "upper"),
    (
        "render tube.glb --expression happy -o x.png",
        "not an avatar",
    ),
    ("convert tube.glb -o x.vrm", "no avatar"),
    ("render tube.glb --method magic -o x.png", "rigid, lbs, dqs"),
    ("render tube.glb --camera moon -o x.png", "three-quarter"),
    ("render tube.glb --camera 10,95 -o x.png", "-90 to 90"),
    ("render tube.glb --zoom 0 -o x.png", "0.01 to 100"),
    ("render tube.glb --fov 180 -o x.png", "1 to 150"),
    ("render tube.glb --target tail -o x.png", "upper"),
    ("render tube.glb --follow maybe -o x.png", "off"),
    ("render tube.glb --floor sky -o x.png", "zero"),
    ("render tube.glb --sheet 4 -o x.png", "4x3"),
    ("render tube.glb --sheet 4x3 -o x.mp4", "one picture"),
    ("render tube.glb --fps 5 -o x.jpg", "holds one picture"),
    (
        "render tube.glb --background clear -o x.jpg",
        "cannot be transparent",
    ),
    ("render tube.glb --raw -o x.png", "-o -"),
    ("render tube.glb --background plaid -o x.png", "studio"),
    ("render tube.glb --passes glitter -o x.png", "bloom"),
    ("render --figure cow -o x.png", "mannequin"),
    ("render tube.glb --bind lamp -o x.png", "not a binding"),
    ("render tube.glb --bind a=camra.eye -o x.png", "camera?"),
    (
        "render tube.glb --bind a=sun -o x.png",
        "light.NAME.strength",
    ),
    (
        "render tube.glb --bind a=camera.eye -o x.png",
        "no curve \"a\"",
    ),
    (
        "render tube.glb --bind a=dust.upper -o x.png",
        "no event \"a\"",
    ),
    (
        "render tube.glb --bind a=parameter.speed -o x.png",
        "not a state machine",
    ),
    ("render tube.glb --time nan -o x.png", "seconds"),
    ("render tube.glb --time inf -o x.png", "seconds"),
    ("render tube.glb --fps 0 -o x.png", "0.01 to 1000"),
    ("render tube.glb --fps -5 -o x.png", "0.01 to 1000"),
    ("render tube.glb --fps nan -o x.png", "0.01 to 1000"),
    ("render tube.glb --fps inf -o x.png", "0.01 to 1000"),
    ("render tube.glb --fps 1e9 -o x.png", "0.01 to 1000"),
    ("render tube.glb --size 0x10 -o x.png", "like 960x720"),
    ("render tube.glb --size -1x5 -o x.png", "-1"),
    ("render tube.glb --size nanx1 -o x.png", "like 960x720"),
    ("render tube.glb --size 99999999x1 -o x.png", "99999999"),
    ("render tube.glb -o x.bmp", ".png, .apng, .gif"),
    ("render tube.glb -o x-{f}.png", "{frame:04}"),
    ("sample tube.glb --clip fly", "\"twist\" (0)"),
    ("sample tube.glb --joints tail", "upper"),
    ("sample tube.glb --time nan", "seconds"),
    ("sample tube.glb --fps 0", "like 30"),
    ("sample tube.glb --fps -1", "like 30"),
    ("sample tube.glb --fps inf", "like 30"),
    ("sample tube.glb --fps 1e12", "lower --fps"),
    ("sample tube.glb --json -o x.csv", ".json"),
    ("ik tube.glb --chain tail..upper --goal 0,1,0", "lower"),
    (
        "ik tube.glb --chain tail --goal 0,1,0",
        "like shoulder..hand",
    ),
    (
        "ik tube.glb --chain upper..lower --goal 0,1,0",
        "from the body outward",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,nan,0",
        "three numbers",
    ),
    (
        "ik tube.glb --chain lower..upper --goal inf,0,0",
        "three numbers",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1",
        "three numbers",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --method magic",
        "two-bone",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --limits cow",
        "biped",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip fly",
        "\"twist\" (0)",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip bend --time nan",
        "seconds",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --tolerance 0",
        "above 0",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --tolerance nan",
        "above 0",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --restarts 4000000000",
        "10000",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --scale 0",
        "1e-9 to 1e9",
    ),
    (
        "ik tube.glb --chain lower..upper --orient upper=0,1",
        "in degrees",
    ),
    (
        "ik tube.glb --chain lower..upper --orient tail=0,1,0",
        "upper",
    ),
    (
        "ik tube.glb --chain lower..upper --look-at upper=0,inf,0",
        "JOINT=X,Y,Z",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --pin tail",
        "upper",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip bend --time 0.8..0.2",
        "0.2..0.8",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip bend --time 0..1e9",
        "lower --fps",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip bend --fps 0",
        "0.01 to 1000",
    ),
    (
        "ik tube.glb --chain lower..upper --goal 0,1,0 --clip bend --keys --blend -1",
        "at least 0",
    ),
    ("plot tube.glb --clip fly -o x.svg", "\"twist\" (0)"),
    ("plot tube.glb --joints tail -o x.svg", "upper"),
    ("plot tube.glb -o x.png", ".svg"),
    ("weights tube.glb --vertex 99999", "99999"),
    ("weights tube.glb --vertex -1", "-1"),
    (
        "weights tube.glb --vertex 0 --set upper=nan -o x.glb",
        "0 to 1",
    ),
    ("weights tube.glb --vertex 0 --set tail=1 -o x.glb", "upper"),
    ("weights tube.glb --mesh sword", "tube"),
    ("render tube.glb --set upper=nan -o x.png", "elbow=40"),
    ("render tube.glb --set tail=1,2,3 -o x.png", "upper"),
    ("render tube.glb --set upper=1 -o x.png", "3 angles"),
    (
        "render --figure robot-arm --set elbow=170 -o x.png",
        "beyond its limits",
    ),
    ("bind still.glb tube.glb --radius 0 -o x.glb", "above 0"),
    (
        "bind still.glb tube.glb --radius upper=nan -o x.glb",
        "above 0",
    ),
    (
        "bind still.glb tube.glb --radius tail=0.1 -o x.glb",
        "upper",
    ),
    (
        "bind still.glb tube.glb --radius 1e6 -o x.glb",
        "blend radius",
    ),
    (
        "bind still.glb tube.glb --method heat --radius 0.1 -o x.glb",
        "bezier",
    ),
    ("compress tube.glb tube.glb -o x.sinew", "{name}"),
    ("limits tube.glb --set tail=free", "upper"),
    ("limits tube.glb --set upper=bend", "hinge:AXIS"),
    ("limits tube.glb --set upper=hinge:x:nan..1", "not a number"),
    ("limits tube.glb --set upper=hinge:x:9..1", "empty"),
    ("limits tube.glb --from cow", "biped"),
    ("bench --filter nonesuch", "pose/blend"),
    ("bench --level mmx", "it has"),
    ("bench --budget 0", "1..=600000"),
    ("bench --budget -5", "--budget"),
    ("bench --budget 1e99", "--budget"),
    ("bind still.glb tube.glb --lock tail -o x.glb", "upper"),
    ("bind still.glb tube.glb --deform tail -o x.glb", "upper"),
    ("bind still.glb --method magic -o x.glb", "heat"),
    ("bind still.glb --template cow -o x.glb", "biped"),
    ("bind still.glb --spine 0 -o x.glb", "1..=256"),
    (
        "bind still.glb --template biped --merge tail -o x.glb",
        "hips",
    ),
    (
        "bind still.glb --template biped --merge hips -o x.glb",
        "root",
    ),
    (
        "bind still.glb --template biped --split hips -o x.glb",
        "left_lower_arm=2",
    ),
    (
        "bind still.glb --template biped --split hips=1 -o x.glb",
        "2 to 64",
    ),
    (
        "bind still.glb --template biped --split hips=many -o x.glb",
        "left_lower_arm=2",
    ),
    (
        "bind still.glb --template biped --rename hips -o x.glb",
        "hips=pelvis",
    ),
    (
        "bind still.glb --template biped --rename hips=chest -o x.glb",
        "already",
    ),
    ("bind still.glb tube.glb --picture x.bmp -o x.glb", ".png"),
    (
        "bind still.glb tube.glb --picture - -o x.glb",
        "go to a file",
    ),
    (
        "bind still.glb tube.glb --influences 0 -o x.glb",
        "1 to 16 influences",
    ),
    (
        "bind still.glb tube.glb --influences 999 -o x.glb",
        "1 to 16 influences",
    ),
    ("bind still.glb tube.glb --prune 1 -o x.glb", "less than 1"),
    (
        "bind still.glb tube.glb --prune nan -o x.glb",
        "less than 1",
    ),
    ("bind still.glb tube.glb --scale -1 -o x.glb", "--scale"),
    ("measure tube.glb --clip fly", "\"twist\" (0)"),
    ("measure tube.glb --method magic", "rigid, lbs, dqs"),
    ("measure tube.glb --fail-if size<1", "section_min"),
    ("measure tube.glb --fps 0", "above 0"),
    ("measure tube.glb --fps nan", "above 0"),
    ("measure tube.glb --fps 1e12", "frames"),
    ("measure tube.glb --scale inf", "1e-9 to 1e9"),
    ("mocap markers.c3d --onto tube.glb -o x.glb", "joint"),
    ("mocap markers.c3d -o x.obj", ".glb, .gltf or .vrm"),
    ("clip tube.glb --clip fly -o x.glb", "\"twist\" (0)"),
    ("clip tube.glb --trim 1..0.5 -o x.glb", "cannot be cut"),
    ("clip tube.glb --event 0.3 -o x.glb", "0.3=grasp"),
    ("clip tube.glb --fps -5 -o x.glb", "0.01 to 1000"),
    (
        "convert tube.glb -o x.fbx",
        ".glb, .gltf, .vrm, .bvh or .html",
    ),
    ("edit tube.glb -o x.glb", "--script"),
    (
        r#"edit tube.glb --edit {"do":"fly"} -o x.glb"#,
        "unknown variant `fly`",
    ),
    (
        r#"edit tube.glb --edit {"do":"delete_clip","clip":"twst"} -o x.glb"#,
        "did you mean twist?",
    ),
    (
        r#"edit tube.glb --edit {"do":"set_event","clip":0,"event":99} -o x.glb"#,
        "no event 99",
    ),
    ("convert tube.glb --clip fly -o x.bvh", "\"twist\" (0)"),
    ("convert tube.glb --fps 0 -o x.bvh", "0.01 to 1000"),
    ("convert tube.glb --fps 30 -o x.glb", ".bvh"),
    ("convert tube.glb --offsets some -o x.bvh", "zero"),
    ("convert tube.glb --compress draco -o x.glb", "meshopt"),
    (
        "convert tube.glb --compress meshopt -o x.bvh",
        ".glb, .gltf and .vrm",
    ),
    ("convert tube.glb --scale 1e300 -o x.glb", "1e-9 to 1e9"),
    ("convert tube.glb --scale cm -o x.glb", "1e-9 to 1e9"),
    ("compress tube.glb --clip fly -o x.sinew", "\"twist\" (0)"),
    ("compress tube.glb --max-error 0mm -o x.sinew", "above 0"),
    ("compress tube.glb --max-error nanmm -o x.sinew", "above 0"),
    ("compress tube.glb --max-error 1e300m -o x.sinew", "above 0"),
    ("compress tube.glb --scale nan -o x.sinew", "1e-9 to 1e9"),
    (
        "retarget mannequin.glb --onto tube.glb --clip fly -o x.glb",
        "\"walk\"",
    ),
    (
        "retarget tube.glb --onto tube.glb --scale 0 -o x.glb",
        "1e-9 to 1e9",
    ),
    (
        "retarget tube.glb --onto tube.glb --rest-time nan -o x.glb",
        "seconds",
    ),
];

#[test]
fn names_and_numbers_that_mean_nothing_are_refused_in_a_line_with_a_way_out() {
    let folder = folder("wrong_values");
    inputs(&folder);
    let faults = VALUES.iter();
    let faults = faults.filter_map(|(command, word)| fault(&folder, command, &[word]));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
