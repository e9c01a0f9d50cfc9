//! Pictures of other programs, written by the exr crate.

use std::path::Path;

use exr::prelude as e;
use exr::prelude::{ReadChannels as _, ReadLayers as _, WritableImage as _};
use flow_cache::{Foreign, Refusal, Values, Wanted};

use crate::common::{State, read_foreign};

/// A part: its name, its data window, and its channels.
struct Part {
    name: Option<&'static str>,
    position: (i32, i32),
    size: (usize, usize),
    channels: Vec<&'static str>,
    kind: e::SampleType,
}

/// Value of a channel at a position of the display window, from the top left; exact as a half.
fn value(channel: &str, x: i32, y: i32) -> f32 {
    let name: u32 = channel.bytes().map(u32::from).sum();
    (name % 61) as f32 + x as f32 * 0.25 - y as f32 * 0.5
}

fn write(path: &Path, display: ((i32, i32), (usize, usize)), encoding: e::Encoding, parts: &[Part]) {
    let layers = parts.iter().map(|part| {
        let (width, height) = part.size;
        let points = || (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (x, y)));
        let points = || points().map(|(x, y)| (x + part.position.0, y + part.position.1));
        let channels = part.channels.iter().map(|name| {
            let values = points().map(|(x, y)| value(name, x, y));
            let samples = match part.kind {
                e::SampleType::F16 => e::FlatSamples::F16(values.map(e::f16::from_f32).collect()),
                e::SampleType::F32 => e::FlatSamples::F32(values.collect()),
                e::SampleType::U32 => e::FlatSamples::U32(values.map(|value| value as u32).collect()),
            };
            e::AnyChannel::new(*name, samples)
        });
        let attributes = e::LayerAttributes {
            layer_name: part.name.map(e::Text::from),
            layer_position: e::Vec2(part.position.0, part.position.1),
            ..e::LayerAttributes::default()
        };
        e::Layer::new(e::Vec2(width, height), attributes, encoding, e::AnyChannels::sort(channels.collect()))
    });
    let ((x, y), (width, height)) = display;
    let window = e::IntegerBounds::new(e::Vec2(x, y), e::Vec2(width, height));
    let image = e::Image::from_layers(e::ImageAttributes::new(window), layers.collect::<Vec<_>>());
    image.write().non_parallel().to_file(path).unwrap();
}

fn encoding(compression: e::Compression, tiles: Option<(usize, usize)>) -> e::Encoding {
    let blocks = tiles.map_or(e::Blocks::ScanLines, |(x, y)| e::Blocks::Tiles(e::Vec2(x, y)));
    e::Encoding { compression, blocks, line_order: e::LineOrder::Increasing }
}

fn part(channels: &[&'static str]) -> Part {
    Part { name: None, position: (0, 0), size: (33, 19), channels: channels.into(), kind: e::SampleType::F32 }
}

const DISPLAY: ((i32, i32), (usize, usize)) = ((0, 0), (33, 19));
const ALL: [&str; 12] = [
    "R",
    "G",
    "B",
    "A",
    "cross.R",
    "cross.G",
    "cross.B",
    "cross.A",
    "diagonal.R",
    "diagonal.G",
    "diagonal.B",
    "diagonal.A",
];

/// Compares a layer with the written values, which are 0 outside the data window.
fn same(image: &[[f32; 4]], display: ((i32, i32), (usize, usize)), part: &Part, names: [&str; 4], error: f32) {
    let ((left, top), (width, height)) = display;
    for row in 0..height {
        for column in 0..width {
            let (x, y) = (left + column as i32, top + (height - 1 - row) as i32);
            let inside = (0..part.size.0 as i32).contains(&(x - part.position.0))
                && (0..part.size.1 as i32).contains(&(y - part.position.1));
            for (component, name) in names.iter().enumerate() {
                let want = if inside && !name.is_empty() { value(name, x, y) } else { 0.0 };
                let found = image[row * width + column][component];
                assert!((found - want).abs() <= error, "{name} at {x}, {y}: {found}, not {want}");
            }
        }
    }
}

#[test]
fn any_compression_in_lines_and_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    let methods = [
        (e::Compression::Uncompressed, 0.0),
        (e::Compression::RLE, 0.0),
        (e::Compression::ZIP1, 0.0),
        (e::Compression::ZIP16, 0.0),
        (e::Compression::PIZ, 0.0),
        (e::Compression::PXR24, 0.001),
        (e::Compression::B44, 1.0),
        (e::Compression::DWAA(None), 1.0),
    ];
    for (compression, error) in methods {
        for tiles in [None, Some((16, 8)), Some((64, 64))] {
            for kind in [e::SampleType::F16, e::SampleType::F32] {
                let part = Part { kind, ..part(&ALL) };
                write(&path, DISPLAY, encoding(compression, tiles), &[part]);
                let Foreign { size, rgba, layers } = read_foreign(&path).unwrap();
                assert_eq!(size, [33, 19]);
                let part = self::part(&ALL);
                same(&rgba, DISPLAY, &part, ["R", "G", "B", "A"], error);
                let [Some(cross), Some(diagonal)] = &layers[..] else { panic!("both layers") };
                same(cross, DISPLAY, &part, ["cross.R", "cross.G", "cross.B", "cross.A"], error);
                let names = ["diagonal.R", "diagonal.G", "diagonal.B", "diagonal.A"];
                same(diagonal, DISPLAY, &part, names, error);
            }
        }
    }
}

