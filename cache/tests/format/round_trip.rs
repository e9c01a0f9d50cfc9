//! Written states are read back bit by bit.

use std::fs;

use flow_cache::{BlobRows, Layer, Refusal, Serial, Values, encode, peek, read};
use xxhash_rust::xxh3::xxh3_128;

use crate::common::{State, Threads, header};

const SHAPES: [&[usize]; 15] = [
    &[1],
    &[4099],
    &[1, 1],
    &[1, 7],
    &[9, 1],
    &[2, 33],
    &[16, 16],
    &[61, 17],
    &[130, 31],
    &[517, 389],
    &[1, 1, 1],
    &[13, 7, 5],
    &[40, 3, 33],
    &[2, 1, 3, 2],
    &[5, 4, 3, 6],
];

#[test]
fn every_shape_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let shapes = SHAPES.into_iter().zip(1_u64..);
    let states = shapes.flat_map(|(shape, seed)| {
        let unseen = State { layers: Vec::new(), ..State::floats(shape, seed) };
        [State::random(shape, seed), State::floats(shape, seed), unseen]
    });
    for state in states {
        let (path, shape) = (state.write(folder.path()), &state.header.shape);
        assert_eq!(peek(&path).unwrap(), state.header, "{shape:?}");
        for expected in [None, Some(&state.expected())] {
            let (header, blobs) = read(&path, expected, &Threads).unwrap();
            assert_eq!(header, state.header);
            assert!(blobs == state.sorted(), "{shape:?}");
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_hash_maps() {
    for state in [State::random(&[130, 67], 1), State::floats(&[130, 67], 1)] {
        let once = state.bytes(&Serial);
        assert!(once == state.bytes(&Threads));
        assert!(once == state.bytes(&Serial));
    }
}

#[test]
fn the_format_of_integer_files_is_fixed() {
    // The format of existing files must not change: these numbers are fixed.
    let state = State::random(&[13, 6], 1);
    let bytes = state.bytes(&Serial);
    let found = format!("{:032x} {} {:032x}", state.header.state, bytes.len(), xxh3_128(&bytes));
    assert_eq!(found, "e2c5a4c9d28d2f04f023583900b8815e 8348 c48c937854bfe4ca2912edc74bae1d8e");
}

#[test]
fn the_order_of_planes_does_not_matter() {
    let mut state = State::random(&[12, 5], 1);
    let (bytes, sealed) = (state.bytes(&Serial), state.header.clone());
    state.blobs.reverse();
    let mut again = header(&[12, 5], 1);
    again.seal(&state.rows());
    assert_eq!(again, sealed);
    assert!(bytes == state.bytes(&Serial));
}

#[test]
fn floats_are_not_the_integers_of_their_bits() {
    let mut state = State::floats(&[6, 5], 1);
    let bytes = state.bytes(&Serial);
    for blob in 0..state.blobs.len() {
        let (before, sealed) = (state.blobs[blob].values.clone(), state.header.state);
        state.blobs[blob].values = match &before {
            Values::Ints(values) => Values::Floats(values.iter().map(|value| f32::from_bits(*value as u32)).collect()),
            Values::Floats(values) => Values::Ints(values.iter().map(|value| value.to_bits() as i32).collect()),
        };
        assert!(state.blobs[blob].values != before);
        let mut header = state.header.clone();
        header.seal(&state.rows());
        assert_ne!(header.state, sealed, "blob {blob}");
        state.blobs[blob].values = before;
    }
    assert!(bytes == state.bytes(&Serial));
}

#[test]
fn planes_of_a_staggered_grid_keep_their_sizes() {
    let [width, height] = [3, 2];
    let value = |x: usize, y: usize| (10 * y + x + 1) as f32;
    // Faces across x, faces across y, cells.
    let blobs = [("u", [width + 1, height]), ("v", [width, height + 1]), ("heat", [width, height])];
    let rows = blobs.map(|(name, [columns, rows])| {
        BlobRows::floats(name, move |y, out| {
            if (1..=rows).contains(&y) {
                out[1..=columns].iter_mut().enumerate().for_each(|(x, out)| *out = value(x, y - 1));
            }
        })
    });
    let mut header = header(&[width, height], 1);
    header.seal(&rows);
    let mut out = std::io::Cursor::new(Vec::new());
    let layers = [Layer { names: vec!["A".into()], row: Box::new(|_, _| ()) }];
    encode(&header, &rows, &layers, &Serial, &mut out).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.exr");
    fs::write(&path, out.into_inner()).unwrap();
    let (_, read) = read(&path, None, &Serial).unwrap();
    for blob in read {
        let (_, [columns, rows]) = blobs.into_iter().find(|(name, _)| *name == blob.name).unwrap();
        assert!(blob.clone().into_ints().unwrap_err().contains(&blob.name));
        let (_, values) = blob.into_floats().unwrap();
        assert_eq!(values.len(), (width + 2) * (height + 2));
        for (at, found) in values.into_iter().enumerate() {
            let (x, y) = (at % (width + 2), at / (width + 2));
            let inside = (1..=columns).contains(&x) && (1..=rows).contains(&y);
            assert_eq!(found, if inside { value(x - 1, y - 1) } else { 0.0 }, "{x}, {y}");
        }
    }
}

#[test]
fn the_origin_of_a_grid_is_not_expected() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = State::floats(&[6, 5], 1);
    let expected = state.expected();
    for origin in [[0.0, 0.0], [12.0, -7.5]] {
        state.header.origin = origin.to_vec();
        let mut header = state.header.clone();
        header.seal(&state.rows());
        state.header = header;
        assert_eq!(read(&state.write(folder.path()), Some(&expected), &Serial).unwrap().0.origin, origin);
    }
}

#[test]
fn every_field_but_the_parameters_is_sealed() {
    let mut state = State::random(&[4, 4], 1);
    let sealed = state.header.state;
    let changes: [fn(&mut flow_cache::Header); 10] = [
        |header| header.key ^= 1,
        |header| header.family ^= 1,
        |header| header.model.push('x'),
        |header| header.version += 1,
        |header| header.frame += 1,
        |header| header.index += 1,
        |header| header.origin[1] = 0.0,
        |header| header.cells_per_pixel *= 2.0,
        |header| *header.numbers.get_mut("added").unwrap() += 1,
        |header| {
            header.numbers.insert("more".into(), 0);
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut header = state.header.clone();
        change(&mut header);
        header.seal(&state.rows());
        assert_ne!(header.state, sealed, "change {number}");
    }
    let mut header = state.header.clone();
    header.parameters.push('x');
    header.seal(&state.rows());
    assert_eq!(header.state, sealed);
    for blob in 0..state.blobs.len() {
        state.change(blob, 7, 1);
        header.seal(&state.rows());
        assert_ne!(header.state, sealed, "blob {blob}");
        state.change(blob, 7, 1);
    }
    state.blobs[0].name.push('x');
    header.seal(&state.rows());
    assert_ne!(header.state, sealed);
}

#[test]
fn an_unexpected_state_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::random(&[6, 5], 1);
    let path = state.write(folder.path());
    let read = |change: fn(&mut flow_cache::Expected)| {
        let mut expected = state.expected();
        change(&mut expected);
        let refusal = read(&path, Some(&expected), &Serial).unwrap_err();
        assert_eq!(refusal.path(), path);
        assert!(refusal.to_string().contains(path.to_str().unwrap()), "{refusal}");
        refusal
    };
    assert!(matches!(read(|expected| expected.key += 1), Refusal::OtherKey { .. }));
    assert!(matches!(read(|expected| expected.model.push('x')), Refusal::OtherVersion { .. }));
    assert!(matches!(read(|expected| expected.version += 1), Refusal::OtherVersion { .. }));
    assert!(matches!(read(|expected| expected.shape = vec![5, 6]), Refusal::WrongSize { .. }));
    let missing = folder.path().join("none.exr");
    assert!(matches!(peek(&missing).unwrap_err(), Refusal::Missing { .. }));
}

#[test]
fn an_unsealed_state_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = State::random(&[6, 5], 1);
    state.change(1, 20, 1 << 30);
    let path = state.write(folder.path());
    assert!(matches!(read(&path, None, &Serial).unwrap_err(), Refusal::Damaged { .. }));
}

