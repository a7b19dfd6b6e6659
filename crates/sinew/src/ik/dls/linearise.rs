use super::goal::{Kind, Target};
use super::step::Step;
use super::tree::Tree;
use crate::ik::frame::{Vec3F64, sub};
use sinew_math::transform::quat_f64::{add_scaled, cross, dot, scaled};

impl Tree {
    /// Linearises the goals at the current state. Returns the weighted sum of squared errors.
    pub fn linearise(&mut self, targets: &[Target], step: &mut Step) -> f64 {
        step.begin();
        let mut sum = 0.0;
        self.points.clear();
        for target in targets {
            let missing = scaled(self.missing(target), target.weight);
            sum += dot(missing, missing);
            step.add_goal(missing);
            let point = self.point(target);
            self.points.push(point);
        }
        for &joint in &self.used {
            let node = &self.nodes[joint];
            let carried = self.carried_by(joint);
            if node.rotates() {
                let jacobian_axes = node.angles.jacobian_axes(&node.now.state);
                let rest_frame = node.parent_frame.mul(node.rest);
                for i in 0..node.angles.count() {
                    let axis = rest_frame.rotate(jacobian_axes.axes[i]);
                    step.add_column(node.mobility, jacobian_axes.step_ranges[i]);
                    for &nth in carried {
                        let (target, point) = (&targets[nth], self.points[nth]);
                        let change = self.rotated(target, point, axis, node.origin);
                        step.add_part(nth, scaled(change, target.weight));
                    }
                }
            }
            if node.slides() {
                let unit = node.slides.unit(self.size);
                for (axis, distance) in node.slides.axes[..node.slides.count]
                    .iter()
                    .zip(node.now.slid)
                {
                    let way = scaled(*axis, node.parent_scale * unit);
                    let way = node.parent_frame.rotate(way);
                    let range = node.slides.step_range(distance);
                    step.add_column(node.slide_mobility, range.map(|end| end / unit));
                    for &nth in carried {
                        let change = moved(&targets[nth], self.points[nth], way);
                        step.add_part(nth, scaled(change, targets[nth].weight));
                    }
                }
            }
        }
        sum
    }

    #[inline]
    fn rotated(&self, target: &Target, point: Vec3F64, axis: Vec3F64, origin: Vec3F64) -> Vec3F64 {
        match target.kind {
            Kind::Position => cross(axis, sub(point, origin)),
            Kind::Orientation => axis,
            Kind::LookAt => {
                let sight = self.nodes[target.joint].frame.rotate(target.axis);
                let across = add_scaled(axis, sight, -dot(axis, sight));
                let way = cross(axis, sub(point, origin));
                add_scaled(across, moved(target, point, way), 1.0)
            }
        }
    }
}

fn moved(target: &Target, point: Vec3F64, way: Vec3F64) -> Vec3F64 {
    match target.kind {
        Kind::Position => way,
        Kind::Orientation => [0.0; 3],
        Kind::LookAt => {
            // If the eye moves, the target moves the opposite way relative to it.
            let to = sub(target.at, point);
            let squared = dot(to, to);
            if squared > 0.0 {
                scaled(cross(to, way), 1.0 / squared)
            } else {
                [0.0; 3]
            }
        }
    }
}
