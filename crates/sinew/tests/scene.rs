use glam::Vec3;
use proptest::prelude::*;
use sinew::mesh::shapes;
use sinew::scene::{Content, Draw, NodeId, PrototypeId, Scene, SceneError, SceneNode};
use sinew::transform::Axis;
use sinew::{Affine, Primitive, Transform};
use std::sync::Arc;

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn draws(scene: &Scene) -> Vec<Draw> {
    scene.draws().unwrap().collect()
}

/// Prototypes `first` → `second` → …, each with an instance of the next.
fn nested(scene: &mut Scene, names: &[&str]) -> Vec<PrototypeId> {
    let made = names.iter().map(|&n| scene.create_prototype(n));
    let made: Vec<PrototypeId> = made.collect::<Result<_, _>>().unwrap();
    for pair in made.windows(2) {
        let node = SceneNode::instance("inner", pair[1]);
        scene.create(pair[0].root(), node).unwrap();
    }
    made
}

#[test]
fn stale_ids_are_refused_everywhere() {
    let mut scene = Scene::new();
    let root = scene.root();
    let gone = scene.create(root, SceneNode::group("gone")).unwrap();
    scene.delete(gone).unwrap();
    let newcomer = scene.create(root, SceneNode::group("newcomer")).unwrap();
    assert_ne!(gone, newcomer, "the slot is used again under another id");

    let stale = SceneError::StaleNode { id: gone };
    let refusals = [
        scene.create(gone, SceneNode::default()).map(|_| ()),
        scene.delete(gone),
        scene.reparent(gone, newcomer),
        scene.reparent(newcomer, gone),
        scene.get(gone).map(|_| ()),
        scene.parent(gone).map(|_| ()),
        scene.children(gone).map(|_| ()),
        scene.world_from_node(gone).map(|_| ()),
        scene.set_transform(gone, Affine::IDENTITY),
        scene.set_color(gone, None),
        scene.set_material(gone, None),
        scene.set_content(gone, None),
    ];
    for refusal in refusals {
        assert_eq!(refusal, Err(stale.clone()));
    }
    assert_eq!(scene.get(newcomer).unwrap().name, "newcomer");
}

#[test]
fn a_node_cannot_hang_from_what_hangs_from_it() {
    let mut scene = Scene::new();
    let arm = scene.create(scene.root(), SceneNode::group("arm")).unwrap();
    let hand = scene.create(arm, SceneNode::group("hand")).unwrap();
    let refused = Err(SceneError::Cycle {
        node: "arm".into(),
        parent: "hand".into(),
    });
    assert_eq!(scene.reparent(arm, hand), refused);
    assert!(matches!(
        scene.reparent(arm, arm),
        Err(SceneError::Cycle { .. })
    ));
    assert_eq!(scene.parent(hand), Ok(Some(arm)), "nothing has changed");
}

#[test]
fn roots_stay_where_they_are() {
    let mut scene = Scene::new();
    let root = scene.root();
    let group = scene.create(root, SceneNode::group("group")).unwrap();
    let wheel = scene.create_prototype("wheel").unwrap();
    let refused = |name: &str| Err(SceneError::Root { name: name.into() });
    assert_eq!(scene.delete(root), refused("scene"));
    assert_eq!(scene.reparent(root, group), refused("scene"));
    assert_eq!(scene.reparent(wheel.root(), group), refused("wheel"));
}

#[test]
fn prototype_cycles_are_refused_by_name() {
    let mut scene = Scene::new();
    let [a, b, c] = nested(&mut scene, &["a", "b", "c"])[..] else {
        unreachable!()
    };
    let cycle = |name: &str| {
        Err(SceneError::PrototypeCycle {
            prototype: name.into(),
        })
    };
    let create = |scene: &mut Scene, inside: PrototypeId, of: PrototypeId| {
        let made = scene.create(inside.root(), SceneNode::instance("loop", of));
        made.map(|_| ())
    };
    assert_eq!(create(&mut scene, a, a), cycle("a"));
    assert_eq!(create(&mut scene, b, a), cycle("b"));
    assert_eq!(create(&mut scene, c, a), cycle("c"));
    let inside_c = scene
        .create(c.root(), SceneNode::group("inside c"))
        .unwrap();
    let content = Some(Content::Instance(b));
    assert_eq!(scene.set_content(inside_c, content), cycle("c"));

    let group = scene
        .create(scene.root(), SceneNode::group("group"))
        .unwrap();
    let shown = scene
        .create(group, SceneNode::instance("shown", a))
        .unwrap();
    assert_eq!(scene.reparent(group, inside_c), cycle("c"));
    assert_eq!(scene.parent(shown), Ok(Some(group)));
    assert_eq!(create(&mut scene, a, c), Ok(()));
}

