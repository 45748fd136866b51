//! Papers from the command line: lists, files, going on where an earlier run was, a verdict that falls.

use crate::commands::cli::{driftless, folder, text};
use std::fs;

#[test]
fn the_list_names_every_figure_and_a_wrong_name_is_told_them() {
    let listed = text(&driftless(&["reproduce", "--list"]).stdout);
    for name in [
        "lee2016/2b",
        "lee2016/4b",
        "drumwright/map",
        "drumwright/6",
        "bruedigam2020/5b",
        "bruedigam2023/11b",
        "bruedigam2023/12d",
    ] {
        assert!(listed.contains(name), "{listed}");
    }
    let wrong = driftless(&["reproduce", "lee2016/5"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("lee2016/4a"));
}

/// Items of the later paper that take a second or two and do not measure time.
#[test]
fn verdicts_of_the_top_the_rotor_and_the_puma_are_the_expected_ones() {
    let out = folder().join("reproduced_holzinger");
    if out.exists() {
        fs::remove_dir_all(&out).expect("the folder is ours");
    }
    let path = out.to_str().expect("a path");
    let names = [
        "holzinger2024/2",
        "holzinger2024/10",
        "holzinger2024/15",
        "holzinger2024/19",
    ];
    let done = driftless(&[&["reproduce", "--quick", "-o", path], &names[..]].concat());
    let said = text(&done.stdout);
    assert!(done.status.success(), "{said} {}", text(&done.stderr));
    // The parameters were chosen for 0.4 Hz.
    assert!(said.contains("a period of 2.50"), "{said}");
}

/// Every item that does not measure time: the verdicts are those that are expected, and files tell of them.
#[test]
fn quick_runs_judge_what_they_measure_and_go_on_from_what_is_there() {
    let out = folder().join("reproduced");
    // An earlier run of the tests may have left its tables.
    if out.exists() {
        fs::remove_dir_all(&out).expect("the folder is ours");
    }
    let path = out.to_str().expect("a path");
    let words = [
        "lee2016/2b",
        "lee2016/4a",
        "lee2016/4b",
        "lee2016/tolerance",
    ];
    let run = || driftless(&[&["reproduce", "--quick", "-o", path], &words[..]].concat());
    let first = run();
    let said = text(&first.stdout);
    assert!(first.status.success(), "{said} {}", text(&first.stderr));
    let report = fs::read_to_string(out.join("report.md")).expect("a report");
    assert!(
        report.contains("**holds**") && report.contains("quadratically"),
        "{report}"
    );
    assert!(out.join("report.html").is_file() && out.join("lee2016_4a.svg").is_file());

    // A second run takes the tables that are there.
    let again = text(&run().stdout);
    assert_eq!(
        again.matches("kept from an earlier run").count(),
        words.len(),
        "{again}"
    );

    // A table that was tampered with: RIQN as fast as Newton's method.
    let table = out.join("lee2016_4b.csv");
    let text_of = fs::read_to_string(&table).expect("a table");
    let broken: Vec<String> = text_of
        .lines()
        .map(|line| match line.split(',').collect::<Vec<_>>()[..] {
            [step, newton, _] if step.parse::<f64>().is_ok() => format!("{step},{newton},{newton}"),
            _ => line.to_owned(),
        })
        .collect();
    fs::write(&table, broken.join("\n")).expect("the table is ours");
    let fallen = run();
    assert_eq!(fallen.status.code(), Some(1));
    assert!(
        text(&fallen.stderr).contains("lee2016/4b"),
        "{}",
        text(&fallen.stderr)
    );
    let report = fs::read_to_string(out.join("report.md")).expect("a report");
    assert!(report.contains("differs; expected: holds"), "{report}");

    // One that is none is told, not judged.
    fs::write(&table, text_of.replace("2.0,", "two,")).expect("the table is ours");
    let wrong = run();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("delete it"),
        "{}",
        text(&wrong.stderr)
    );
}

/// Items that measure no time, one after the other and side by side: the same bytes.
#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let names = [
        "bruedigam2020/4d",
        "bruedigam2023/7c",
        "bruedigam2023/7d",
        "bruedigam2023/11b",
        "bruedigam2023/12d",
    ];
    let run = |threads: &str| {
        let out = folder().join(format!("reproduced_by_{threads}"));
        if out.exists() {
            fs::remove_dir_all(&out).expect("the folder is ours");
        }
        let path = out.to_str().expect("a path");
        let words = ["reproduce", "--quick", "--threads", threads, "-o", path];
        let done = driftless(&[&words[..], &names[..]].concat());
        let said = text(&done.stdout);
        assert!(done.status.success(), "{said} {}", text(&done.stderr));
        let tables = names.map(|name| {
            let stem = name.replace('/', "_");
            fs::read_to_string(out.join(format!("{stem}.csv"))).expect("a table")
        });
        (said, tables)
    };
    assert_eq!(run("1"), run("4"));
    let none = driftless(&["reproduce", "--threads", "0"]);
    assert_eq!(none.status.code(), Some(2));
}
