//! List of workgroups, so that one dispatch can process meshes of any size.

use super::layout::{Group, WorkRecord};

/// Number of workgroups that keeps a large GPU busy.
pub(crate) const ENOUGH_GROUPS: u64 = 4096;
/// Number of workgroups that keeps a few CPU cores busy. Starting a workgroup is expensive there.
pub(crate) const ENOUGH_ON_CPU: u64 = 64;
/// Number of workgroups in a row of the grid. WebGPU guarantees 65535.
const ROW: usize = 32768;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub mesh: u32,
    pub pairs: u32,
    pub first_instance: u32,
    pub instances: u32,
}

/// Workgroups, each for some pairs of some instances. Neighbours share palettes.
pub(crate) fn list(runs: &[Run], group: Group, enough_groups: u64) -> Vec<WorkRecord> {
    let groups = |run: &Run| u64::from(run.pairs.div_ceil(group.pairs)) * u64::from(run.instances);
    let total: u64 = runs.iter().map(groups).sum();
    let shared = (total / enough_groups).clamp(1, u64::from(group.max_instances)) as u32;
    let mut work = Vec::new();
    for run in runs {
        for first in (0..run.instances).step_by(shared as usize) {
            for first_pair in (0..run.pairs).step_by(group.pairs as usize) {
                work.push(WorkRecord {
                    mesh: run.mesh,
                    first_pair,
                    first_instance: run.first_instance + first,
                    instances: shared.min(run.instances - first),
                });
            }
        }
    }
    work
}

/// Pads the list with idle workgroups to a rectangle. Returns its width and height.
pub(crate) fn fill_grid(work: &mut Vec<WorkRecord>) -> (u32, u32) {
    let Some(&idle) = work.first() else {
        return (0, 0);
    };
    let width = work.len().min(ROW);
    let height = work.len().div_ceil(width);
    let idle = WorkRecord {
        instances: 0,
        ..idle
    };
    work.resize(width * height, idle);
    (width as u32, height as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: Group = Group::UNSTAGED;

    fn times(runs: &[Run], pairs: u32, instances: u32) -> Vec<u32> {
        let mut times = vec![0; (pairs * instances) as usize];
        for item in list(runs, GROUP, ENOUGH_GROUPS) {
            for instance in item.first_instance..item.first_instance + item.instances {
                for pair in item.first_pair..pairs.min(item.first_pair + GROUP.pairs) {
                    times[(instance * pairs + pair) as usize] += 1;
                }
            }
        }
        times
    }

    #[test]
    fn every_pair_of_every_instance_is_done_once() {
        for (pairs, instances) in [(8, 1), (64, 3), (72, 7), (520, 5000)] {
            let run = Run {
                mesh: 0,
                pairs,
                first_instance: 0,
                instances,
            };
            let times = times(&[run], pairs, instances);
            assert!(
                times.iter().all(|&t| t == 1),
                "{pairs} pairs, {instances} instances"
            );
        }
    }

    #[test]
    fn a_crowd_shares_loads_and_a_soloist_spreads_out() {
        let run = |instances| Run {
            mesh: 0,
            pairs: 2576,
            first_instance: 0,
            instances,
        };
        assert!(
            list(&[run(10_000)], GROUP, ENOUGH_GROUPS)
                .iter()
                .all(|w| w.instances == GROUP.max_instances)
        );
        assert_eq!(list(&[run(1)], GROUP, ENOUGH_GROUPS).len(), 41);
    }

    #[test]
    fn a_grid_is_filled_with_idle_groups() {
        let mut work = list(
            &[Run {
                mesh: 3,
                pairs: 64,
                first_instance: 0,
                instances: 33_000 * 16,
            }],
            GROUP,
            ENOUGH_GROUPS,
        );
        assert_eq!(fill_grid(&mut work), (32768, 2));
        assert_eq!(
            work.iter().filter(|w| w.instances == 0).count(),
            65536 - 33_000
        );
        assert_eq!(fill_grid(&mut Vec::new()), (0, 0));
    }
}
