//! Numbers of a pose at their limits: the ends of ranges and the rims of cones.

use super::body::Body;

/// Max distance of a swing from its rim that counts as at the rim, as a fraction of the cone angle.
pub(crate) const AT_RIM: f64 = 1e-9;

/// Swing at the rim of its cone. Its two numbers become motion outward and along the rim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rim {
    pub number: usize,
    /// Outward direction, in the two numbers of the swing.
    pub outward: [f64; 2],
}

impl Rim {
    /// Converts the two numbers of the swing to motion outward and along the rim.
    pub fn rotated<T>(&self, [a, b]: [T; 2]) -> [T; 2]
    where
        T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
    {
        let [x, y] = self.outward;
        [a * x + b * y, a * -y + b * x]
    }

    /// Converts motion outward and along the rim to the two numbers of the swing.
    pub fn back(&self, [out, along]: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.outward;
        [out * x - along * y, out * y + along * x]
    }
}

pub(crate) fn hold(body: &Body, q: &[f64], right: &[f64], held: &mut [bool], rims: &mut Vec<Rim>) {
    for &index in &body.moving {
        let segment = &body.segments[index];
        let numbers = body.numbers(index, q);
        for (nth, &x) in numbers.iter().enumerate() {
            let [low, high] = segment.coordinates.range(nth);
            let drives = right[segment.first + nth];
            held[segment.first + nth] = (x <= low && drives < 0.0) || (x >= high && drives > 0.0);
        }
        if let Some(rim) = segment.coordinates.rim() {
            let swing = libm::hypot(numbers[0], numbers[1]);
            let number = segment.first;
            let drives = numbers[0] * right[number] + numbers[1] * right[number + 1];
            if swing >= rim * (1.0 - AT_RIM) && swing > 0.0 && drives > 0.0 {
                held[number] = true;
                rims.push(Rim {
                    number,
                    outward: [numbers[0] / swing, numbers[1] / swing],
                });
            }
        }
    }
}
