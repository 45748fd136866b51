//! Damaged scene files: whatever stands in them, the answer is a scene or errors.

use crate::scenes::errors::BASE;
use driftless::scene;
use proptest::prelude::*;

/// Pieces that a slip of the hand leaves in a file.
fn slip() -> impl Strategy<Value = String> {
    let piece = "[(){}\\[\\]:,\"'/*#a-c0-9. é-]{0,3}";
    prop_oneof![
        Just("\"".to_owned()),
        Just("/*".to_owned()),
        Just("r#".to_owned()),
        piece
    ]
}

proptest! {
    /// Whatever is in a file, the answer is a scene or errors that stand inside the file, never a panic.
    #[test]
    fn damaged_files_give_errors_inside_the_file(
        at in 0..BASE.len(), gone in 0..6usize, piece in slip(), path in "[a-z.\\[0]{0,12}", value in slip(),
    ) {
        let mut text = BASE.to_owned();
        text.replace_range(at..(at + gone).min(BASE.len()), &piece);
        if let Err(errors) = scene::from_text("x.ron", &text, &[]) {
            prop_assert!(!errors.0.is_empty());
            let lines = text.lines().count();
            for e in &errors.0 {
                prop_assert!(e.line.is_some_and(|l| (1..=lines + 1).contains(&l)), "{e}");
            }
        }
        for path in [path.clone(), format!("bodies.{path}"), format!("joints.shoulder.{path}")] {
            if let Err(errors) = scene::from_text("x.ron", BASE, &[(path, value.clone())]) {
                prop_assert!(!errors.0.is_empty());
            }
        }
    }
}
