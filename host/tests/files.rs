//! Pictures written to files and read back.

use flow_host::io::{self, FileOptions, Missing, Sequence};
use flow_host::{Components, Depth, Image, Premultiplication, RectI, RowLayout};

fn picture() -> Image {
    Image::from_fn(RectI::new(-3, 2, 14, 11), |x, y| {
        [x as f32 * 0.37, y as f32 * -1.5, 1e-3 * (x * y) as f32, 0.25 * (x & 3) as f32]
    })
}

#[test]
fn an_exr_keeps_every_bit_and_the_data_window() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.exr");
    let image = picture().pixel_aspect(2.0);
    io::write(&path, &image, image.bounds(), FileOptions::default()).expect("written");
    let back = io::read(&path, FileOptions::default(), (0, 0)).expect("read");
    assert_eq!(back.bounds(), image.bounds());
    assert_eq!(back.to_rgba(image.bounds()), image.to_rgba(image.bounds()));
    assert_eq!(back.premultiplication, Premultiplication::Premultiplied);
    assert_eq!(back.pixel_aspect, 2.0);
    assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 1, "no left-overs");
}

#[test]
fn a_half_exr_rounds_to_sixteen_bits() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("h.exr");
    let image = picture();
    let options = FileOptions { half: true, raw: false };
    io::write(&path, &image, image.bounds(), options).expect("written");
    let back = io::read(&path, options, (0, 0)).expect("read");
    let rows = RowLayout::default();
    let want = image.converted(image.bounds(), Depth::Half, Components::Rgba, rows);
    assert_eq!(back.to_rgba(image.bounds()), want.to_rgba(image.bounds()));
}

#[test]
fn a_window_beyond_the_image_is_filled_with_zeros() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("w.exr");
    let image = Image::from_fn(RectI::new(2, 2, 4, 4), |_, _| [1.0; 4]);
    let window = RectI::new(0, 0, 8, 6);
    io::write(&path, &image, window, FileOptions::default()).expect("written");
    let back = io::read(&path, FileOptions::default(), (0, 0)).expect("read");
    assert_eq!(back.bounds(), window);
    assert_eq!((back.pixel(3, 3), back.pixel(4, 4)), ([1.0; 4], [0.0; 4]));
}

#[test]
fn a_png_keeps_its_bytes_with_and_without_srgb_conversion() {
    let folder = tempfile::tempdir().expect("folder");
    let bounds = RectI::new(0, 0, 16, 16);
    let image = Image::from_fn(bounds, |x, y| {
        let level = (y * 16 + x) as f32 / 255.0;
        [level, 1.0 - level, 0.5, 1.0]
    })
    .premultiplied(Premultiplication::Unpremultiplied);
    for raw in [false, true] {
        let path = folder.path().join(format!("p{raw}.png"));
        let options = FileOptions { raw, half: false };
        io::write(&path, &image, bounds, options).expect("written");
        let back = io::read(&path, options, (5, -7)).expect("read");
        assert_eq!(back.bounds(), RectI::new(5, -7, 21, 9));
        let tolerance = if raw { 0.5 / 255.0 + 1e-6 } else { 0.5 / 255.0 * 2.3 };
        for (x, y) in [(0, 0), (15, 0), (3, 9), (15, 15)] {
            for (got, want) in back.pixel(x + 5, y - 7).iter().zip(image.pixel(x, y)) {
                assert!((got - want).abs() <= tolerance, "{raw} at {x},{y}: {got} for {want}");
            }
        }
        let again = folder.path().join("again.png");
        io::write(&again, &back, back.bounds(), options).expect("written");
        assert_eq!(
            std::fs::read(&path).expect("file"),
            std::fs::read(&again).expect("file"),
            "a second trip changes nothing"
        );
    }
}

#[test]
fn missing_frames_are_an_error_the_previous_frame_or_empty() {
    let folder = tempfile::tempdir().expect("folder");
    for frame in [3, 5] {
        let image = Image::from_fn(RectI::new(0, 0, 2, 2), |_, _| [frame as f32; 4]);
        let path = folder.path().join(format!("s.{frame:04}.exr"));
        io::write(&path, &image, image.bounds(), FileOptions::default()).expect("written");
    }
    let pattern = folder.path().join("s.####.exr").display().to_string();
    let open = |missing| Sequence::new(&pattern, missing, FileOptions::default()).expect("files");
    let level = |missing, time| open(missing).image(time, (1.0, 1.0)).expect("read").map(|image| image.pixel(0, 0)[0]);
    assert_eq!(level(Missing::Error, 3.0), Some(3.0));
    assert_eq!(level(Missing::Error, 5.9), Some(5.0), "between frames the earlier one shows");
    assert_eq!(level(Missing::Hold, 4.0), Some(3.0));
    assert_eq!(level(Missing::Hold, 1.0), Some(3.0));
    assert_eq!(level(Missing::Hold, 99.0), Some(5.0));
    assert_eq!(level(Missing::Nothing, 4.0), None);
    let error = open(Missing::Error).image(4.0, (1.0, 1.0)).expect_err("missing").to_string();
    assert!(error.contains("s.0004.exr") && error.contains("2 files of this sequence, 3 to 5"));
}

#[test]
fn errors_name_broken_files_and_folders() {
    let folder = tempfile::tempdir().expect("folder");
    for name in ["broken.exr", "broken.png"] {
        let path = folder.path().join(name);
        std::fs::write(&path, b"not a picture").expect("written");
        let error = io::read(&path, FileOptions::default(), (0, 0)).expect_err("broken");
        assert!(error.to_string().contains(name) && error.to_string().contains("readable"));
        assert_eq!(error.exit_code(), 1);
    }
    let nowhere = folder.path().join("no/such/out.exr");
    let image = picture();
    let error = io::write(&nowhere, &image, image.bounds(), FileOptions::default());
    assert!(error.expect_err("no folder").to_string().contains("there is no folder"));
    let error = io::read(&folder.path().join("a.tiff"), FileOptions::default(), (0, 0));
    assert!(error.expect_err("format").to_string().contains("only exr and png"));
}
