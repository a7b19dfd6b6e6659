//! Slots for nodes, linked into trees by parent, child and sibling. Each slot counts its removals,
//! and an id holds that count. The id of a removed node therefore never refers to another node.

use super::{NodeId, SceneNode};

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    node: SceneNode,
    links: Links,
}

#[derive(Clone, Copy, Debug, Default)]
struct Links {
    parent: Option<u32>,
    first_child: Option<u32>,
    last_child: Option<u32>,
    previous_sibling: Option<u32>,
    next_sibling: Option<u32>,
}

/// Nodes by index. Index arguments must refer to live nodes, as from [`Arena::index`].
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    slots: Vec<Slot>,
    free: Vec<u32>,
    len: usize,
}

impl Arena {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn index(&self, id: NodeId) -> Option<u32> {
        let slot = self.slots.get(id.index as usize)?;
        (slot.generation == id.generation && slot.entry.is_some()).then_some(id.index)
    }

    pub(super) fn id(&self, index: u32) -> NodeId {
        NodeId {
            index,
            generation: self.slots[index as usize].generation,
        }
    }

    fn entry(&self, index: u32) -> &Entry {
        let entry = self.slots[index as usize].entry.as_ref();
        entry.expect("indices are those of live nodes")
    }

    fn entry_mut(&mut self, index: u32) -> &mut Entry {
        let entry = self.slots[index as usize].entry.as_mut();
        entry.expect("indices are those of live nodes")
    }

    pub(super) fn node(&self, index: u32) -> &SceneNode {
        &self.entry(index).node
    }

    pub(super) fn node_mut(&mut self, index: u32) -> &mut SceneNode {
        &mut self.entry_mut(index).node
    }

    pub(super) fn parent(&self, index: u32) -> Option<u32> {
        self.entry(index).links.parent
    }

    pub(super) fn first_child(&self, index: u32) -> Option<u32> {
        self.entry(index).links.first_child
    }

    pub(super) fn next_sibling(&self, index: u32) -> Option<u32> {
        self.entry(index).links.next_sibling
    }

    pub(super) fn ancestors(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(index), |&i| self.parent(i))
    }

    pub(super) fn root_of(&self, index: u32) -> u32 {
        self.ancestors(index).last().unwrap_or(index)
    }

    pub(super) fn subtree(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(top), move |&index| {
            self.first_child(index).or_else(|| {
                let mut below_top = self.ancestors(index).take_while(|&a| a != top);
                below_top.find_map(|a| self.next_sibling(a))
            })
        })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let live = |(index, slot): (usize, &Slot)| slot.entry.is_some().then_some(index as u32);
        self.slots.iter().enumerate().filter_map(live)
    }

    /// Inserts a node as last child of `parent`, or as root of a new tree. `None` if no id is free.
    pub(super) fn insert(&mut self, parent: Option<u32>, node: SceneNode) -> Option<u32> {
        let entry = Some(Entry {
            node,
            links: Links::default(),
        });
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize].entry = entry;
                index
            }
            None => {
                let index = u32::try_from(self.slots.len()).ok()?;
                self.slots.push(Slot {
                    generation: 0,
                    entry,
                });
                index
            }
        };
        self.len += 1;
        if let Some(parent) = parent {
            self.link(index, parent);
        }
        Some(index)
    }

    pub(super) fn remove(&mut self, top: u32) {
        self.unlink(top);
        let doomed: Vec<u32> = self.subtree(top).collect();
        self.len -= doomed.len();
        for index in doomed {
            let slot = &mut self.slots[index as usize];
            slot.entry = None;
            // A slot with an exhausted count is not reused, so its ids stay invalid.
            if let Some(next) = slot.generation.checked_add(1) {
                slot.generation = next;
                self.free.push(index);
            }
        }
    }

    /// Moves a subtree to another parent. `parent` must not be in the subtree.
    pub(super) fn reparent(&mut self, index: u32, parent: u32) {
        self.unlink(index);
        self.link(index, parent);
    }

    fn link(&mut self, index: u32, parent: u32) {
        let previous = self.entry_mut(parent).links.last_child.replace(index);
        match previous {
            Some(previous) => self.entry_mut(previous).links.next_sibling = Some(index),
            None => self.entry_mut(parent).links.first_child = Some(index),
        }
        let links = &mut self.entry_mut(index).links;
        links.parent = Some(parent);
        links.previous_sibling = previous;
        links.next_sibling = None;
    }

    fn unlink(&mut self, index: u32) {
        let links = self.entry(index).links;
        let Some(parent) = links.parent else {
            return;
        };
        match links.previous_sibling {
            Some(previous) => self.entry_mut(previous).links.next_sibling = links.next_sibling,
            None => self.entry_mut(parent).links.first_child = links.next_sibling,
        }
        match links.next_sibling {
            Some(next) => self.entry_mut(next).links.previous_sibling = links.previous_sibling,
            None => self.entry_mut(parent).links.last_child = links.previous_sibling,
        }
        let links = &mut self.entry_mut(index).links;
        links.parent = None;
        links.previous_sibling = None;
        links.next_sibling = None;
    }
}
