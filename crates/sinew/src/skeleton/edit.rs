//! Edits that return a new skeleton and the map from the old joints to the new.