#[test]
fn invalid_states_are_not_written() {
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = State::random(&[6, 5], 1);
        change(&mut state);
        let mut out = std::io::Cursor::new(Vec::new());
        let error = encode(&state.header, &state.rows(), &state.painters(), &Serial, &mut out).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
    };
    for shape in [vec![0, 5], vec![usize::MAX, 5], vec![5, usize::MAX, 5], vec![], vec![1; 5], vec![1 << 15, 1 << 15]] {
        refused(&|state| {
            state.header.origin = vec![0.0; shape.len()];
            state.header.shape.clone_from(&shape);
        });
    }
    refused(&|state| state.header.origin = vec![0.0; 3]);
    refused(&|state| state.header.origin[1] = f64::NAN);
    refused(&|state| state.blobs.clear());
    refused(&|state| state.blobs[1].name = "water".into());
    refused(&|state| state.layers[1].0[0] = "R");
    refused(&|state| state.blobs[1].name.clear());
    refused(&|state| state.blobs[1].name = "x".repeat(256));
    refused(&|state| {
        state.header.numbers.insert("a b".into(), 1);
    });
    refused(&|state| state.header.model = "x".repeat(1 << 20));
}

#[test]
fn long_texts_and_names_are_kept_or_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = State::random(&[6, 5], 1);
    state.header.parameters = "ä".repeat(100_000);
    state.blobs[1].name = "p".repeat(255);
    let mut header = state.header.clone();
    header.seal(&state.rows());
    state.header = header;
    let path = state.write(folder.path());
    let (header, blobs) = read(&path, Some(&state.expected()), &Serial).unwrap();
    assert!(blobs == state.sorted());
    assert_eq!(header.parameters, "ä".repeat(1 << 16) + "…");
    assert!(fs::metadata(&path).unwrap().len() < 600_000);
}