#[test]
fn missing_geometry_and_prototypes_are_refused() {
    let mut scene = Scene::new();
    let root = scene.root();
    let mut other = Scene::new();
    let ball = other.add_geometry(Primitive::default());
    let refused = SceneError::NoSuchGeometry {
        geometry: ball,
        len: 0,
    };
    assert_eq!(
        scene.create(root, SceneNode::shape("ball", ball)),
        Err(refused.clone())
    );
    assert_eq!(
        scene.set_content(root, Some(Content::Geometry(ball))),
        Err(refused)
    );

    let wheel = scene.create_prototype("wheel").unwrap();
    let shown = scene
        .create(root, SceneNode::instance("shown", wheel))
        .unwrap();
    let in_use = SceneError::PrototypeInUse {
        prototype: "wheel".into(),
        instance: "shown".into(),
    };
    assert_eq!(scene.delete(wheel.root()), Err(in_use));
    scene.delete(shown).unwrap();
    scene.delete(wheel.root()).unwrap();
    let gone = SceneError::NoSuchPrototype {
        node: "shown".into(),
    };
    assert_eq!(
        scene.create(root, SceneNode::instance("shown", wheel)),
        Err(gone)
    );
}

/// `levels` nested prototypes of ten instances each.
fn tenfold(levels: usize, leaf: Option<Primitive>) -> Scene {
    let mut scene = Scene::new();
    let geometry = leaf.map(|l| scene.add_geometry(l));
    let mut inner = scene.create_prototype("leaf").unwrap();
    if let Some(geometry) = geometry {
        scene
            .create(inner.root(), SceneNode::shape("leaf", geometry))
            .unwrap();
    }
    for _ in 0..levels {
        let outer = scene.create_prototype("level").unwrap();
        for _ in 0..10 {
            scene
                .create(outer.root(), SceneNode::instance("one of ten", inner))
                .unwrap();
        }
        inner = outer;
    }
    scene
        .create(scene.root(), SceneNode::instance("all", inner))
        .unwrap();
    scene
}

#[test]
fn exploding_instances_are_counted_and_refused() {
    let leaf = || Some(shapes::cuboid(Vec3::ONE));
    let thousand = tenfold(3, leaf());
    assert_eq!(thousand.draw_count(), Ok(1000));
    assert_eq!(thousand.draws().unwrap().count(), 1000);

    let ten_billion = tenfold(10, leaf());
    assert_eq!(ten_billion.draw_count(), Ok(10_000_000_000));
    assert!(matches!(
        ten_billion.draws(),
        Err(SceneError::TooManyDraws { .. })
    ));

    let too_many_to_count = tenfold(30, leaf());
    assert!(matches!(
        too_many_to_count.draw_count(),
        Err(SceneError::TooManyDraws { limit: u64::MAX })
    ));

    // Nothing is drawn, but the traversal would not end.
    let hollow = tenfold(10, None);
    assert_eq!(hollow.draw_count(), Ok(0));
    assert!(matches!(
        hollow.draws(),
        Err(SceneError::TooManyDraws { .. })
    ));
}

#[test]
fn nodes_are_created_and_deleted_at_run_time() {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(shapes::sphere(1.0, 4, 6));
    let root = scene.root();
    let mut born = Vec::new();
    for second in 0..100 {
        let parent = born.last().copied().unwrap_or(root);
        born.push(
            scene
                .create(
                    parent,
                    SceneNode::shape("ball", ball).placed(at(0.0, 1.0, 0.0)),
                )
                .unwrap(),
        );
        if second % 10 == 9 {
            let keep = born.len() - 5;
            scene.delete(born[keep]).unwrap();
            for gone in born.drain(keep..) {
                assert!(scene.get(gone).is_err(), "the subtree goes with it");
            }
        }
    }
    assert_eq!(scene.len(), 1 + born.len());
    let top = draws(&scene).last().unwrap().world_from_geometry;
    assert_eq!(top.translation(), Vec3::new(0.0, 50.0, 0.0));
}

#[test]
fn a_very_deep_tree_is_walked() {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(Primitive::default());
    let mut last = scene.root();
    for _ in 0..200_000 {
        last = scene.create(last, SceneNode::group("link")).unwrap();
    }
    scene.create(last, SceneNode::shape("end", ball)).unwrap();
    assert_eq!(draws(&scene).len(), 1);
    let first = scene.children(scene.root()).unwrap().next().unwrap();
    scene.delete(first).unwrap();
    assert_eq!(scene.len(), 1);
}

