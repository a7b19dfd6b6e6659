use super::*;
use std::collections::BTreeMap;

struct Points {
    player: GraphPlayer,
    at: Vec<[f32; 2]>,
}

impl Points {
    fn new(at: &[[f32; 2]]) -> Self {
        let name = |n: usize| format!("clip {n}");
        let names: Vec<String> = (0..at.len()).map(name).collect();
        let clips: Vec<Clip> = (0..at.len())
            .map(|n| cycle(&name(n), 1.0 + n as f32 * 0.1, 0.0, n as f32))
            .collect();
        let points: Vec<_> = at.iter().zip(&names).map(|(at, n)| (*at, &**n)).collect();
        let machine = StateMachine::new()
            .parameter("x", 0.0)
            .parameter("y", 0.0)
            .state(State::blend_2d("move", ["x", "y"], &points));
        Self {
            player: build(&machine, &clips).expect("good").player(),
            at: at.to_vec(),
        }
    }

    fn weights(&mut self, [x, y]: [f32; 2]) -> BTreeMap<usize, f32> {
        self.player.set("x", x).expect("finite");
        self.player.set("y", y).expect("finite");
        self.player.update(0.0, |_| {}).expect("a step");
        let playing = self.player.playing();
        playing
            .map(|playing| (playing.clip, playing.weight))
            .collect()
    }

    fn apart(&mut self, a: [f32; 2], b: [f32; 2]) -> f32 {
        let (a, b) = (self.weights(a), self.weights(b));
        let weight = |of: &BTreeMap<usize, f32>, n| of.get(&n).copied().unwrap_or(0.0);
        let points = 0..self.at.len();
        points.fold(0.0, |most, n| {
            most.max((weight(&a, n) - weight(&b, n)).abs())
        })
    }
}

fn layouts() -> Vec<Vec<[f32; 2]>> {
    let mut around = vec![[0.0, 0.0]];
    for n in 0..8 {
        let (sin, cos) = (n as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
        around.extend([[sin, cos], [3.0 * sin, 3.0 * cos]]);
    }
    let grid = (0..16).map(|n| [(n % 4) as f32, (n / 4) as f32]).collect();
    vec![
        vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.5]],
        around,
        grid,
        vec![[2.0, 2.0], [0.0, 0.0], [1.0, 1.0], [3.0, 3.0]],
        vec![[0.0, 1.0], [0.0, -1.0]],
        vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]],
        vec![[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, -1.0]],
        vec![[5.0, -1.0]],
    ]
}

#[test]
fn a_clip_plays_alone_at_its_point() {
    for layout in layouts() {
        let mut points = Points::new(&layout);
        for (n, at) in layout.iter().enumerate() {
            assert_eq!(
                points.weights(*at),
                BTreeMap::from([(n, 1.0)]),
                "{layout:?}"
            );
        }
    }
}

#[test]
fn weights_between_and_outside_the_points() {
    let mut square = Points::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 1.0]]);
    // Midpoint of an edge, inside a triangle, outside an edge, outside a corner.
    assert_eq!(
        square.weights([1.0, 0.0]),
        BTreeMap::from([(0, 0.5), (1, 0.5)])
    );
    assert_eq!(
        square.weights([1.0, 0.5]),
        BTreeMap::from([(0, 0.25), (1, 0.25), (4, 0.5)])
    );
    assert_eq!(
        square.weights([0.5, -7.0]),
        BTreeMap::from([(0, 0.75), (1, 0.25)])
    );
    assert_eq!(square.weights([9.0, 9.0]), BTreeMap::from([(3, 1.0)]));
    // Collinear points give a blend along the line, also for points beside the line.
    let mut line = Points::new(&[[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]);
    assert_eq!(
        line.weights([0.0, 1.0]),
        BTreeMap::from([(1, 0.5), (2, 0.5)])
    );
    assert_eq!(line.weights([1.0, 3.0]), BTreeMap::from([(0, 1.0)]));
    let huge = [
        [f32::MAX, 0.0],
        [f32::MIN, 0.0],
        [0.0, f32::MAX],
        [1e-38, 1e-38],
    ];
    for at in [[0.0, 0.0], [f32::MAX, f32::MAX], [1e-40, -1e38]] {
        let weights = Points::new(&huge).weights(at);
        let sum: f32 = weights.values().sum();
        assert!((sum - 1.0).abs() < 1e-6, "{weights:?}");
    }
}

