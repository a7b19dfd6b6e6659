//! Tells the code if it is optimised. If not, kernels are large and slow: one set is compiled.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(sinew_unoptimised)");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=sinew_unoptimised");
    }
}
