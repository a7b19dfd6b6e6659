//! Arguments of Python as values of the libraries, and results as arrays.

pub mod arrays;
pub mod forms;
pub mod frames;
pub mod lent;
pub mod source;
