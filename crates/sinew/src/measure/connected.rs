//! What hangs together: disjoint sets that are joined one pair at a time (Galler and Fischer 1964).

/// Each element belongs to the set of its root.
#[derive(Default)]
pub(super) struct Connected {
    /// An element's neighbour nearer to the root; a root's is itself.
    toward: Vec<usize>,
}

impl Connected {
    /// Adds an element that is connected to nothing.
    pub fn push(&mut self) -> usize {
        self.toward.push(self.toward.len());
        self.toward.len() - 1
    }

    /// The element that stands for a set: its lowest.
    pub fn root(&mut self, mut element: usize) -> usize {
        while self.toward[element] != element {
            self.toward[element] = self.toward[self.toward[element]];
            element = self.toward[element];
        }
        element
    }

    /// Makes the sets of two elements one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.toward[a.max(b)] = a.min(b);
    }
}
