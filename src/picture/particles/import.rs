//! Particles from files: the PLY and CSV files of `export`, or those of other programs with the same columns. PLY may be
//! binary (little-endian) or text.

use std::str::SplitAsciiWhitespace;

use crate::picture::volume::PointSource;
use crate::sim::particles::Particle;
use crate::sim::particles::settings::EMITTERS;
use crate::sim::request;

/// Columns of a particle; the last five may be missing.
const COLUMNS: [&str; 15] = [
    "id",
    "emitter",
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "age",
    "life",
    "linear_red",
    "linear_green",
    "linear_blue",
    "size",
    "opacity",
];

/// Columns that a file must have.
const NEEDED: usize = 10;

/// Names of the last five columns in a table.
const COLOURS: [&str; 5] = ["red", "green", "blue", "size", "alpha"];

/// Longest header of a PLY file, bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// Most properties of a particle in a file.
const MOST_PROPERTIES: usize = 256;

/// Farthest position, pixels, and largest velocity and colour.
const FAR: f64 = 1e7;

/// Longest life, frames.
const LONGEST: f64 = 1e6;

/// Numbers below it are exact in stored states.
const MOST_NUMBERS: f64 = (1_u64 << 44) as f64;

/// The type of a property of a PLY file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The value in the first bytes; NaN where there are too few.
    fn value(self, bytes: &[u8]) -> f64 {
        fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
            bytes.first_chunk().copied()
        }
        let value = match self {
            Self::I8 => first(bytes).map(|bytes| f64::from(i8::from_le_bytes(bytes))),
            Self::U8 => first(bytes).map(|bytes| f64::from(u8::from_le_bytes(bytes))),
            Self::I16 => first(bytes).map(|bytes| f64::from(i16::from_le_bytes(bytes))),
            Self::U16 => first(bytes).map(|bytes| f64::from(u16::from_le_bytes(bytes))),
            Self::I32 => first(bytes).map(|bytes| f64::from(i32::from_le_bytes(bytes))),
            Self::U32 => first(bytes).map(|bytes| f64::from(u32::from_le_bytes(bytes))),
            Self::F32 => first(bytes).map(|bytes| f64::from(f32::from_le_bytes(bytes))),
            Self::F64 => first(bytes).map(f64::from_le_bytes),
        };
        value.unwrap_or(f64::NAN)
    }
}

/// The place of each column in a row of the file.
type Places = [Option<usize>; COLUMNS.len()];

/// The values of the columns in a row; 1 where a column is missing.
type Row = [f64; COLUMNS.len()];

/// The particles of a file, by emitter and number. Their births are relative to the time of the file, 0; their colours
/// are linear.
///
/// # Errors
/// The reason why it is no file of particles, as a sentence.
pub fn read(bytes: &[u8]) -> Result<Vec<Particle>, String> {
    let mut particles = rows(bytes, particle)?;
    particles.sort_unstable_by_key(|particle| (particle.emitter, particle.id));
    let twice = particles.windows(2).find(|pair| (pair[0].emitter, pair[0].id) == (pair[1].emitter, pair[1].id));
    if let Some([particle, _]) = twice {
        let (id, emitter) = (particle.id, particle.emitter + 1);
        return Err(format!("it has particle {id} of emitter {emitter} twice."));
    }
    Ok(particles)
}

/// The particles of a file as points that shine: radiance times area, pixels².
///
/// # Errors
/// The reason why it is no file of particles, as a sentence.
pub fn read_lights(bytes: &[u8]) -> Result<Vec<PointSource>, String> {
    rows(bytes, |[_, _, x, y, z, .., red, green, blue, size, opacity]| {
        let area = std::f64::consts::FRAC_PI_4 * size * size * opacity;
        let intensity = [red, green, blue].map(|channel| (channel * area).clamp(0.0, 1e12) as f32);
        (intensity != [0.0; 3]).then_some(PointSource { position: [x, y, z], intensity })
    })
}

/// The rows of a file, converted by `make`.
fn rows<T>(bytes: &[u8], make: impl Fn(Row) -> Option<T>) -> Result<Vec<T>, String> {
    if bytes.starts_with(b"ply") { ply(bytes, make) } else { table(bytes, make) }
}

/// The header of a PLY file.
struct Header<'a> {
    is_text: bool,
    count: usize,
    properties: Vec<(Kind, &'a str)>,
    /// Bytes up to the first particle.
    length: usize,
}