#[test]
fn reparenting_moves_a_subtree_and_keeps_order() {
    let mut scene = Scene::new();
    let root = scene.root();
    let [a, b, c] = ["a", "b", "c"]
        .map(|name| scene.create(root, SceneNode::group(name).placed(at(1.0, 0.0, 0.0))));
    let (a, b, c) = (a.unwrap(), b.unwrap(), c.unwrap());
    let on_b = scene.create(b, SceneNode::group("on b")).unwrap();
    scene.reparent(b, c).unwrap();
    let children = |id: NodeId| scene.children(id).unwrap().collect::<Vec<_>>();
    assert_eq!(children(root), [a, c]);
    assert_eq!(children(c), [b]);
    assert_eq!(
        scene.world_from_node(on_b).unwrap().translation(),
        Vec3::new(2.0, 0.0, 0.0)
    );
    scene.reparent(a, root).unwrap();
    let children: Vec<_> = scene.children(root).unwrap().collect();
    assert_eq!(children, [c, a], "last, even among its own siblings");
}

#[test]
fn a_node_draws_what_it_holds_at_its_own_transform() {
    let mut scene = Scene::new();
    let [ball, cube] = [(); 2].map(|()| scene.add_geometry(Primitive::default()));
    let root = scene.root();
    let arm = SceneNode::group("arm").placed(at(1.0, 0.0, 0.0));
    let arm = scene.create(root, arm).unwrap();
    let hand = SceneNode::shape("hand", ball).placed(at(0.0, 2.0, 0.0));
    let hand = scene.create(arm, hand).unwrap();
    let seen = |scene: &Scene| -> Vec<_> {
        let draws = draws(scene).into_iter();
        draws
            .map(|d| (d.node, d.geometry, d.world_from_geometry.translation()))
            .collect()
    };
    let (at_arm, at_hand) = (Vec3::X, Vec3::new(1.0, 2.0, 0.0));
    assert_eq!(seen(&scene), [(hand, ball, at_hand)]);
    scene
        .set_content(arm, Some(Content::Geometry(cube)))
        .unwrap();
    assert_eq!(seen(&scene), [(arm, cube, at_arm), (hand, ball, at_hand)]);
    scene
        .set_content(hand, Some(Content::Geometry(cube)))
        .unwrap();
    assert_eq!(seen(&scene), [(arm, cube, at_arm), (hand, cube, at_hand)]);
    scene.set_content(hand, None).unwrap();
    assert_eq!(seen(&scene), [(arm, cube, at_arm)]);
    assert_eq!(scene.children(arm).unwrap().collect::<Vec<_>>(), [hand]);
}

#[test]
fn colour_and_material_come_down_and_never_sideways() {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(Primitive::default());
    let root = scene.root();
    let shape = |name: &str| SceneNode::shape(name, ball);
    let bare = scene.create(root, shape("bare")).unwrap();
    let red = scene
        .create(root, shape("red").colored(RED).with_material(1))
        .unwrap();
    let below = scene.create(red, shape("below")).unwrap();
    let blue = scene.create(red, shape("blue").colored(BLUE)).unwrap();
    let after = scene.create(red, shape("after").with_material(2)).unwrap();
    let last = scene.create(root, shape("last")).unwrap();
    let seen: Vec<_> = draws(&scene)
        .iter()
        .map(|d| (d.node, d.color, d.material))
        .collect();
    assert_eq!(
        seen,
        [
            (bare, None, None),
            (red, Some(RED), Some(1)),
            (below, Some(RED), Some(1)),
            (blue, Some(BLUE), Some(1)),
            (after, Some(RED), Some(2)),
            (last, None, None),
        ]
    );
}

#[test]
fn what_a_prototype_does_not_set_comes_from_its_instance() {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(Primitive::default());
    let inner = scene.create_prototype("inner").unwrap();
    scene
        .create(inner.root(), SceneNode::shape("plain", ball))
        .unwrap();
    let own = SceneNode::shape("own", ball).colored(BLUE).with_material(7);
    scene.create(inner.root(), own).unwrap();
    let outer = scene.create_prototype("outer").unwrap();
    scene
        .create(outer.root(), SceneNode::instance("nested", inner))
        .unwrap();
    let root = scene.root();
    let red = scene
        .create(root, SceneNode::instance("red", outer).colored(RED))
        .unwrap();
    let bare = scene
        .create(root, SceneNode::instance("bare", outer))
        .unwrap();
    let seen: Vec<_> = draws(&scene)
        .iter()
        .map(|d| (d.instance, d.color, d.material))
        .collect();
    assert_eq!(
        seen,
        [
            (Some(red), Some(RED), None),
            (Some(red), Some(BLUE), Some(7)),
            (Some(bare), None, None),
            (Some(bare), Some(BLUE), Some(7)),
        ]
    );
}