#[test]
fn a_file_recompressed_by_another_program_is_read() {
    use exr::prelude as e;
    use exr::prelude::{ReadChannels as _, ReadLayers as _, WritableImage as _};
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("again.exr");
    let lossless = [e::Compression::Uncompressed, e::Compression::RLE, e::Compression::ZIP1, e::Compression::ZIP16];
    let states = [State::random(&[61, 37], 1), State::floats(&[61, 37], 1)];
    for (state, compression) in states.iter().flat_map(|state| lossless.map(|compression| (state, compression))) {
        let path = state.write(folder.path());
        let image = e::read().no_deep_data().largest_resolution_level().all_channels().all_layers().all_attributes();
        let mut image = image.from_file(&path).unwrap();
        for layer in &mut image.layer_data {
            layer.encoding.compression = compression;
        }
        image.write().non_parallel().to_file(&again).unwrap();
        let (header, blobs) = read(&again, Some(&state.expected()), &Threads).unwrap();
        assert_eq!(header, state.header);
        assert!(blobs == state.sorted(), "{compression}");
    }
}

#[test]
fn a_file_may_begin_in_the_middle_of_a_stream() {
    let state = State::random(&[6, 5], 1);
    let mut out = std::io::Cursor::new(vec![7; 10]);
    out.set_position(10);
    encode(&state.header, &state.rows(), &state.painters(), &Serial, &mut out).unwrap();
    let end = out.position() as usize;
    assert_eq!(end, out.get_ref().len());
    assert!(out.get_ref()[10..] == state.bytes(&Serial));
}
