//! Infinite or NaN numbers in a joint affect only its vertices, and in a vertex only that vertex.

use super::*;

#[test]
fn a_joint_that_is_no_number_harms_the_vertices_of_that_joint_alone() {
    with_gpu(|gpu| {
        for (influences, method) in [(3, Method::Linear), (4, Method::DualQuat)] {
            let load = SkinLoad::new(300, influences, false);
            let mesh = SkinMesh::new(&primitive(&load), method, Order::Plan).unwrap();
            let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
            let mut batch = one(gpu, &skinner, method);
            let good = on_cpu(&load, &load.pose, method);
            for (value, column) in [(f32::NAN, 3), (f32::INFINITY, 0), (f32::NAN, 1)] {
                let mut pose = load.pose.clone();
                pose.as_mut_slice()[12].rows[1][column] = value;
                let found = posed(gpu, &mut batch, &mesh, &load, &pose, method);
                let touched = |vertex: usize| load.influences.get(vertex).any(|(j, _)| j == 12);
                let (harmed, whole): (Vec<_>, Vec<_>) = (0..300).partition(|&v| touched(v));
                assert!(!harmed.is_empty() && !whole.is_empty());
                let of = |all: &[Vec3]| whole.iter().map(|&v| all[v]).collect::<Vec<_>>();
                let found: Vec<_> = whole.iter().map(|&v| found[v]).collect();
                let what = format!("{method:?}, {value} in column {column}");
                assert_alike(&found, &(of(&good.0), of(&good.1)), &what);
            }
        }
    });
}

#[test]
fn a_position_that_is_no_number_harms_that_vertex_alone() {
    with_gpu(|gpu| {
        for (influences, method) in [(3, Method::Linear), (4, Method::DualQuat)] {
            let load = SkinLoad::new(300, influences, false);
            let good = on_cpu(&load, &load.pose, method);
            for (harmed, value) in [(0, f32::NAN), (131, f32::INFINITY), (299, f32::NAN)] {
                let mut surface = primitive(&load);
                Arc::make_mut(&mut surface.positions)[harmed].y = value;
                let mesh = SkinMesh::new(&surface, method, Order::Plan).unwrap();
                let skinner = Skinner::new(gpu, std::slice::from_ref(&mesh)).unwrap();
                let mut batch = one(gpu, &skinner, method);
                let found = posed(gpu, &mut batch, &mesh, &load, &load.pose, method);
                let whole = || (0..300).filter(|&vertex| vertex != harmed);
                let of = |all: &[Vec3]| whole().map(|v| all[v]).collect::<Vec<_>>();
                let rest: Vec<_> = whole().map(|v| found[v]).collect();
                let what = format!("{method:?}, {value} at {harmed}");
                assert_alike(&rest, &(of(&good.0), of(&good.1)), &what);
            }
        }
    });
}
