//! A picture of every pass, held to what is stored under `tests/pictures`, and what must be true of it.
//!
//! `SINEW_UPDATE_PICTURES=1 cargo test -p sinew-gpu --test main picture` writes them anew; look at them then.

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
