//! Pictures of the documents are made by `docs/pictures/render`, and show the scenes as they are.

use crate::text::{files, read, report, root};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The folder of the pictures.
const FOLDER: &str = "docs/pictures";

fn manifest() -> Map<String, Value> {
    let text = read(&format!("{FOLDER}/manifest.json"));
    serde_json::from_str(&text).expect("an object: a picture, and how it is made")
}

/// FNV-1a of 64 bits, as `docs/pictures/render` computes it: it tells texts apart, and nobody forges a picture.
fn digest(bytes: &[u8]) -> String {
    let step = |value: u64, byte: &u8| (value ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// What is seen in a picture: files with the digests that they had when it was drawn.
fn shown(how: &Value) -> Vec<(&str, &str)> {
    let from = how["from"].as_object().into_iter().flatten();
    from.map(|(path, value)| (path.as_str(), value.as_str().unwrap_or_default()))
        .collect()
}

#[test]
fn digests_are_those_of_the_script() {
    // From the table of test vectors by the authors of the function.
    assert_eq!(digest(b""), "cbf29ce484222325");
    assert_eq!(digest(b"foobar"), "85944171f73967e8");
}

#[test]
fn every_picture_is_made_by_the_script_and_every_entry_has_its_picture() {
    let drawn: BTreeSet<String> = manifest()
        .keys()
        .map(|name| format!("{FOLDER}/{name}"))
        .collect();
    let kept: BTreeSet<String> = ["png", "gif", "mp4"]
        .iter()
        .flat_map(|ending| files("docs", ending))
        .collect();
    let unknown = kept.difference(&drawn);
    let missing = drawn.difference(&kept);
    let problems: Vec<String> = unknown
        .map(|path| format!("{path} has no entry in {FOLDER}/manifest.json"))
        .chain(missing.map(|path| format!("{path} is missing: run {FOLDER}/render")))
        .collect();
    report(&problems);
}

#[test]
fn no_picture_is_older_than_the_scenes_that_it_shows() {
    let mut problems = Vec::new();
    for (name, how) in &manifest() {
        let shown = shown(how);
        if shown.is_empty() {
            problems.push(format!("{name}: `from` names nothing that it shows"));
        }
        for (path, then) in shown {
            let now = std::fs::read(root().join(path)).map(|bytes| digest(&bytes));
            match now {
                Err(error) => problems.push(format!("{name}: {path}: {error}")),
                Ok(now) if now != then => problems.push(format!(
                    "{name}: {path} has changed since: run {FOLDER}/render {name}"
                )),
                Ok(_) => {}
            }
        }
    }
    report(&problems);
}

#[test]
fn an_entry_names_every_shipped_scene_that_its_words_open() {
    let scenes: BTreeSet<String> = files("scenes", "ron").into_iter().collect();
    let mut problems = Vec::new();
    for (name, how) in &manifest() {
        let words = [
            &how["window"]["open"],
            &how["film"]["open"],
            &how["sheet"]["open"],
            &how["record"]["words"],
        ];
        let words = words.into_iter().filter_map(Value::as_array).flatten();
        let shown: BTreeSet<&str> = shown(how).into_iter().map(|(path, _)| path).collect();
        for word in words.filter_map(Value::as_str) {
            let path = format!("scenes/{word}.ron");
            if scenes.contains(&path) && !shown.contains(path.as_str()) {
                problems.push(format!(
                    "{name} opens {word}, and `from` does not name {path}"
                ));
            }
        }
    }
    report(&problems);
}