#[test]
fn the_display_window_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    let display = ((-3, 10), (20, 12));
    let windows = [((0, 12), (5, 4)), ((-9, 2), (40, 40)), ((-9, 14), (8, 30)), ((100, 100), (3, 3))];
    for (position, size) in windows {
        for tiles in [None, Some((4, 4))] {
            let part = Part { position, size, ..part(&["A", "B", "G", "R"]) };
            write(&path, display, encoding(e::Compression::ZIP16, tiles), std::slice::from_ref(&part));
            let found = read_foreign(&path).unwrap();
            assert_eq!((found.size, found.layers), ([20, 12], vec![None, None]));
            same(&found.rgba, display, &part, ["R", "G", "B", "A"], 0.0);
        }
    }
}

#[test]
fn channels_and_parts_may_be_named_in_many_ways() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    let zip = encoding(e::Compression::ZIP16, None);
    let names = [
        ["rgba.red", "rgba.green", "rgba.blue", "rgba.alpha"],
        ["Cross.Red", "Cross.Green", "Cross.Blue", "Cross.Alpha"],
        ["DIAGONAL.r", "DIAGONAL.g", "DIAGONAL.b", "DIAGONAL.a"],
    ];
    let one = part(&[&names.concat()[..], &["depth.Z", "velocity.x", "beauty.R"]].concat());
    write(&path, DISPLAY, zip, std::slice::from_ref(&one));
    let found = read_foreign(&path).unwrap();
    for (image, names) in std::iter::once(Some(found.rgba)).chain(found.layers).zip(names) {
        same(&image.unwrap(), DISPLAY, &one, names, 0.0);
    }
    // One part per layer, each with its own window.
    let small = Part { name: Some("cross"), position: (4, 5), size: (7, 8), ..part(&["R", "G", "B", "A"]) };
    let depth = Part { name: Some("depth"), ..part(&["Z"]) };
    let rgba = Part { name: Some("rgba"), kind: e::SampleType::F16, ..part(&["red", "green", "blue", "alpha"]) };
    let again = Part { name: Some("later"), position: (1, 1), ..part(&["R", "G", "B", "A"]) };
    write(&path, DISPLAY, zip, &[depth, small, rgba, again]);
    let found = read_foreign(&path).unwrap();
    same(&found.rgba, DISPLAY, &part(&[]), ["red", "green", "blue", "alpha"], 0.0);
    let small = Part { position: (4, 5), size: (7, 8), ..part(&[]) };
    same(found.layers[0].as_ref().unwrap(), DISPLAY, &small, ["R", "G", "B", "A"], 0.0);
    assert_eq!(found.layers[1], None);
    // A picture with the height alone.
    write(&path, DISPLAY, zip, &[part(&["A"])]);
    same(&read_foreign(&path).unwrap().rgba, DISPLAY, &part(&[]), ["", "", "", "A"], 0.0);
}

