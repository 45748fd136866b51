//! The house rules as text checks: layering, quarantined crates, file headers and sizes, citations, documents.
//!
//! Nothing here links the library, so the rules hold for every feature set at once.

mod documents;
mod files;
mod layers;
mod links;
mod packages;
mod pictures;
mod rooms;
mod text;

use documents::{citations, defines};
use layers::module_of;
use text::{code, is_test, read, words_after};

#[test]
fn nothing_listens_to_gamepads() {
    let lock = read("Cargo.lock");
    assert!(
        lock.contains("name = \"winit\""),
        "the window is in the lock file"
    );
    for name in ["gilrs", "bevy_gilrs"] {
        let line = format!("name = \"{name}\"");
        assert!(
            !lock.contains(&line),
            "{name} would let a gamepad move things"
        );
    }
}

#[test]
fn the_rules_themselves_catch_what_they_should() {
    assert_eq!(module_of("src/physics/joints/mod.rs"), Some("joints"));
    assert_eq!(module_of("src/cli.rs"), Some("cli"));
    assert_eq!(module_of("src/lib.rs"), None);
    let used: Vec<&str> = words_after(
        "use crate::sim::{A, B}; crate::model::x(crate::{y})",
        "crate::",
    )
    .collect();
    assert_eq!(used, ["sim", "model", ""]);
    let text = "see [Brüdigam2023 eq. 16], [Lee2016], array[2023], [Vec3], [Short20 a], [x2020 b]";
    let keys: Vec<String> = citations(text).into_iter().collect();
    assert_eq!(keys, ["Brüdigam2023", "Lee2016"]);
    assert!(defines("pub(crate) fn drift(a: f64)", "drift"));
    assert!(!defines("pub fn drift_rate()", "drift"));
    let text = "//! a\n#[cfg(test)]\nmod b;\nuse c; // d\n#[cfg(test)]\nmod tests {\nuse e;";
    assert_eq!(code(text), [(1, ""), (4, "use c; ")]);
    assert!(is_test("src/physics/forces/tests.rs") && !is_test("src/physics/forces/laws.rs"));
    assert!(is_test("src/physics/solver/tests/shared_axes.rs"));
}
