use glam::Quat;
use proptest::prelude::*;
use sinew::transform::{Axis, EulerOrder, product_of_rotations, quat};
use std::f32::consts::{FRAC_PI_2, PI};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

fn orders() -> Vec<EulerOrder> {
    let mut orders = Vec::new();
    for a in AXES {
        for b in AXES {
            orders.extend(AXES.iter().filter_map(|&c| EulerOrder::new([a, b, c])));
        }
    }
    orders
}

#[test]
fn there_are_twelve_orders_and_neighbours_differ() {
    assert_eq!(orders().len(), 12);
    assert!(EulerOrder::new([Axis::X, Axis::X, Axis::Y]).is_none());
    assert!(EulerOrder::new([Axis::Z, Axis::Y, Axis::Y]).is_none());
}

#[test]
fn the_last_axis_turns_first() {
    let q = EulerOrder::XYZ.to_quat([FRAC_PI_2, 0.0, FRAC_PI_2]);
    let turned = quat::rotate(q, Axis::X.vector());
    assert!((turned - Axis::Z.vector()).length() < 1e-6);
}

#[test]
fn at_gimbal_lock_the_last_angle_is_zero() {
    let third_turn = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let [first, middle, last] = EulerOrder::XYZ.from_quat(third_turn);
    assert!((first - FRAC_PI_2).abs() < 1e-6 && (middle - FRAC_PI_2).abs() < 1e-6);
    assert!(last.abs() < 1e-6);
}

#[test]
fn a_product_of_no_turns_or_of_none_that_is_finite_is_no_turn() {
    assert_eq!(product_of_rotations([]), Quat::IDENTITY);
    assert_eq!(product_of_rotations([(Axis::X, f64::NAN)]), Quat::IDENTITY);
}

fn round_trip_error(order: EulerOrder, q: Quat) -> f32 {
    quat::angle_between(order.to_quat(order.from_quat(q)), q)
}

proptest! {
    #[test]
    fn any_rotation_comes_back_from_its_angles(
        order in prop::sample::select(orders()),
        c in prop::array::uniform4(-1.0_f32..1.0),
    ) {
        let q = quat::normalized(Quat::from_array(c));
        let [_, middle, _] = order.from_quat(q);
        let [first, _, last] = order.axes();
        let (low, high) = if first == last { (0.0, PI) } else { (-FRAC_PI_2, FRAC_PI_2) };
        prop_assert!((low - 1e-6..=high + 1e-6).contains(&middle));
        prop_assert!(round_trip_error(order, q) <= 1e-6);
    }

    #[test]
    fn gimbal_lock_loses_no_rotation(
        order in prop::sample::select(orders()),
        quarters in prop::array::uniform3(-4..=4_i32),
        (a, c) in (-3.0_f32..3.0, -3.0_f32..3.0),
        log_nudge in prop_oneof![Just(f32::NEG_INFINITY), -9.0_f32..-1.0],
    ) {
        let nudge = 10.0_f32.powf(log_nudge);
        let lock = quarters[1] as f32 * FRAC_PI_2 + nudge;
        prop_assert!(round_trip_error(order, order.to_quat([a, lock, c])) <= 1e-6);
        let corner = quarters.map(|n| n as f32 * FRAC_PI_2);
        prop_assert!(round_trip_error(order, order.to_quat(corner)) <= 1e-6);
    }

    #[test]
    fn products_are_those_of_the_turns_one_by_one_rounded_once(
        turns in prop::collection::vec((prop::sample::select(AXES.to_vec()), -20.0_f64..20.0), 0..8),
    ) {
        let product = product_of_rotations(turns.iter().copied());
        let one_by_one = turns.iter().fold(glam::DQuat::IDENTITY, |product, (axis, angle)| {
            product * glam::DQuat::from_axis_angle(axis.vector().as_dvec3(), *angle)
        });
        for (found, wanted) in product.to_array().iter().zip(one_by_one.to_array()) {
            prop_assert!((f64::from(*found) - wanted).abs() <= 6e-8);
        }
    }
}