impl<'a> Header<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        const END: &[u8] = b"end_header";
        let start = &bytes[..bytes.len().min(LONGEST_HEADER)];
        let end = start.windows(END.len()).position(|window| window == END);
        let end = end.ok_or("its header has no end.")?;
        let text = std::str::from_utf8(&start[..end]).map_err(|_| "its header is no text.")?;
        let line_end = bytes[end..].iter().position(|byte| *byte == b'\n').ok_or("it ends after its header.")?;
        let mut header = Self { is_text: false, count: 0, properties: Vec::new(), length: end + line_end + 1 };
        let (mut format, mut elements) = (false, 0);
        for line in text.lines().skip(1) {
            let mut words = line.split_ascii_whitespace();
            let mut next = || words.next().unwrap_or_default();
            match (next(), next(), next()) {
                ("format", "binary_little_endian", _) => format = true,
                ("format", "ascii", _) => (format, header.is_text) = (true, true),
                ("format", other, _) => {
                    return Err(format!("its format is {other}; it must be binary_little_endian or ascii."));
                }
                ("element", name, count) => {
                    elements += 1;
                    if elements == 1 && name != "vertex" {
                        return Err("its first element is not \"vertex\".".to_owned());
                    }
                    if elements == 1 {
                        header.count = count.parse().map_err(|_| "its number of particles is no number.")?;
                    }
                }
                ("property", kind, name) if elements == 1 => {
                    let kind = Kind::parse(kind).ok_or_else(|| format!("its property {name} is of a kind {kind}."))?;
                    if header.properties.len() >= MOST_PROPERTIES {
                        return Err(format!("it has more than {MOST_PROPERTIES} properties."));
                    }
                    header.properties.push((kind, name));
                }
                _ => {}
            }
        }
        if format { Ok(header) } else { Err("its header names no format.".to_owned()) }
    }
}

fn ply<T>(bytes: &[u8], make: impl Fn(Row) -> Option<T>) -> Result<Vec<T>, String> {
    let header = Header::parse(bytes)?;
    let names: Vec<&str> = header.properties.iter().map(|(_, name)| *name).collect();
    let places = places(&names, &COLUMNS)?;
    let body = &bytes[header.length..];
    let short = |there: usize| format!("it says that it has {} particles, and ends after {there}.", header.count);
    if header.is_text {
        let text = std::str::from_utf8(body).map_err(|_| "it is no text.")?;
        // A line has a digit and a space for each property at least.
        let most = header.count.min(text.len() / (2 * names.len()) + 1);
        let mut particles = request::with_capacity(most);
        let mut lines = text.lines();
        for row in 0..header.count {
            let line = lines.next().ok_or_else(|| short(row))?;
            particles.extend(make(checked(&places, row, words(line.split_ascii_whitespace(), names.len()))?));
        }
        return Ok(particles);
    }
    let stride: usize = header.properties.iter().map(|(kind, _)| kind.bytes()).sum();
    let there = body.len() / stride.max(1);
    if there < header.count {
        return Err(short(there));
    }
    let mut offset = 0;
    let layout: Vec<(Kind, usize)> = header
        .properties
        .iter()
        .map(|(kind, _)| {
            let place = (*kind, offset);
            offset += kind.bytes();
            place
        })
        .collect();
    let mut particles = request::with_capacity(header.count);
    for (row, point) in body.chunks_exact(stride).take(header.count).enumerate() {
        let value = |place: usize| {
            let (kind, offset) = layout[place];
            kind.value(&point[offset..])
        };
        particles.extend(make(checked(&places, row, value)?));
    }
    Ok(particles)
}

/// The numbers of a line; NaN for one that is missing or is none.
fn words(words: SplitAsciiWhitespace<'_>, count: usize) -> impl Fn(usize) -> f64 {
    let numbers: Vec<f64> = words.take(count).map(|word| word.parse().unwrap_or(f64::NAN)).collect();
    move |place| numbers.get(place).copied().unwrap_or(f64::NAN)
}

