//! Skeletal character animation, from rig to skinned vertices.
