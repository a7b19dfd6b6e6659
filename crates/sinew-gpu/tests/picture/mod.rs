//! A picture of every pass, compared with `tests/pictures`.
//!
//! `SINEW_UPDATE_PICTURES=1 cargo test -p sinew-gpu --test main picture` rewrites them; then look at them.

mod bindings;
mod characters;
mod crowds;
mod grove;
mod light;
mod overlays;
mod physical;
mod refused;
mod stages;
mod surfaces;
