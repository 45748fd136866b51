//! What eyes make of the colours: contrasts, and whether colours are told apart by those that lack a kind of cone.

use super::*;

/// Contrast ratio of the Web Content Accessibility Guidelines 2.2.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let luminance = |c: [u8; 3]| {
        let [r, g, b] = c.map(|x| {
            let x = f64::from(x) / 255.0;
            if x <= 0.04045 {
                x / 12.92
            } else {
                ((x + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_and_series_can_be_read_in_both_themes() {
    for p in [&DARK, &LIGHT] {
        // The guidelines ask for 4.5 for text and 3 for graphics.
        for text in [p.text[0], p.text[1], p.accent, p.failure, p.warning] {
            assert!(
                contrast(text, p.panel) >= 4.5,
                "{text:?} {}",
                contrast(text, p.panel)
            );
        }
        for series in p.series {
            assert!(contrast(series, p.well) >= 3.0, "{series:?}");
        }
    }
}

/// Distance of two colours in CIE L*a*b* as an eye sees them whose cones answer by the given matrix.
fn difference(colours: [[u8; 3]; 2], eye: &[[f64; 3]; 3]) -> f64 {
    let lab = |c: [u8; 3]| {
        let linear = c.map(|x| {
            let x = f64::from(x) / 255.0;
            if x <= 0.04045 {
                x / 12.92
            } else {
                ((x + 0.055) / 1.055).powf(2.4)
            }
        });
        let dot = |row: &[f64; 3], v: &[f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum();
        let seen = [0, 1, 2].map(|k| f64::clamp(dot(&eye[k], &linear), 0.0, 1.0));
        // sRGB to XYZ, divided by the white point D65.
        let xyz = [
            [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
            [0.2126, 0.7152, 0.0722],
            [0.0193 / 1.0888, 0.1192 / 1.0888, 0.9505 / 1.0888],
        ];
        let [x, y, z] = xyz.map(|row| {
            let t: f64 = dot(&row, &seen);
            if t > 0.008856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    let [a, b] = colours.map(lab);
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Full colour vision, then protanopia, deuteranopia and tritanopia after Machado, Oliveira and Fernandes 2009.
const EYES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
];

#[test]
fn methods_are_told_apart_by_every_eye() {
    for p in [&DARK, &LIGHT] {
        for (k, a) in p.methods.iter().enumerate() {
            assert!(contrast(*a, p.well) >= 3.0 && contrast(*a, p.panel) >= 3.0);
            for b in &p.methods[..k] {
                for eye in &EYES {
                    // Six times what is just noticeable side by side.
                    let found = difference([*a, *b], eye);
                    assert!(found > 14.0, "{a:?} {b:?} {found} {eye:?}");
                }
            }
            for reserved in [p.warning, p.failure] {
                let found = difference([*a, reserved], &EYES[0]);
                assert!(found > 18.0, "{a:?} {reserved:?} {found}");
            }
        }
        let [first, second] = [0, 1].map(|before| p.method("heun", before));
        assert!(!first.dashed && second.dashed);
        assert!(difference([first.colour, second.colour], &EYES[0]) > 14.0);
    }
}

#[test]
fn what_contacts_do_is_told_apart_by_every_eye() {
    for p in [&DARK, &LIGHT] {
        let [open, sticking, sliding] = p.contact;
        for eye in &EYES {
            for pair in [[open, sticking], [open, sliding], [sticking, sliding]] {
                // Ten times what is just noticeable side by side.
                assert!(difference(pair, eye) > 23.0, "{pair:?} {eye:?}");
            }
        }
        for shade in p.contact {
            assert!(contrast(shade, p.panel) >= 3.0, "{shade:?}");
            // Neither is mistaken for a warning or a failure.
            for reserved in [p.warning, p.failure] {
                assert!(difference([shade, reserved], &EYES[0]) > 23.0, "{shade:?}");
            }
        }
    }
}
