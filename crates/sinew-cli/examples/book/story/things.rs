//! A table with books, as a scene of instances. The book that is taken moves from table to hand.

use glam::{Vec3, Vec4};
use sinew::mesh::shapes::{self, Cylinder};
use sinew::scene::{NodeId, Scene, SceneError, SceneNode};
use sinew::transform::Axis;
use sinew::{Affine, Primitive, Transform};

/// Size along x, y and z; the grasped edge is at +x.
const BOOK: Vec3 = Vec3::new(0.16, 0.034, 0.23);
const TABLE: Vec3 = Vec3::new(0.56, 0.03, 0.92);
const TABLE_TOP: f32 = 0.80;
/// Edge of the table, right of the person, and overhang of the book.
const EDGE_X: f32 = -0.49;
const JUTS: f32 = 0.05;
const BOOK_Z: f32 = 0.20;

/// Colour of the book that is taken.
pub const RED: [f32; 4] = [0.30, 0.045, 0.04, 1.0];

/// Position of the book on the table.
pub fn world_from_book() -> Transform {
    let at = Vec3::new(
        EDGE_X + JUTS - 0.5 * BOOK.x,
        TABLE_TOP + 0.5 * BOOK.y,
        BOOK_Z,
    );
    Transform::from_translation(at)
}

/// Middle of the edge that is grasped.
pub fn edge() -> Vec3 {
    world_from_book().translation + Vec3::X * (0.5 * BOOK.x)
}

/// The scene and its important nodes.
pub struct Stage {
    pub scene: Scene,
    pub book: NodeId,
    pub hand: NodeId,
}

impl Stage {
    pub fn new() -> Result<Self, SceneError> {
        let mut scene = Scene::new();
        let root = scene.root();
        let geometry = scene.add_geometry(table());
        scene.create(root, SceneNode::shape("table", geometry))?;
        let geometry = scene.add_geometry(book([1.0; 4]));
        let prototype = scene.create_prototype("book")?;
        scene.create(
            prototype.root(),
            SceneNode::shape("pages and cover", geometry),
        )?;
        for (k, (transform, color)) in others().into_iter().enumerate() {
            let other = SceneNode::instance(format!("other book {}", k + 1), prototype);
            scene.create(root, other.placed(transform).colored(color))?;
        }
        let book = SceneNode::instance("book", prototype)
            .placed(world_from_book())
            .colored(RED);
        Ok(Self {
            book: scene.create(root, book)?,
            hand: scene.create(root, SceneNode::group("right_hand"))?,
            scene,
        })
    }

    /// Moves the hand and its children.
    pub fn move_hand(&mut self, world_from_hand: Affine) -> Result<(), SceneError> {
        self.scene.set_transform(self.hand, world_from_hand)
    }

    /// Attaches the book to the hand, in its current position.
    pub fn grasp(&mut self) -> Result<(), SceneError> {
        let hand = self.scene.world_from_node(self.hand)?;
        let book = self.scene.world_from_node(self.book)?;
        let hand_from_world = hand.inverse().expect("a hand has a size");
        self.scene.reparent(self.book, self.hand)?;
        self.scene.set_transform(self.book, hand_from_world * book)
    }
}

/// Transforms and colours of the books that stay.
pub fn others() -> [(Transform, [f32; 4]); 2] {
    let at = |x: f32, layer: f32, z: f32, turn: f32| {
        let y = TABLE_TOP + (layer + 0.5) * BOOK.y;
        Transform::from_rotation_translation(Axis::Y.rotation(turn), Vec3::new(x, y, z))
    };
    [
        (at(EDGE_X - 0.34, 0.0, -0.04, 0.4), [0.03, 0.12, 0.10, 1.0]),
        (at(EDGE_X - 0.33, 1.0, -0.05, 0.1), [0.34, 0.24, 0.05, 1.0]),
    ]
}

/// A block of pages in a cover, its back at −x.
pub fn book(cover: [f32; 4]) -> Primitive {
    let (cover, pages) = (Vec4::from(cover), Vec4::new(0.80, 0.75, 0.62, 1.0));
    let board = 0.003;
    let part = |size: Vec3, at: Vec3, color: Vec4| {
        (shapes::cuboid(size), Affine::from_translation(at), color)
    };
    let half = BOOK * 0.5;
    let lid = Vec3::new(BOOK.x, board, BOOK.z);
    shapes::merged(&[
        part(lid, Vec3::Y * (half.y - 0.5 * board), cover),
        part(lid, Vec3::Y * (0.5 * board - half.y), cover),
        part(
            Vec3::new(board, BOOK.y, BOOK.z),
            Vec3::X * (0.5 * board - half.x),
            cover,
        ),
        part(
            BOOK - Vec3::new(0.012, 2.0 * board, 0.010),
            Vec3::ZERO,
            pages,
        ),
    ])
}

/// The table, in world coordinates.
pub fn table() -> Primitive {
    let wood = Vec4::new(0.34, 0.19, 0.09, 1.0);
    let middle = Vec3::new(EDGE_X - 0.5 * TABLE.x, 0.0, 0.5 * TABLE.z - 0.22);
    let leg = Cylinder {
        length: TABLE_TOP - TABLE.y,
        radii: [0.016, 0.024],
        sectors: 12,
        axis: Axis::Y,
        ..Cylinder::default()
    };
    let top = middle + Vec3::Y * (TABLE_TOP - 0.5 * TABLE.y);
    let mut parts = vec![(shapes::cuboid(TABLE), Affine::from_translation(top), wood)];
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let at = middle + Vec3::new(x * (0.5 * TABLE.x - 0.05), 0.0, z * (0.5 * TABLE.z - 0.05));
        parts.push((leg.build(), Affine::from_translation(at), wood));
    }
    shapes::merged(&parts)
}
