//! Hostile files.

use std::fs;
use std::path::Path;

use flow_cache::{Refusal, Serial, peek, read};

use crate::common::{State, read_foreign};

/// Range of bytes of an attribute's value: of the attribute with that name at index `nth`.
fn find(bytes: &[u8], name: &str, kind: &str, nth: usize) -> std::ops::Range<usize> {
    let head = [name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat();
    let at =
        bytes.windows(head.len()).enumerate().filter(|(_, window)| *window == head).nth(nth).unwrap().0 + head.len();
    let size = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    at + 4..at + 4 + size
}

/// Position of the offset tables: 4 chunks of the picture, 6 of the state.
fn table(bytes: &[u8]) -> usize {
    find(bytes, "flow.parameters", "string", 1).end + 2
}

/// Replaces the value of an attribute in the first part (0) or the second (1), and corrects the offset tables.
fn set(bytes: &mut Vec<u8>, name: &str, kind: &str, nth: usize, value: &[u8]) {
    let range = find(bytes, name, kind, nth);
    let moved = (value.len() as u64).wrapping_sub(range.len() as u64);
    bytes[range.start - 4..range.start].copy_from_slice(&(value.len() as u32).to_le_bytes());
    bytes.splice(range, value.iter().copied());
    let table = table(bytes);
    for offset in bytes[table..table + 10 * 8].chunks_exact_mut(8) {
        let moved = u64::from_le_bytes((&*offset).try_into().unwrap()).wrapping_add(moved);
        offset.copy_from_slice(&moved.to_le_bytes());
    }
}

fn window(corners: [i32; 4]) -> Vec<u8> {
    corners.iter().flat_map(|corner| corner.to_le_bytes()).collect()
}

fn channels(count: usize) -> Vec<u8> {
    let mut list = Vec::new();
    for number in 0..count {
        list.extend(format!("c{number:05}\0").bytes());
        list.extend([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
    list.push(0);
    list
}

/// The refusal of a valid file after a change. `peek` and `read_foreign` must not panic on it.
fn refusal(change: impl Fn(&mut Vec<u8>)) -> Refusal {
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[5, 4], 1);
    let path = state.write(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, &bytes).unwrap();
    let _ = (peek(&path), read_foreign(&path));
    assert!(read(&path, Some(&state.expected()), &Serial).is_err());
    let found = read(&path, None, &Serial).unwrap_err();
    assert!(found.to_string().contains(path.to_str().unwrap()), "{found}");
    found
}

macro_rules! refused {
    ($variant:ident, $change:expr) => {{
        let refusal = refusal($change);
        assert!(matches!(refusal, Refusal::$variant { .. }), "{refusal:?}");
    }};
}

#[test]
fn changed_parameters_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[5, 4], 1);
    let path = state.write(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    (0..2).for_each(|part| set(&mut bytes, "flow.parameters", "string", part, b"longer or shorter"));
    fs::write(&path, &bytes).unwrap();
    assert!(read(&path, Some(&state.expected()), &Serial).unwrap().1 == state.sorted());
}

#[test]
fn windows() {
    let most = i32::MAX;
    refused!(Absurd, |b| set(b, "dataWindow", "box2i", 1, &window([0, 0, 1 << 29, 1 << 29])));
    refused!(Absurd, |b| set(b, "dataWindow", "box2i", 0, &window([-(1 << 29), 0, 1 << 29, 3])));
    refused!(Absurd, |b| set(b, "displayWindow", "box2i", 0, &window([0, 0, 1 << 28, 1 << 28])));
    refused!(Damaged, |b| set(b, "dataWindow", "box2i", 1, &window([i32::MIN, i32::MIN, most, most])));
    refused!(Damaged, |b| set(b, "dataWindow", "box2i", 1, &window([5, 4, -1, -1])));
    refused!(Damaged, |b| set(b, "dataWindow", "box2i", 1, &window([-2, -1, 4, 4])));
    refused!(Damaged, |b| set(b, "dataWindow", "box2i", 1, &window([-1, -1, 5, 5])));
    refused!(Damaged, |b| set(b, "dataWindow", "box2i", 1, &[0; 15]));
}

#[test]
fn a_large_grid_in_a_small_file() {
    // The header is consistent, but the pixels are missing.
    for (compression, lines) in [(0_u8, 1), (1, 1), (2, 1), (3, 16)] {
        refused!(Damaged, |b| {
            let rows = 16_000;
            for part in 0..2 {
                set(b, "flow.shape", "string", part, format!("60000 {rows}").as_bytes());
                let ring = part as i32;
                set(b, "dataWindow", "box2i", part, &window([-ring, -ring, 59_999 + ring, rows - 1 + ring]));
                set(b, "compression", "compression", part, &[compression]);
                let chunks = (rows + 2 * ring + lines - 1) / lines;
                set(b, "chunkCount", "int", part, &chunks.to_le_bytes());
            }
        });
    }
}

#[test]
fn too_many_channels_parts_and_attributes() {
    refused!(Absurd, |b| set(b, "channels", "chlist", 1, &channels(65)));
    refused!(Absurd, |b| set(b, "channels", "chlist", 1, &channels(5000)));
    refused!(Absurd, |b| set(b, "channels", "chlist", 0, &channels(5000)));
    refused!(Damaged, |b| set(b, "channels", "chlist", 1, &channels(0)));
    refused!(Damaged, |b| set(b, "channels", "chlist", 1, &[b'x'; 100]));
    refused!(Absurd, |b| {
        let end = find(b, "flow.parameters", "string", 1).end;
        let header = b[8..find(b, "flow.parameters", "string", 0).end + 1].to_vec();
        let headers = header.repeat(300);
        b.splice(end + 1..end + 1, headers);
    });
    refused!(Absurd, |b| {
        let attributes: Vec<u8> =
            (0..5000).flat_map(|n| format!("a{n}\0int\0\x04\0\0\0\0\0\0\0").into_bytes()).collect();
        b.splice(8..8, attributes);
    });
    refused!(Absurd, |b| drop(
        b.splice(8..8, [b"x\0string\0".as_slice(), &(2_u32 << 20).to_le_bytes(), &vec![0; 2 << 20]].concat())
    ));
    // A header that exceeds the limit by attributes of permitted sizes.
    refused!(Absurd, |b| {
        let attribute = [b"x\0string\0".as_slice(), &500_000_u32.to_le_bytes(), &vec![b'a'; 500_000]].concat();
        b.splice(8..8, attribute.repeat(3));
    });
    refused!(Absurd, |b| drop(b.splice(8..8, [b'x'; 300])));
    for size in [i32::MAX, -1, i32::MIN] {
        refused!(Absurd, |b| {
            let at = find(b, "flow.parameters", "string", 0).start;
            b[at - 4..at].copy_from_slice(&size.to_le_bytes());
        });
    }
}

#[test]
fn values_of_another_type() {
    // Integers declared as floats, as halves and as an invalid type; in all blobs, then in one.
    for kind in [2, 1, 3] {
        for blobs in [0..3_usize, 1..2] {
            refused!(Damaged, |b: &mut Vec<u8>| {
                let list = find(b, "channels", "chlist", 1);
                let names = ["east", "north west", "water"];
                for name in &names[blobs.clone()] {
                    let name = [name.as_bytes(), b"\0"].concat();
                    let at = b[list.clone()].windows(name.len()).position(|window| window == name).unwrap();
                    b[list.start + at + name.len()] = kind;
                }
            });
        }
    }
}

#[test]
fn exact_floats_are_not_read_as_a_picture() {
    // The exact float blob A must not be read as the alpha channel, even if the picture has none.
    let folder = tempfile::tempdir().unwrap();
    let mut state = State::floats(&[5, 4], 1);
    let path = state.write(folder.path());
    let picture = read_foreign(&path).unwrap();
    assert_eq!(picture.size, [5, 4]);
    assert_eq!(picture.rgba, state.layers[0].1);
    state.layers[0].0 = vec!["x", "y", "z", "w"];
    let path = state.write(folder.path());
    assert!(matches!(read_foreign(&path).unwrap_err(), Refusal::NotOurs { .. }));
}

#[test]
fn deep_tiled_and_unknown_parts() {
    refused!(Damaged, |b| set(b, "type", "string", 1, b"deepscanline"));
    refused!(Damaged, |b| {
        set(b, "type", "string", 1, b"deepscanline");
        b[5] |= 8;
    });
    refused!(Damaged, |b| set(b, "type", "string", 1, b"tiledimage"));
    for (size, absurd) in [(0_u32, true), (u32::MAX, true), (64, false)] {
        let tiles = [&b"tiles\0tiledesc\0\x09\0\0\0"[..], &size.to_le_bytes(), &size.to_le_bytes(), &[0]].concat();
        let refusal = refusal(|b| {
            set(b, "type", "string", 1, b"tiledimage");
            let at = find(b, "flow.parameters", "string", 1).end;
            b.splice(at..at, tiles.iter().copied());
        });
        assert_eq!(matches!(refusal, Refusal::Absurd { .. }), absurd, "{refusal:?}");
    }
    // PIZ, and an invalid number of a compression.
    refused!(Damaged, |b| set(b, "compression", "compression", 1, &[4]));
    refused!(Damaged, |b| set(b, "compression", "compression", 1, &[77]));
    refused!(NotExr, |b| b[6] |= 1);
    refused!(NotExr, |b| b[4] = 3);
    refused!(Damaged, |b| b[5] &= !0x10);
}

#[test]
fn chunks_in_the_wrong_place() {
    refused!(Damaged, |b| {
        let at = table(b) + 4 * 8;
        let first = b[at..at + 8].to_vec();
        b[at + 8..at + 16].copy_from_slice(&first);
    });
    refused!(Damaged, |b| {
        let at = table(b);
        let first = b[at..at + 8].to_vec();
        b[at + 32..at + 40].copy_from_slice(&first);
    });
    for offset in [0, 100, u64::MAX, 1 << 40] {
        refused!(Damaged, |b| {
            let at = table(b) + 4 * 8;
            b[at..at + 8].copy_from_slice(&u64::to_le_bytes(offset));
        });
    }
    for size in [0, -1, i32::MAX, i32::MIN, 85] {
        refused!(Damaged, |b| {
            let at = table(b) + 4 * 8;
            let chunk = u64::from_le_bytes(b[at..at + 8].try_into().unwrap()) as usize;
            b[chunk + 8..chunk + 12].copy_from_slice(&i32::to_le_bytes(size));
        });
    }
    for count in [0, -1, 5, 7, i32::MAX] {
        for part in 0..2 {
            refused!(Damaged, |b| set(b, "chunkCount", "int", part, &i32::to_le_bytes(count)));
        }
    }
}

#[test]
fn other_formats_and_strange_fields() {
    refused!(OtherFormat, |b| (0..2).for_each(|part| set(b, "flow.format", "int", part, &[1, 0, 0, 0])));
    refused!(Damaged, |b| set(b, "flow.model", "string", 1, b"another"));
    refused!(Damaged, |b| set(b, "flow.parameters", "string", 1, b"another"));
    let both = |name: &'static str, kind: &'static str, value: &'static [u8]| {
        move |b: &mut Vec<u8>| (0..2).for_each(|part| set(b, name, kind, part, value))
    };
    refused!(Damaged, both("flow.key", "string", b"0123"));
    refused!(Damaged, both("flow.key", "string", b"0123456789ABCDEF0123456789ABCD01"));
    refused!(Damaged, both("flow.state", "string", b"+123456789abcdef0123456789abcdef"));
    refused!(Damaged, both("flow.frame", "string", b"99999999999999999999"));
    refused!(Damaged, both("flow.frame", "string", b"-017"));
    refused!(Damaged, both("flow.index", "string", b"+1017"));
    refused!(Damaged, both("flow.index", "string", b"-1"));
    refused!(Damaged, both("flow.model", "string", b"\xff\xfe"));
    refused!(Damaged, both("flow.shape", "string", b"5 4 3"));
    refused!(Damaged, both("flow.shape", "string", b"5 4 3 2 1"));
    refused!(Damaged, both("flow.shape", "string", b"5 04"));
    refused!(Damaged, both("flow.shape", "string", b""));
    refused!(Damaged, both("flow.shape", "string", b"99999999999999999999 4"));
    refused!(Damaged, both("flow.numbers", "string", b"added=12"));
    refused!(Damaged, both("flow.numbers", "string", b"added"));
    for origin in [&b"short"[..], b"0.0", b"0.0 0.0 0.0", b"0 0", b"0.0 NaN", b"inf 0.0"] {
        refused!(Damaged, both("flow.origin", "string", origin));
    }
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[5, 4], 1);
    let path = state.write(folder.path());
    for grid in ["18446744073709551615 4", "0 0"] {
        let mut bytes = fs::read(&path).unwrap();
        (0..2).for_each(|part| set(&mut bytes, "flow.shape", "string", part, grid.as_bytes()));
        let other = folder.path().join("grid.exr");
        fs::write(&other, bytes).unwrap();
        assert!(read(&other, None, &Serial).is_err());
        let expected = read(&other, Some(&state.expected()), &Serial).unwrap_err();
        assert!(matches!(expected, Refusal::WrongSize { .. }));
    }
}

#[test]
fn inputs_that_are_not_regular_exr_files() {
    let folder = tempfile::tempdir().unwrap();
    let refuses = |path: &Path| {
        for refusal in [peek(path).unwrap_err(), read_foreign(path).unwrap_err()] {
            assert!(matches!(refusal, Refusal::NotExr { .. }), "{refusal:?}");
        }
    };
    refuses(folder.path());
    for contents in ["", "v", "#!/bin/sh\n", "\u{89}PNG"] {
        let path = folder.path().join("other.exr");
        fs::write(&path, contents).unwrap();
        match contents {
            "v" => assert!(peek(&path).is_err()),
            _ => refuses(&path),
        }
    }
    // An endless file; the check must come before opening.
    #[cfg(unix)]
    {
        let endless = Path::new("/dev/zero");
        refuses(endless);
        assert!(peek(endless).unwrap_err().to_string().contains("not a plain file"));
    }
}
