//! Plots that a person builds: from a scene file and back.

use super::check::Check;
use super::format::{ChartFile, SectionFile};
use super::value::Number;
use crate::diagnostics::{Chart, Quantity, Section};
use crate::model::Model;

/// The charts of a scene file; reports quantities that the model does not have.
pub(super) fn build(files: &[ChartFile], model: &Model, check: &mut Check) -> Vec<Chart> {
    let mut charts = Vec::with_capacity(files.len());
    for (k, file) in files.iter().enumerate() {
        let index = k.to_string();
        let chart = resolve(file, |path, name| {
            let found = Quantity::named(name, model);
            if found.is_none() {
                let path: Vec<&str> = ["charts", &index].iter().chain(path).copied().collect();
                check.wrong(
                    &path,
                    format!("no quantity is named `{name}`"),
                    "a column, such as total_energy, BODY.x, JOINT.q0 or BODY|world.normal_force",
                );
            }
            found
        });
        charts.extend(chart);
    }
    charts
}

/// A chart without the quantities that the model does not have; none if its axis is one of them.
pub fn chart(file: &ChartFile, model: &Model) -> Option<Chart> {
    resolve(file, |_, name| Quantity::named(name, model))
}

fn resolve(
    file: &ChartFile,
    mut find: impl FnMut(&[&str], &str) -> Option<Quantity>,
) -> Option<Chart> {
    let x = find(&["x"], &file.x);
    let curves = file.curves.iter().enumerate();
    let curves: Vec<Quantity> = curves
        .filter_map(|(n, name)| find(&["curves", &n.to_string()], name))
        .collect();
    let section = file.section.as_ref().and_then(|section| {
        Some(Section {
            of: find(&["section", "of"], &section.of)?,
            level: section.level.0,
            rising: section.rising,
        })
    });
    Some(Chart {
        title: file.title.clone(),
        x: x?,
        curves,
        section,
    })
}

/// A chart as a scene file has it.
pub fn chart_file(chart: &Chart, model: &Model) -> ChartFile {
    ChartFile {
        title: chart.title.clone(),
        x: chart.x.name(model),
        curves: chart.curves.iter().map(|q| q.name(model)).collect(),
        section: chart.section.map(|section| SectionFile {
            of: section.of.name(model),
            level: Number(section.level),
            rising: section.rising,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    const FILE: &str = r#"(
        version: 1,
        bodies: {"bob": (shape: (sphere: (radius: 0.1)), position: (1, 0, 0))},
        joints: {"hinge": (kind: revolute, child: "bob", axis: (0, 1, 0), anchor: (0, 0, 0))},
        charts: [
            (title: "swing", x: "hinge.q0", curves: ["hinge.rate0"]),
            (curves: ["bob.z", "total_energy"]),
            (x: "hinge.q0", curves: ["hinge.rate0"], section: (of: "bob.vx", level: 0.5, rising: false)),
        ],
    )"#;

    #[test]
    fn charts_survive_being_written_and_read() {
        let scene = scene::from_text("x", FILE, &[]).unwrap();
        assert_eq!(scene.view.charts.len(), 3);
        let section = scene.view.charts[2].section.unwrap();
        assert_eq!((section.level, section.rising), (0.5, false));
        assert!(scene.view.charts[1].is_over_time());
        let back = |c: &Chart| chart_file(c, &scene.model);
        let files: Vec<ChartFile> = scene.view.charts.iter().map(back).collect();
        assert_eq!(files, scene.file.charts);
        let start = FILE.find("charts:").unwrap();
        let pasted = format!("{}{})", &FILE[..start], scene::write_charts(&files));
        let pasted = scene::from_text("x", &pasted, &[]).unwrap();
        assert_eq!(pasted.view.charts, scene.view.charts);
        let again = scene::from_text("x", &scene::write(&scene.file), &[]).unwrap();
        assert_eq!(again.view.charts, scene.view.charts);
    }

    #[test]
    fn a_quantity_that_does_not_exist_is_named_where_it_stands() {
        let wrong = FILE
            .replace("\"bob.z\"", "\"bob.zz\"")
            .replace("bob.vx", "bab.vx");
        let errors = scene::from_text("x", &wrong, &[]).unwrap_err().0;
        let at: Vec<&str> = errors.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(at, ["charts.1.curves.0", "charts.2.section.of"]);
        assert!(
            errors[0].found.contains("bob.zz") && errors[0].line == Some(7),
            "{errors:?}"
        );
    }
}
