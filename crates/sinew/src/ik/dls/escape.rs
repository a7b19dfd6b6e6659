//! Restarts with joints elsewhere in their ranges, if limits block every small rotation.

use super::goal::Kind;
use super::options::DlsOptions;
use super::solver::Dls;
use crate::ik::frame::{Above, length, sub};
use crate::ik::restarts::RESTARTS;

/// Min gain of a restart, in lengths of the longest chain, to avoid needless jumps.
const NEARER: f64 = 1e-3;

/// Number of steps after which a restart is judged.
const SHORT: u32 = 10;

/// Restart of one or two joints, as pairs of the index in use and the number of the restart.
struct Change {
    first: (usize, usize),
    second: Option<(usize, usize)>,
    is_swept: bool,
}

fn changes(joints: usize) -> impl Iterator<Item = Change> {
    let restarts = |nth: usize| (0..RESTARTS).map(move |restart| (nth, restart));
    let singly = (0..joints).flat_map(restarts).flat_map(|first| {
        [false, true].map(|is_swept| Change {
            first,
            second: None,
            is_swept,
        })
    });
    let by_two = (0..joints).flat_map(restarts).flat_map(move |first| {
        (0..=first.0).flat_map(restarts).map(move |second| Change {
            first,
            second: Some(second),
            is_swept: true,
        })
    });
    singly.chain(by_two)
}

impl Dls {
    /// Restarts joints of the kept pose, and continues from the first pose that comes nearer. Ends
    /// if no restart helps or no steps remain. Returns the remaining sum of squares.
    pub(super) fn escape(
        &mut self,
        above: &Above,
        options: &DlsOptions,
        iterations: &mut u32,
        mut error: f64,
    ) -> f64 {
        // Small chains get a thorough search, large chains a short one.
        let times = (240 / self.tree.columns().max(1) as u32).clamp(4, 20);
        let max = iterations.saturating_add(options.max_iterations.saturating_mul(times));
        let short = DlsOptions {
            max_iterations: options.max_iterations.min(SHORT),
            ..*options
        };
        let mut is_nearer = true;
        while is_nearer && !self.is_as_near_as_can_be(above, options) {
            is_nearer = false;
            for change in changes(self.tree.used.len()) {
                if *iterations >= max {
                    break;
                }
                if !self.put(&change) {
                    continue;
                }
                let there = self.descend(above, &short, iterations);
                if error.sqrt() - there.sqrt() > NEARER * self.size {
                    error = self.descend(above, options, iterations);
                    self.tree.keep();
                    is_nearer = true;
                    break;
                }
            }
        }
        self.tree.go_back();
        self.tree.forward();
        error
    }

    /// True if every goal is met or out of reach. Sets the reports to those of the kept pose.
    fn is_as_near_as_can_be(&mut self, above: &Above, options: &DlsOptions) -> bool {
        self.tree.go_back();
        self.tree.forward();
        self.report(above, options);
        let targets = self.targets.iter().zip(&self.reports);
        let mut missed = targets.filter(|(_, report)| !report.reached);
        missed.all(|(target, _)| {
            let Some((origin, reach)) = self.tree.reach(target) else {
                return true;
            };
            let off = length(sub(target.at, self.tree.point(target)));
            let apart = length(sub(target.at, origin));
            target.kind == Kind::Position && off <= apart - reach + NEARER * self.size
        })
    }

    /// Applies a change to the kept pose. Returns false if it has no effect on missed goals.
    fn put(&mut self, change: &Change) -> bool {
        let (first, restart) = change.first;
        let first = self.tree.used[first];
        let helps = |goal: &usize| !self.reports[*goal].reached;
        if !self.tree.carried_by(first).iter().any(helps) {
            return false;
        }
        self.tree.go_back();
        let mut is_changed = self.tree.restart_joint(first, restart);
        let mut second = first;
        if let Some((nth, restart)) = change.second {
            second = self.tree.used[nth];
            is_changed = is_changed && self.tree.restart_joint(second, restart);
        }
        if is_changed && change.is_swept {
            self.sweep([first, second]);
        }
        is_changed
    }

    /// Moves each joint except those in `but` to its best restart, from the outermost joint inward.
    fn sweep(&mut self, but: [usize; 2]) {
        self.tree.forward();
        let mut least = self.tree.error(&self.targets);
        for nth in (0..self.tree.used.len()).rev() {
            let joint = self.tree.used[nth];
            if but.contains(&joint) {
                continue;
            }
            let came = self.tree.nodes[joint].now;
            let mut best = came;
            for restart in 0..RESTARTS {
                self.tree.nodes[joint].now = came;
                if !self.tree.restart_joint(joint, restart) {
                    continue;
                }
                self.tree.forward();
                let error = self.tree.error(&self.targets);
                if error < least {
                    (least, best) = (error, self.tree.nodes[joint].now);
                }
            }
            self.tree.nodes[joint].now = best;
            self.tree.forward();
        }
    }
}
