//! Plots that an edit leaves without what they show.

use crate::scene::error::SceneErrors;
use crate::scene::format::ChartFile;
use std::collections::BTreeSet;

/// Takes out of charts what does not exist, if nothing else is wrong; true if something was. A chart goes with its
/// horizontal axis, with what its section is about, and with the last of its curves.
pub(super) fn prune(charts: &mut Vec<ChartFile>, errors: &SceneErrors) -> bool {
    let mut gone = BTreeSet::new();
    let mut curves = BTreeSet::new();
    for error in &errors.0 {
        let path: Vec<&str> = error.path.split('.').collect();
        match path[..] {
            ["charts", k, "curves", n] => {
                let (Ok(k), Ok(n)) = (k.parse::<usize>(), n.parse::<usize>()) else {
                    return false;
                };
                curves.insert((k, n));
            }
            ["charts", k, ..] => {
                let Ok(k) = k.parse::<usize>() else {
                    return false;
                };
                gone.insert(k);
            }
            _ => return false,
        }
    }
    for (k, n) in curves.into_iter().rev() {
        let Some(chart) = charts.get_mut(k).filter(|c| n < c.curves.len()) else {
            continue;
        };
        chart.curves.remove(n);
        if chart.curves.is_empty() {
            gone.insert(k);
        }
    }
    for k in gone
        .into_iter()
        .rev()
        .filter(|k| *k < charts.len())
        .collect::<Vec<_>>()
    {
        charts.remove(k);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::error::SceneError;

    fn chart(curves: &[&str]) -> ChartFile {
        ChartFile {
            title: String::new(),
            x: "time".into(),
            curves: curves.iter().map(|c| (*c).into()).collect(),
            section: None,
        }
    }

    fn errors(paths: &[&str]) -> SceneErrors {
        let error = |path: &&str| SceneError {
            path: (*path).into(),
            ..SceneError::default()
        };
        SceneErrors(paths.iter().map(error).collect())
    }

    #[test]
    fn what_is_gone_is_taken_out_and_nothing_else() {
        let all = || {
            vec![
                chart(&["a.x", "b.x", "a.y"]),
                chart(&["a.z"]),
                chart(&["b.z"]),
                chart(&["b.y"]),
            ]
        };
        let mut charts = all();
        let wrong = errors(&[
            "charts.0.curves.0",
            "charts.0.curves.2",
            "charts.1.curves.0",
            "charts.3.section.of",
        ]);
        assert!(prune(&mut charts, &wrong));
        assert_eq!(charts, [chart(&["b.x"]), chart(&["b.z"])]);
        // Where something else is wrong too, the edit is.
        let mut charts = all();
        assert!(!prune(
            &mut charts,
            &errors(&["charts.0.x", "bodies.a.mass"])
        ));
        assert_eq!(charts, all());
    }
}
