//! Without a build script, cargo skips build-dependencies; the manifest says what they are for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
