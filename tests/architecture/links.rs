//! Links of the documents lead somewhere, headings included, and the summary of the book lists every page.

use crate::text::{files, read, report, root};
use std::collections::{BTreeMap, BTreeSet};

/// The pages of the book, without its summary.
const BOOK: &str = "docs/";
const SUMMARY: &str = "docs/SUMMARY.md";

/// Lines outside fenced code, numbered from 1, with what stands between backquotes blanked if `blank` says so.
fn prose(text: &str, blank: bool) -> Vec<(usize, String)> {
    let mut fence: Option<&str> = None;
    let mut found = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let ticks = start.len() - start.trim_start_matches('`').len();
        if let Some(open) = fence {
            if ticks >= open.len() && start.trim_end_matches('`').is_empty() {
                fence = None;
            }
            continue;
        }
        if ticks >= 3 {
            fence = Some(&start[..ticks]);
            continue;
        }
        let parts = line.split('`').enumerate();
        let kept = parts.map(|(n, part)| if blank && n % 2 == 1 { "" } else { part });
        let joined: Vec<&str> = kept.collect();
        found.push((k + 1, joined.join("")));
    }
    found
}

/// Targets of links and pictures, with their lines: `[text](target)` and `[text]: target`.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text, true) {
        for part in line.split("](").skip(1) {
            let mut depth = 0;
            let end = part.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth < 0
            });
            if let Some(end) = end {
                let target = part[..end].split_whitespace().next();
                found.push((number, target.unwrap_or_default().to_owned()));
            }
        }
        // A word and nothing else; `[Key]: what follows` is prose.
        if line.starts_with('[')
            && let Some((_, target)) = line.split_once("]: ")
            && !target.trim().contains(' ')
        {
            found.push((number, target.trim().to_owned()));
        }
    }
    found
}

/// The words that lead to the headings of a page, as GitHub and mdBook make them: small letters, digits, hyphens for
/// blanks; a number behind those that were there before.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (_, line) in prose(text, false) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if !(1..=6).contains(&level) || !line[level..].starts_with(' ') {
            continue;
        }
        // Of a link in a heading its words count.
        let mut heading = line[level..].trim().to_owned();
        while let Some((before, rest)) = heading.split_once("](") {
            let after = rest.split_once(')').map_or("", |(_, after)| after);
            heading = format!("{}{after}", before.replacen('[', "", 1));
        }
        let word: String = heading
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c if c.is_alphanumeric() => c.to_lowercase().next(),
                _ => None,
            })
            .collect();
        let times = seen.entry(word.clone()).or_default();
        found.insert(match *times {
            0 => word,
            n => format!("{word}-{n}"),
        });
        *times += 1;
    }
    found
}

/// A path without `.` and `..`; nothing if it leaves the repository.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What is wrong with a link of a page, if anything.
fn broken(page: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link
        .split_once('#')
        .map_or((link, None), |(p, a)| (p, Some(a)));
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Some(target) = (match path {
        "" => Some(page.to_owned()),
        path => normal(&format!("{folder}/{path}")),
    }) else {
        return Some("leaves the repository".into());
    };
    if !root().join(&target).exists() {
        return Some(format!("`{target}` does not exist"));
    }
    if page.starts_with(BOOK) && !target.starts_with(BOOK) {
        return Some("leaves the book, where it leads nowhere".into());
    }
    let anchor = anchor?;
    if !target.ends_with(".md") {
        return Some("only pages have headings".into());
    }
    let known = anchors(&read(&target));
    (!known.contains(anchor)).then(|| format!("`{target}` has no heading `#{anchor}`"))
}

/// Pages whose links are looked at.
fn pages() -> Vec<String> {
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut pages = files("docs", "md");
    pages.extend(top.map(str::to_owned));
    pages
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        for (number, link) in links(&read(&page)) {
            count += 1;
            if let Some(problem) = broken(&page, &link) {
                problems.push(format!("{page}:{number}: ({link}) {problem}"));
            }
        }
    }
    // Far fewer would mean that links are no longer found.
    assert!(count > 150, "only {count} links");
    report(&problems);
}

#[test]
fn the_summary_lists_every_page_of_the_book_once() {
    let listed: Vec<String> = links(&read(SUMMARY))
        .into_iter()
        .filter_map(|(_, link)| normal(&format!("{BOOK}{link}")))
        .collect();
    let mut problems: Vec<String> = files("docs", "md")
        .into_iter()
        .filter(|page| page != SUMMARY)
        .filter_map(|page| match listed.iter().filter(|l| **l == page).count() {
            1 => None,
            n => Some(format!("{SUMMARY} lists {page} {n} times")),
        })
        .collect();
    let missing = listed.iter().filter(|page| !root().join(page).exists());
    problems.extend(missing.map(|page| format!("{SUMMARY} lists {page}, which does not exist")));
    report(&problems);
}

#[test]
fn every_page_begins_with_its_title() {
    let problems: Vec<String> = pages()
        .iter()
        .filter(|page| !read(page).starts_with("# "))
        .map(|page| format!("{page}: the first line is not `# Title`"))
        .collect();
    report(&problems);
}

#[test]
fn every_picture_of_the_book_is_shown() {
    let shown: BTreeSet<String> = pages()
        .iter()
        .flat_map(|page| {
            let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
            let own = links(&read(page)).into_iter();
            let paths = own.filter_map(|(_, link)| normal(&format!("{folder}/{link}")));
            paths.collect::<Vec<_>>()
        })
        .collect();
    let problems: Vec<String> = files("docs", "png")
        .into_iter()
        .filter(|picture| !shown.contains(picture))
        .map(|picture| format!("{picture} is on no page"))
        .collect();
    report(&problems);
}

#[test]
fn links_and_headings_are_found_where_they_are() {
    let text = "# A title\n[a](b.md) ![c](d.png \"e\") `[no](no.md)`\n```text\n[no](no.md)\n# no\n```\n[f]: g.md\n";
    let found: Vec<(usize, String)> = links(text);
    let expected = [(2, "b.md"), (2, "d.png"), (7, "g.md")];
    assert_eq!(found, expected.map(|(n, l)| (n, l.to_owned())));
    let text = "# Why `x`, and not y?\n## Why [x](y.md)\n## Two\n## Two\n#none\n";
    let expected = ["two", "two-1", "why-x", "why-x-and-not-y"];
    assert_eq!(
        anchors(text).into_iter().collect::<Vec<_>>(),
        expected.map(str::to_owned)
    );
    assert_eq!(normal("docs/a/../b.md").as_deref(), Some("docs/b.md"));
    assert_eq!(normal("../a"), None);
    assert!(broken("README.md", "docs/architecture.md#invariants").is_none());
    assert!(broken("README.md", "docs/architecture.md#no-such-heading").is_some());
    assert!(broken("README.md", "no/such/page.md").is_some());
    assert!(broken("docs/architecture.md", "../README.md").is_some());
    assert!(broken("README.md", "https://example.org/no").is_none());
}
