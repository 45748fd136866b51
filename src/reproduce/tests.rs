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
    let mut table = Table::new(["a [s]", "b"]);
    table.rows = vec![vec![0.1 + 0.2, 1e-300], vec![f64::INFINITY, -0.0]];
    let settings = [("effort", "quick".to_owned()), ("claim", "a: b".to_owned())];
    let text = table.to_text(&settings);
    let read = Table::from_text(&text).expect("it was just written");
    assert_eq!(read, table);
    assert_eq!(Table::setting(&text, "claim"), Some("a: b"));
    assert_eq!(Table::setting(&text, "version"), None);
    assert_eq!(table.at("b", 1e-300, "a [s]"), Some(0.1 + 0.2));
    assert_eq!(table.points("a [s]", "b").len(), 1, "infinity is no point");
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
