//! Disjoint sets with union and find (Galler and Fischer 1964).

#[derive(Default)]
pub(super) struct Connected {
    /// For each element, an element nearer to the root. A root refers to itself.
    toward: Vec<usize>,
}

impl Connected {
    /// Adds a set of one element.
    pub fn push(&mut self) -> usize {
        self.toward.push(self.toward.len());
        self.toward.len() - 1
    }

    /// Lowest element of a set, which represents it.
    pub fn root(&mut self, mut element: usize) -> usize {
        while self.toward[element] != element {
            self.toward[element] = self.toward[self.toward[element]];
            element = self.toward[element];
        }
        element
    }

    /// Unites the sets of two elements.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.toward[a.max(b)] = a.min(b);
    }
}
