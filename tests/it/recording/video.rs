//! MP4 files decoded again: their frames, their time stamps, their contents, and what happens to files that fail.

use crate::recording::movie::Movie;
use driftless::video::{MovieSpec, Picture, Recorder, VideoError};
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("driftless-video-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A square that stands at another place in every frame, on a ground that fades.
fn picture([w, h]: [u32; 2], k: u64) -> Picture {
    let mut picture = Picture::plain(w, h, [30, 34, 40]);
    let (left, top) = place(w, k);
    for y in top..top + 16 {
        for x in left..left + 16 {
            let at = 4 * (y * w + x) as usize;
            picture.rgba[at..at + 3].copy_from_slice(&[220, 120, 30]);
        }
    }
    picture
}

fn place(w: u32, k: u64) -> (u32, u32) {
    let step = (7 * k) as u32;
    (step % (w - 16), 8 + step / (w - 16))
}

#[test]
fn an_mp4_holds_every_frame_at_its_time_with_its_contents() {
    let folder = scratch("mp4");
    for (fps, frames) in [(30.0, 95), (24.0, 3), (60.0, 130), (29.97, 40), (25.0, 1)] {
        let size = [320, 176];
        let path = folder.join(format!("{fps}.mp4"));
        let spec = MovieSpec::new(&path, size, fps).unwrap();
        let recorder = Recorder::start(&spec).unwrap();
        for k in 0..frames {
            assert!(recorder.push(picture(size, k)));
        }
        assert_eq!(recorder.finish().unwrap().frames, frames);
        let movie = Movie::read(&path);
        assert_eq!(
            movie.boxes,
            ["ftyp", "moov", "mdat"],
            "the index stands in front"
        );
        assert_eq!(movie.size, size.map(|edge| edge as usize));
        assert_eq!(movie.stamps.len() as u64, frames);
        assert_eq!(movie.frames.len() as u64, frames);
        for k in 0..frames as usize {
            let away = (movie.time(k) - k as f64 / fps).abs();
            // Stamps count 1/90000 s and are rounded.
            assert!(away <= 0.5001 / 90_000.0, "{fps} {k}: {away}");
        }
        if 90_000.0 % fps == 0.0 && frames > 1 {
            assert!(
                movie
                    .stamps
                    .iter()
                    .enumerate()
                    .all(|(k, t)| *t as f64 == k as f64 * 90_000.0 / fps)
            );
            assert_eq!(
                movie.last as f64,
                90_000.0 / fps,
                "the last frame stays as long as the others"
            );
        }
        // A player can start in every second or third of a second.
        let apart = movie
            .keys
            .windows(2)
            .all(|k| f64::from(k[1] - k[0]) <= 2.0 * fps + 1.0);
        assert!(movie.keys.first() == Some(&1) && apart, "{:?}", movie.keys);
        for (k, frame) in movie.frames.iter().enumerate() {
            let (centre, count) = frame.centre(|[r, _, b]| r > 140.0 && b < 100.0);
            let (left, top) = place(size[0], k as u64);
            let wanted = [f64::from(left) + 8.0, f64::from(top) + 8.0];
            // Colours have half the resolution, and compression blurs the edge.
            let away = (centre[0] - wanted[0]).hypot(centre[1] - wanted[1]);
            assert!(
                away < 1.0 && (200..=320).contains(&count),
                "{fps} {k}: {away} {count}"
            );
            let ground = frame.rgb(300 - 290 * (left as usize / 160), 160);
            let near = ground
                .iter()
                .zip([30.0, 34.0, 40.0])
                .all(|(a, b)| (a - b).abs() < 4.0);
            assert!(near, "{fps} {k}: {ground:?}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_video_that_is_abandoned_or_fails_leaves_the_earlier_one() {
    let folder = scratch("abandoned");
    let path = folder.join("a.mp4");
    std::fs::write(&path, "the video of yesterday").unwrap();
    let spec = MovieSpec::new(&path, [64, 64], 30.0).unwrap();
    let recorder = Recorder::start(&spec).unwrap();
    assert!(matches!(recorder.finish(), Err(VideoError::Empty)));
    assert_eq!(std::fs::read(&path).unwrap(), b"the video of yesterday");
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    // What was drawn before it was cancelled is a video.
    let recorder = Recorder::start(&spec).unwrap();
    assert!(recorder.push(picture([64, 64], 0)) && recorder.push(picture([64, 64], 1)));
    assert_eq!(std::fs::read(&path).unwrap(), b"the video of yesterday");
    recorder.finish().unwrap();
    assert_eq!(Movie::read(&path).frames.len(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}