#[test]
fn the_pose_is_what_sampling_and_blending_by_hand_give() {
    let machine = StateMachine::new()
        .parameter("x", 0.25)
        .parameter("y", 0.5)
        .state(State::blend_2d(
            "move",
            ["x", "y"],
            &[
                ([0.0, 0.0], "idle"),
                ([1.0, 0.0], "walk"),
                ([0.0, 1.0], "run"),
            ],
        ));
    let mut played = Played::new(&machine);
    for _ in 0..100 {
        played.update(DT);
        let phase = Wrap::Loop.fold(played.player.phase(), 1.0).0;
        let [idle, walk, run] =
            [0, WALK, RUN].map(|clip| at(&played.clips[clip], &played.skeleton, phase));
        let layers = [(&idle, 0.25), (&walk, 0.25), (&run, 0.5)];
        assert_eq!(played.pose(), mixed(&played.skeleton, &layers));
    }
    let rate = 0.25 / 2.0 + 0.25 / 1.25 + 0.5 / 0.5;
    assert!((played.player.phase() - 100.0 * DT * rate).abs() < 1e-6);
}

proptest! {
    #[test]
    fn weights_sum_to_1_and_are_continuous(
        at in prop::collection::vec([-4_i8..5, -4_i8..5], 1..14),
        jitter in prop::collection::vec([-2_i8..3, -2_i8..3], 14),
        path in prop::collection::vec([-6.0_f32..6.0, -6.0_f32..6.0], 2..6),
        on_grid in any::<bool>(),
    ) {
        let mut points: Vec<[f32; 2]> = Vec::new();
        for (at, jitter) in at.iter().zip(&jitter) {
            // In eighths, so that no triangle is too thin for the precision.
            let jitter = jitter.map(|eighths| if on_grid { 0.0 } else { 0.125 * f32::from(eighths) });
            let point = [f32::from(at[0]) + jitter[0], f32::from(at[1]) + jitter[1]];
            if points.iter().all(|known| (known[0] - point[0]).hypot(known[1] - point[1]) > 0.25) {
                points.push(point);
            }
        }
        let mut points = Points::new(&points);
        for n in 0..points.at.len() {
            let at = points.at[n];
            prop_assert_eq!(points.weights(at), BTreeMap::from([(n, 1.0)]));
        }
        for pair in path.windows(2) {
            let steps = 400;
            let along = |step: i32| {
                let t = step as f32 / steps as f32;
                [0, 1].map(|axis| pair[0][axis] + t * (pair[1][axis] - pair[0][axis]))
            };
            for step in 0..steps {
                let weights = points.weights(along(step));
                let sum: f32 = weights.values().sum();
                prop_assert!((sum - 1.0).abs() < 1e-6 && weights.len() <= 3);
                // Bisects a large difference, which must shrink if the weights are continuous.
                let mut ends = [along(step), along(step + 1)];
                if points.apart(ends[0], ends[1]) > 0.2 {
                    for _ in 0..40 {
                        let middle = [0, 1].map(|axis| 0.5 * (ends[0][axis] + ends[1][axis]));
                        let first = points.apart(ends[0], middle);
                        let second = points.apart(middle, ends[1]);
                        if first > second { ends[1] = middle } else { ends[0] = middle }
                    }
                    let left = points.apart(ends[0], ends[1]);
                    prop_assert!(left < 0.01, "a jump of {} at {:?}", left, ends[0]);
                }
            }
        }
    }
}
