//! Without a build script cargo leaves out build-dependencies; the manifest says what those are for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
