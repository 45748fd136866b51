//! Options of a method that there is not.

use super::*;

static SCHEMA: [OptionSpec; 4] = [
    OptionSpec {
        name: "spectral_radius",
        summary: "",
        kind: OptionKind::Real {
            default: 0.9,
            usual: 0.9,
            range: [0.0, 1.0],
            unit: "",
        },
    },
    OptionSpec {
        name: "points",
        summary: "",
        kind: OptionKind::Whole {
            default: 2,
            range: [1, 6],
        },
    },
    OptionSpec {
        name: "newton",
        summary: "",
        kind: OptionKind::Choice {
            default: "full",
            words: &[("full", ""), ("modified", "")],
        },
    },
    OptionSpec {
        name: "exact",
        summary: "",
        kind: OptionKind::Switch { default: true },
    },
];

fn set(pairs: &[(&str, &str)]) -> Result<Options, OptionError> {
    let mut options = Options::default();
    for (name, value) in pairs {
        options.set(&SCHEMA, name, &Written::from(*value))?;
    }
    Ok(options)
}

#[test]
fn what_was_chosen_is_there_whatever_the_order_and_the_rest_has_its_default() {
    let options = set(&[("newton", "modified"), ("exact", "false")]).unwrap();
    assert_eq!(options.word(&SCHEMA[2]), "modified");
    assert!(!options.switch(&SCHEMA[3]));
    assert_eq!(options.real(&SCHEMA[0]), 0.9);
    assert_eq!(options.whole(&SCHEMA[1]), 2);
    let other = set(&[("exact", "false"), ("newton", "modified"), ("points", "2")]);
    assert_eq!(other, Ok(options), "a default is no choice");
    assert_eq!(options.check(&SCHEMA), Ok(()));
}

#[test]
fn a_wrong_option_is_an_error_with_the_nearest_name() {
    for (pair, parts) in [
        (
            ("spectral_radus", "1"),
            &["`spectral_radius`", "there are"][..],
        ),
        (("spectral_radius", "1.5"), &["from 0 to 1"]),
        (("spectral_radius", "NaN"), &["from 0 to 1"]),
        (("points", "2.5"), &["a whole number from 1 to 6"]),
        (("points", "7"), &["a whole number from 1 to 6"]),
        (
            ("newton", "modifed"),
            &["`modified`", "one of full, modified"],
        ),
        (("exact", "perhaps"), &["true or false"]),
    ] {
        let error = set(&[pair]).unwrap_err().to_string();
        assert!(parts.iter().all(|p| error.contains(p)), "{error}");
    }
    let none = Options::default().kept_by(&[]);
    assert_eq!(none, Options::default());
    let mut options = none;
    let error = options.set(&[], "newton", &Written::from("full"));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("the method has none")
    );
}

#[test]
fn another_method_keeps_what_it_knows_too() {
    let options = set(&[("newton", "modified"), ("points", "5")]).unwrap();
    let kept = options.kept_by(&SCHEMA[2..]);
    assert_eq!(
        kept.chosen().collect::<Vec<_>>(),
        [("newton", OptionValue::Word("modified"))]
    );
    assert!(options.check(&SCHEMA[2..]).is_err());
}