#[test]
fn an_instance_is_scaled_turned_and_moved() {
    let mut scene = Scene::new();
    let ball = scene.add_geometry(Primitive::default());
    let tower = scene.create_prototype("tower").unwrap();
    let top = SceneNode::shape("top", ball).placed(at(1.0, 0.0, 0.0));
    scene.create(tower.root(), top).unwrap();
    let place = Transform {
        translation: Vec3::new(0.0, 0.0, 5.0),
        rotation: Axis::Z.rotation(std::f32::consts::FRAC_PI_2),
        scale: Vec3::splat(3.0),
    };
    let instance = SceneNode::instance("one", tower).placed(place);
    let id = scene.create(scene.root(), instance).unwrap();
    let stands = |scene: &Scene| draws(scene)[0].world_from_geometry.translation();
    assert!(stands(&scene).distance(Vec3::new(0.0, 3.0, 5.0)) < 1e-6);

    // An edit of a prototype affects all instances. An edit of an instance affects only itself.
    scene
        .set_transform(tower.root(), at(1.0, 0.0, 0.0).to_affine())
        .unwrap();
    assert!(stands(&scene).distance(Vec3::new(0.0, 6.0, 5.0)) < 1e-6);
    scene.set_transform(id, Affine::IDENTITY).unwrap();
    assert_eq!(stands(&scene), Vec3::new(2.0, 0.0, 0.0));
}

#[test]
fn geometry_is_shared_not_copied() {
    let mut scene = Scene::new();
    let shared = Arc::new(shapes::cuboid(Vec3::ONE));
    let ball = scene.add_geometry(shared.clone());
    for _ in 0..4 {
        scene
            .create(scene.root(), SceneNode::shape("wheel", ball))
            .unwrap();
    }
    for draw in draws(&scene) {
        let geometry = &scene.geometries()[draw.geometry.index()];
        assert!(Arc::ptr_eq(geometry, &shared));
    }
}

proptest! {
    #[test]
    fn random_edits_keep_a_tree(edits in prop::collection::vec((0_u8..4, 0_usize..40, 0_usize..40), 0..200)) {
        let mut scene = Scene::new();
        let ball = scene.add_geometry(Primitive::default());
        let mut alive: Vec<(NodeId, Option<NodeId>)> = vec![(scene.root(), None)];
        for (kind, one, other) in edits {
            let (node, _) = alive[one % alive.len()];
            let (place, _) = alive[other % alive.len()];
            let hangs_from = |mut id: NodeId, top: NodeId, alive: &[(NodeId, Option<NodeId>)]| loop {
                if id == top {
                    return true;
                }
                match alive.iter().find(|a| a.0 == id).and_then(|a| a.1) {
                    Some(parent) => id = parent,
                    None => return false,
                }
            };
            match kind {
                0 | 1 => {
                    let made = scene.create(place, SceneNode::shape("n", ball)).unwrap();
                    alive.push((made, Some(place)));
                }
                2 => {
                    let allowed = node != scene.root() && !hangs_from(place, node, &alive);
                    prop_assert_eq!(scene.reparent(node, place).is_ok(), allowed);
                    if allowed {
                        let entry = alive.iter_mut().find(|a| a.0 == node).unwrap();
                        entry.1 = Some(place);
                    }
                }
                _ => {
                    let allowed = node != scene.root();
                    prop_assert_eq!(scene.delete(node).is_ok(), allowed);
                    if allowed {
                        let before = alive.clone();
                        alive.retain(|a| !hangs_from(a.0, node, &before));
                    }
                }
            }
        }
        prop_assert_eq!(scene.len(), alive.len());
        prop_assert_eq!(scene.draw_count(), Ok(alive.len() as u64 - 1));
        let mut seen = vec![scene.root()];
        for draw in scene.draws().unwrap() {
            let parent = scene.parent(draw.node).unwrap().unwrap();
            prop_assert!(alive.contains(&(draw.node, Some(parent))));
            prop_assert!(seen.contains(&parent), "parents first");
            prop_assert!(!seen.contains(&draw.node), "each once");
            seen.push(draw.node);
        }
    }
}
