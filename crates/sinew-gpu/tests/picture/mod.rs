//! Pictures of every pass, compared with those in `tests/pictures`.
//!
//! `SINEW_UPDATE_PICTURES=1 cargo test -p sinew-gpu --test main picture` rewrites them. Check them.

mod bindings;
mod characters;
mod crowds;
mod driven;
mod grove;
mod light;
mod overlays;
mod physical;
mod refused;
mod stages;
mod surfaces;
