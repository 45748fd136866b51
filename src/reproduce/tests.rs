//! Items as a whole, tables as files, and verdicts of tables made up for them.

use super::*;

#[test]
fn items_have_names_of_their_own() {
    for (k, item) in ITEMS.iter().enumerate() {
        assert!(ITEMS[..k].iter().all(|other| other.name() != item.name()));
        assert!(item.is_meant(item.paper) && item.is_meant(&item.name()));
        assert!(!item.is_meant("lee"));
    }
}

#[test]
fn a_table_is_read_back_to_the_last_bit_with_its_settings() {
    let mut table = Table::new(["a, first [s]", "b"]);
    table.rows = vec![vec![0.1 + 0.2, 1e-300], vec![f64::INFINITY, -0.0]];
    let settings = [("effort", "quick".to_owned()), ("claim", "a: b".to_owned())];
    let text = table.to_text(&settings);
    let read = Table::from_text(&text).expect("it was just written");
    assert_eq!(read, table);
    assert_eq!(Table::setting(&text, "claim"), Some("a: b"));
    assert_eq!(Table::setting(&text, "version"), None);
    assert_eq!(table.at("b", 1e-300, "a, first [s]"), Some(0.1 + 0.2));
    assert_eq!(
        table.points("a, first [s]", "b").len(),
        1,
        "infinity is no point"
    );
    for (text, part) in [
        ("# only: a comment\n", "names of the columns"),
        ("a,b\n1,2\n3\n", "line 3"),
        ("a\nx\n", "`x`"),
    ] {
        let said = Table::from_text(text).expect_err("it is wrong").to_string();
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn no_item_judges_an_empty_table() {
    for item in ITEMS {
        let verdict = (item.judge)(&Table::default());
        assert_eq!(verdict.standing, Standing::Unjudged, "{}", item.name());
    }
}

#[test]
fn a_report_tells_claims_verdicts_and_falls() {
    let done = |good| Done {
        item: &ITEMS[0],
        verdict: Verdict::of(good, "1 < 2 J".into()),
        stem: "lee2016_2b".into(),
    };
    let settings = [("effort", "quick".to_owned())];
    let [markdown, html] = write_report(&[done(true)], &settings);
    assert!(markdown.contains("**holds**") && markdown.contains("lee2016_2b.svg"));
    assert!(html.contains("1 &lt; 2 J") && html.contains(ITEMS[0].place));
    assert!(!done(true).falls() && done(false).falls());
    let [markdown, _] = write_report(&[done(false)], &settings);
    assert!(markdown.contains("**differs; expected: holds**"));
}

#[test]
fn every_item_says_what_it_shows_and_opens_a_scene_or_says_why_not() {
    let short = |text: &str| !text.is_empty() && !text.ends_with('.');
    for item in ITEMS {
        let name = item.name();
        assert!(short(&item.title()) && short(item.claim), "{name}");
        assert!(PAPERS.iter().any(|p| p.key == item.paper), "{name}");
        match item.scene.scene() {
            Some(scene) => {
                let opened = physics::scene::open(scene, &[]);
                let opened = opened.unwrap_or_else(|e| panic!("{name}: {e}"));
                let runs = opened.simulation().and_then(|mut sim| {
                    sim.step(&physics::model::Input::default())
                        .map(|_| ())
                        .map_err(|e| panic!("{name}: {e}"))
                });
                runs.unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            None => assert!(item.scene.note().is_some_and(short), "{name}"),
        }
        // What is claimed before there is a table is known by figures alone.
        for curve in (item.claimed)(&Table::default()) {
            let known = curve.points.iter().flatten().all(|x| x.is_finite());
            assert!(known, "{name}: {}", curve.name);
        }
    }
    for unrun in UNRUN {
        let run = |item: &Item| (item.paper, item.figure) == (unrun.paper, unrun.figure);
        assert!(!ITEMS.iter().any(run), "{} is run", unrun.figure);
        assert!(PAPERS.iter().any(|p| p.key == unrun.paper));
        assert!(short(unrun.title) && short(unrun.claim) && short(unrun.lacks));
    }
}

#[test]
fn a_run_that_nobody_wants_ends_at_once() {
    for item in ITEMS {
        let mut told = 0;
        let ended = (item.run)(Effort::Quick, &mut |_, _| {
            told += 1;
            Err(Cancelled)
        });
        assert!(
            matches!(ended, Err(RunError::Cancelled(_))),
            "{}",
            item.name()
        );
        assert_eq!(told, 1, "{}", item.name());
    }
}