#[test]
fn layers_of_fewer_channels_are_read_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    let wanted = Wanted { alpha: "density", layers: &[("velocity", &["x", "y"]), ("density", &["density"])] };
    let zip = encoding(e::Compression::ZIP16, None);
    let one = part(&["R", "G", "B", "A", "velocity.X", "velocity.y", "density.density", "velocity.z"]);
    write(&path, DISPLAY, zip, std::slice::from_ref(&one));
    let found = flow_cache::read_foreign(&path, &wanted).unwrap();
    let [Some(velocity), Some(density)] = &found.layers[..] else { panic!("both layers") };
    same(velocity, DISPLAY, &one, ["velocity.X", "velocity.y", "", ""], 0.0);
    same(density, DISPLAY, &one, ["density.density", "", "", ""], 0.0);
    same(&found.rgba, DISPLAY, &one, ["R", "G", "B", "A"], 0.0);
    write(&path, DISPLAY, zip, &[part(&["A", "velocity.x"])]);
    let refusal = flow_cache::read_foreign(&path, &wanted).unwrap_err().to_string();
    assert!(refusal.contains("its layer velocity lacks the channel y"), "{refusal}");
    write(&path, DISPLAY, zip, &[part(&["velocity.x", "velocity.y"])]);
    let refusal = flow_cache::read_foreign(&path, &wanted).unwrap_err().to_string();
    assert!(refusal.contains("no channel A with the density"), "{refusal}");
}

#[test]
fn missing_channels_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    let says = |part: Part, words: &[&str]| {
        write(&path, DISPLAY, encoding(e::Compression::ZIP16, None), &[part]);
        let refusal = read_foreign(&path).unwrap_err();
        assert!(matches!(refusal, Refusal::NotOurs { .. }), "{refusal:?}");
        let text = refusal.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        // `peek` refuses the file as well.
        let refusal = flow_cache::peek(&path).unwrap_err();
        assert!(matches!(refusal, Refusal::NotOurs { .. }), "{refusal:?}");
    };
    says(part(&["R", "G", "B"]), &["no channel A", "B, G, R"]);
    says(part(&["A", "cross.R", "cross.G", "cross.B"]), &["layer cross", "channel A"]);
    says(part(&["A", "a"]), &["two channels"]);
    says(Part { kind: e::SampleType::U32, ..part(&["A"]) }, &["no channel A"]);
}

#[test]
fn decoders_allocate_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.exr");
    for compression in [e::Compression::DWAA(None), e::Compression::PIZ, e::Compression::PXR24, e::Compression::B44] {
        write(&path, ((0, 0), (33, 16)), encoding(compression, None), &[Part { size: (33, 16), ..part(&ALL) }]);
        let whole = std::fs::read(&path).unwrap();
        // The position of the only chunk follows its entry in the offset table.
        let number = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().unwrap());
        let chunk = (8..whole.len()).find(|&at| number(at - 8) == at as u64).unwrap() + 8;
        for at in (chunk..chunk + 88).step_by(8) {
            for value in [1 << 56, 1 << 40, u64::MAX, 1 << 31] {
                let mut bytes = whole.clone();
                bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
                std::fs::write(&path, bytes).unwrap();
                let _ = read_foreign(&path);
            }
        }
    }
}

#[test]
fn our_own_files_read_as_floats() {
    let folder = tempfile::tempdir().unwrap();
    for state in [State::random(&[61, 17], 1), State::floats(&[61, 17], 1)] {
        let path = state.write(folder.path());
        let found = read_foreign(&path).unwrap();
        assert_eq!(found.size, [61, 17]);
        assert!(found.rgba == state.layers[0].1);
        assert!(found.layers == [Some(state.layers[1].1.clone()), Some(state.layers[2].1.clone())]);
        // The reader of the exr crate finds the same values in all parts.
        let image = e::read()
            .no_deep_data()
            .largest_resolution_level()
            .all_channels()
            .all_layers()
            .all_attributes()
            .from_file(&path);
        let image = image.unwrap();
        assert_eq!(image.layer_data.len(), 2);
        let channels = &image.layer_data[1].channel_data.list;
        assert_eq!(channels.len(), state.blobs.len());
        for (blob, channel) in state.sorted().iter().zip(channels) {
            assert_eq!(blob.name, channel.name.to_string());
            let same = match (&blob.values, &channel.sample_data) {
                (Values::Ints(ours), e::FlatSamples::U32(theirs)) => {
                    ours.chunks(63).rev().flatten().map(|value| *value as u32).eq(theirs.iter().copied())
                }
                (Values::Floats(ours), e::FlatSamples::F32(theirs)) => {
                    let ours = ours.chunks(63).rev().flatten().map(|value| value.to_bits());
                    ours.eq(theirs.iter().map(|value| value.to_bits()))
                }
                _ => false,
            };
            assert!(same, "{}", blob.name);
        }
    }
}
