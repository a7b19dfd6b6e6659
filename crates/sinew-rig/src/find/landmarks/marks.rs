//! Positions of joints under construction, with how sure they are.

use glam::DVec3;
use std::collections::BTreeMap;

/// Positions of joints by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    at: BTreeMap<String, (DVec3, f64)>,
}

impl Marks {
    /// Sets a position and its confidence, in [0, 1].
    pub fn set(&mut self, name: impl Into<String>, at: DVec3, sure: f64) {
        self.at.insert(name.into(), (at, sure));
    }

    /// Position of a joint.
    pub fn at(&self, name: &str) -> Option<DVec3> {
        self.at.get(name).map(|mark| mark.0)
    }

    /// Confidence in a joint, in [0, 1].
    pub fn sure(&self, name: &str) -> f64 {
        self.at.get(name).map_or(0.0, |mark| mark.1)
    }

    /// Makes pairs that are nearly mirror images about a plane across x exact ones. Joints that
    /// were found on one side only get their image on the other.
    pub fn mirror(&mut self, near: f64) {
        let pairs: Vec<(String, String)> = self
            .at
            .keys()
            .filter_map(|name| {
                Some((
                    name.clone(),
                    format!("right_{}", name.strip_prefix("left_")?),
                ))
            })
            .filter(|(_, right)| self.at.contains_key(right))
            .collect();
        if pairs.is_empty() {
            return;
        }
        let mut middles: Vec<f64> = pairs
            .iter()
            .map(|(l, r)| 0.5 * (self.at[l].0.x + self.at[r].0.x))
            .collect();
        middles.sort_by(f64::total_cmp);
        // The mean of the middle two, so that a mirrored body has the mirrored plane.
        let last = middles.len() - 1;
        let plane = 0.5 * (middles[last / 2] + middles[middles.len() / 2]);
        for (left, right) in pairs {
            let (a, b) = (self.at[&left], self.at[&right]);
            let image = |p: DVec3| DVec3::new(2.0 * plane - p.x, p.y, p.z);
            if a.0.distance(image(b.0)) <= near {
                let mean = 0.5 * (a.0 + image(b.0));
                self.set(left, mean, a.1.max(b.1));
                self.set(right, image(mean), a.1.max(b.1));
            }
        }
    }
}
