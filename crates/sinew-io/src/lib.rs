//! Reads and writes the files that skeletal characters come in.
