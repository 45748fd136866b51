//! Links the released program on Linux so that it is smaller, as far as the linker knows how: functions that are the same are
//! kept once, and the addresses that are filled in when it starts are written in short.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the linker is asked for. The second needs a C library from 2022 on, that of the machine that builds.
const OPTIONS: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|v| v == value);
    let linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ARCH", "x86_64");
    let native = env::var("HOST").ok() == env::var("TARGET").ok();
    if !(is("PROFILE", "release") && linux && native) {
        return;
    }
    for option in OPTIONS {
        if works(option) {
            println!("cargo:rustc-link-arg-bins={option}");
        }
    }
}

/// Whether a program that is linked with an option runs here.
fn works(option: &str) -> bool {
    let folder = env::var("OUT_DIR").unwrap_or_default();
    let program = Path::new(&folder).join("probe");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiling = Command::new(compiler)
        .args(flags.split('\x1f').filter(|flag| !flag.is_empty()))
        .args(["--crate-name", "probe", "--crate-type", "bin", "-C"])
        .arg(format!("link-arg={option}"))
        .arg("-o")
        .arg(&program)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut compiling) = compiling else {
        return false;
    };
    let written = compiling
        .stdin
        .take()
        .map(|mut text| text.write_all(b"fn main() {}"));
    let compiled = compiling.wait().is_ok_and(|status| status.success());
    let runs = || Command::new(&program).status().is_ok_and(|s| s.success());
    written.is_some_and(|w| w.is_ok()) && compiled && runs()
}
