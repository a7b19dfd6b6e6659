//! Tells the code whether it is optimised: vector kernels that are not are large and slow, so there is one of each then.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(sinew_unoptimised)");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=sinew_unoptimised");
    }
}