/// The rows of a table with commas, converted by `make`.
fn table<T>(bytes: &[u8], make: impl Fn(Row) -> Option<T>) -> Result<Vec<T>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither a PLY nor a CSV file of particles.")?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').take(MOST_PROPERTIES).map(str::trim).collect();
    if names.len() < NEEDED {
        return Err("it is neither a PLY nor a CSV file of particles.".to_owned());
    }
    let mut columns = COLUMNS;
    columns[NEEDED..].copy_from_slice(&COLOURS);
    let places = places(&names, &columns)?;
    let most = text.len() / (2 * names.len()) + 1;
    let mut particles = request::with_capacity(most);
    for (row, line) in lines.filter(|line| !line.trim().is_empty()).enumerate() {
        let numbers: Vec<f64> = line.split(',').map(|word| word.trim().parse().unwrap_or(f64::NAN)).collect();
        if numbers.len() != names.len() {
            return Err(format!("row {} has {} columns, not {}.", row + 1, numbers.len(), names.len()));
        }
        particles.extend(make(checked(&places, row, |place| numbers[place])?));
    }
    Ok(particles)
}

/// The places of the columns among the names in a file.
fn places(names: &[&str], columns: &[&str; COLUMNS.len()]) -> Result<Places, String> {
    let places = columns.map(|column| names.iter().position(|name| *name == column));
    let missing: Vec<&str> =
        columns[..NEEDED].iter().zip(places).filter(|(_, place)| place.is_none()).map(|(column, _)| *column).collect();
    if missing.is_empty() { Ok(places) } else { Err(format!("it has no column {}.", missing.join(", "))) }
}

/// The values of a row, from 0, which are given by place.
fn checked(places: &Places, row: usize, value: impl Fn(usize) -> f64) -> Result<Row, String> {
    let mut values = [1.0; COLUMNS.len()];
    for (column, (place, out)) in places.iter().zip(&mut values).enumerate() {
        let Some(place) = place else { continue };
        *out = value(*place);
        let [low, high] = match COLUMNS[column] {
            "id" => [0.0, MOST_NUMBERS - 1.0],
            "emitter" => [1.0, EMITTERS as f64],
            // Below 0 before the release of the particle.
            "age" => [-LONGEST, LONGEST],
            "life" => [0.0, LONGEST],
            _ => [-FAR, FAR],
        };
        let is_whole = column > 1 || libm::trunc(*out) == *out;
        if !(*out >= low && *out <= high && is_whole) {
            return Err(format!("particle {} has {} of {out}.", row + 1, COLUMNS[column]));
        }
    }
    Ok(values)
}

