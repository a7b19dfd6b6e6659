//! Min and max of each component, computed while an accessor is decoded.

use super::Value;
use crate::gltf::document::format::{AccessorFormat, ComponentType};
use crate::gltf::document::schema::Accessor;
use crate::report::{FileReport, Severity};

/// Number of values compared in parallel: a multiple of 1, 2, 3, 4, 9 and 16 components.
const LANES: usize = 144;

/// Min and max of each component of the elements seen so far.
pub struct Bounds<V> {
    components: usize,
    // One pair per lane. All values of a lane belong to the same component.
    min: [V; LANES],
    max: [V; LANES],
    oddness: [f32; LANES],
    seen: bool,
}

impl<V: Value> Bounds<V> {
    /// Empty bounds for elements of `components` numbers.
    pub fn new(components: usize) -> Self {
        Self {
            components,
            min: [V::default(); LANES],
            max: [V::default(); LANES],
            oddness: [0.0; LANES],
            seen: false,
        }
    }

    /// Includes the values of complete elements.
    pub fn add(&mut self, values: &[V]) {
        if !self.seen {
            let Some(first) = values.get(..self.components) else {
                return;
            };
            for lanes in [&mut self.min, &mut self.max] {
                for lane in lanes.chunks_exact_mut(self.components) {
                    lane.copy_from_slice(first);
                }
            }
            self.seen = true;
        }
        let mut blocks = values.chunks_exact(LANES);
        for block in &mut blocks {
            self.add_lanes(block);
        }
        self.add_lanes(blocks.remainder());
    }

    fn add_lanes(&mut self, values: &[V]) {
        let lanes = self
            .min
            .iter_mut()
            .zip(&mut self.max)
            .zip(&mut self.oddness);
        for (((min, max), oddness), value) in lanes.zip(values) {
            *min = if *value < *min { *value } else { *min };
            *max = if *value > *max { *value } else { *max };
            *oddness += value.oddness();
        }
    }

    /// True if a value was infinite or NaN.
    pub fn has_odd_values(&self) -> bool {
        self.oddness.iter().any(|oddness| oddness.is_nan())
    }

    fn folded(&self, lanes: &[V; LANES], component: usize, wins: impl Fn(V, V) -> bool) -> V {
        let of_component = lanes.iter().skip(component).step_by(self.components);
        of_component
            .copied()
            .reduce(|best, lane| if wins(lane, best) { lane } else { best })
            .unwrap_or_default()
    }

    pub(in crate::gltf) fn check(
        &self,
        accessor: &Accessor,
        format: AccessorFormat,
        index: u32,
        report: &mut FileReport,
    ) {
        if self.has_odd_values() {
            let message = "some values are infinite or not numbers; they were set to 0";
            report.add(
                Severity::Repaired,
                "ACCESSOR_INVALID_FLOAT",
                format_args!("/accessors/{index}"),
                message,
            );
        }
        if !self.seen || format.component == ComponentType::Float && format.normalized {
            return;
        }
        let declared =
            |list: &Option<Box<[f64]>>| list.clone().filter(|list| list.len() == self.components);
        for (component, bound) in declared(&accessor.min).iter().flatten().enumerate() {
            let min = self.folded(&self.min, component, |lane, best| lane < best);
            let bound = V::from_bound(*bound, format);
            let pointer = format_args!("/accessors/{index}/min/{component}");
            if bound != min {
                report.add(
                    Severity::Repaired,
                    "ACCESSOR_MIN_MISMATCH",
                    pointer,
                    "the smallest value differs from the declared minimum",
                );
            }
            if min < bound {
                let message = "some values are less than the declared minimum";
                report.add(
                    Severity::Repaired,
                    "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
                    pointer,
                    message,
                );
            }
        }
        for (component, bound) in declared(&accessor.max).iter().flatten().enumerate() {
            let max = self.folded(&self.max, component, |lane, best| lane > best);
            let bound = V::from_bound(*bound, format);
            let pointer = format_args!("/accessors/{index}/max/{component}");
            if bound != max {
                report.add(
                    Severity::Repaired,
                    "ACCESSOR_MAX_MISMATCH",
                    pointer,
                    "the largest value differs from the declared maximum",
                );
            }
            if max > bound {
                let message = "some values are greater than the declared maximum";
                report.add(
                    Severity::Repaired,
                    "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
                    pointer,
                    message,
                );
            }
        }
    }
}
