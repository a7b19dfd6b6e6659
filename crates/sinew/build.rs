//! Sets a flag for builds without optimisation, which compile each slow vector kernel only once.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(sinew_unoptimised)");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=sinew_unoptimised");
    }
}