/// The particle of a row; `None` for one at the end of its life.
fn particle([id, emitter, x, y, z, u, v, w, age, life, red, green, blue, ..]: Row) -> Option<Particle> {
    let birth = -age;
    (age < life).then_some(Particle {
        id: id as u64,
        emitter: emitter as u8 - 1,
        stuck: false,
        born: libm::floor(birth) as i32 + 1,
        fraction: (birth - libm::floor(birth)) as f32,
        life: life as f32,
        position: [x, y, z].map(|side| side as f32),
        velocity: [u, v, w].map(|side| side as f32),
        colour: [red as f32, green as f32, blue as f32, 1.0],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::cpu::Cpu;
    use crate::picture::particles::export::{FileFormat, write};
    use crate::picture::particles::tests::crowd;
    use crate::sim::particles::random::pcg4d;

    fn written(format: FileFormat) -> (Vec<u8>, Vec<Particle>) {
        let (mut state, mut look) = crowd();
        look.futures = [const { None }; EMITTERS];
        let mut particles: Vec<Particle> = state.particles.iter().take(300).copied().collect();
        particles.sort_by_key(|particle| (particle.emitter, particle.id));
        particles.retain(|particle| particle.lives(state.time));
        // One waits for its release.
        particles[5].born = state.time as i32 + 8;
        state.particles = std::sync::Arc::new(particles.clone());
        let mut bytes = Vec::new();
        write(&Cpu::new(1), &state, &look, format, &mut bytes).expect("memory takes all");
        for particle in &mut particles {
            particle.born -= state.time as i32;
        }
        (bytes, particles)
    }

    /// The same table as text with the header of a PLY file.
    fn as_text(table: &[u8]) -> Vec<u8> {
        let table = std::str::from_utf8(table).expect("text").replace(',', " ");
        let (names, rows) = table.split_once('\n').expect("a header");
        let names = names.split(' ').map(|name| match COLOURS.iter().position(|colour| *colour == name) {
            Some(place) => format!("property double {}\n", COLUMNS[NEEDED + place]),
            None => format!("property double {name}\n"),
        });
        let count = rows.lines().count();
        let header =
            format!("ply\nformat ascii 1.0\nelement vertex {count}\n{}end_header\n", names.collect::<String>());
        format!("{header}{rows}").into_bytes()
    }

    #[test]
    fn files_give_back_positions_numbers_and_ages() {
        let (table, truth) = written(FileFormat::Csv);
        for bytes in [written(FileFormat::Ply).0, as_text(&table), table] {
            let found = read(&bytes).expect("particles");
            assert_eq!(found.len(), truth.len());
            for (found, truth) in found.iter().zip(&truth) {
                let same =
                    |particle: &Particle| (particle.id as u32, particle.emitter, particle.position, particle.velocity);
                assert_eq!(same(found), same(truth));
                assert!((found.birth() - truth.birth()).abs() < 1e-4, "{found:?} {truth:?}");
                assert!((found.life - truth.life).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn damaged_files_give_an_error_or_finite_particles() {
        for format in [FileFormat::Ply, FileFormat::Csv] {
            let (bytes, truth) = written(format);
            let check = |bytes: &[u8]| match read(bytes) {
                Ok(particles) => {
                    assert!(particles.len() <= truth.len() + 1);
                    let numbers = particles.iter().flat_map(|particle| {
                        let Particle { position, velocity, colour, life, fraction, .. } = *particle;
                        position.into_iter().chain(velocity).chain(colour).chain([life, fraction])
                    });
                    assert!(numbers.into_iter().all(f32::is_finite));
                }
                Err(why) => assert!(why.ends_with('.') && why.len() < 300, "{why}"),
            };
            for length in (0..bytes.len()).step_by(7) {
                check(&bytes[..length]);
            }
            for seed in 0..3000 {
                let [place, bit, ..] = pcg4d([seed, 1, 2, 3]);
                let mut damaged = bytes.clone();
                let place = if seed % 2 == 0 { place as usize % 700 } else { place as usize % bytes.len() };
                damaged[place] ^= 1 << (bit % 8);
                check(&damaged);
            }
        }
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let (table, _) = written(FileFormat::Csv);
        let table = String::from_utf8(table).expect("text");
        let ply = |from: &str, to: &str| {
            let (bytes, _) = written(FileFormat::Ply);
            let end = bytes.windows(11).position(|bytes| bytes == b"end_header\n").expect("a header") + 11;
            let header = String::from_utf8(bytes[..end].to_vec()).expect("text");
            assert!(header.contains(from), "{from}");
            [header.replace(from, to).as_bytes(), &bytes[end..]].concat()
        };
        let row = "1,1,0,0,0,0,0,0,1,9,1,1,1,1,1\n";
        let with =
            |from: &str, to: &str| table.lines().next().map(|names| format!("{names}\n{}", row.replacen(from, to, 1)));
        let with = |from: &str, to: &str| with(from, to).expect("a header").into_bytes();
        let cases: [(Vec<u8>, &str); 15] = [
            (Vec::new(), "neither"),
            (b"\x76\x2f\x31\x01\0\0\0\0".to_vec(), "neither"),
            (b"frame tx ty tz rx ry rz\n1 0 0 0 0 0 0".to_vec(), "neither"),
            (table.replace(",vy,", ",wy,").into_bytes(), "no column vy"),
            (with("1,1,0", "1,nan,0"), "emitter of NaN"),
            (with("1,1,0", "1,5,0"), "emitter of 5"),
            (with("1,1,0", "1,1,1e9"), "x of 1000000000"),
            (with("1,1,0", "-1,1,0"), "id of -1"),
            (with("1,1,0", "1,0"), "14 columns, not 15"),
            (
                format!("{}{row}", String::from_utf8_lossy(&with("1,1", "1,1"))).into_bytes(),
                "particle 1 of emitter 1 twice",
            ),
            (ply("binary_little", "binary_big"), "format is binary_big_endian"),
            (ply("element vertex ", "element vertex 1000000"), "it says that it has 1000000"),
            (ply("element vertex", "element face"), "first element"),
            (ply("property float life", "property list uchar int life"), "of a kind list"),
            (ply("end_header", "end header"), "no end"),
        ];
        for (bytes, phrase) in cases {
            let why = read(&bytes).expect_err(phrase);
            assert!(why.contains(phrase), "{phrase}: {why}");
        }
    }
}
