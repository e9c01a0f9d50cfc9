//! Particles as files for other programs: a table as text (CSV), or binary points (PLY, little-endian).
//!
//! PLY has the properties that Blender and MeshLab read, `x y z` and `red green blue alpha` as bytes in sRGB, and the
//! others as floats. Both formats have one row per particle, by emitter and number.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::appearance::Appearance;
use super::look::Look;
use crate::compute::cpu::Cpu;
use crate::sim::particles::{Particle, State};

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Binary PLY.
    Ply,
    /// Text with commas.
    Csv,
}

/// Particles of a piece, which one thread encodes.
const PIECE: usize = 4096;

/// Pieces in memory at once.
const PIECES: usize = 64;

/// Names of the columns of a CSV file.
const COLUMNS: &str = "id,emitter,x,y,z,vx,vy,vz,age,life,size,red,green,blue,alpha";

/// Properties of a point of a PLY file.
const PROPERTIES: [(&str, &str); 19] = [
    ("float", "x"),
    ("float", "y"),
    ("float", "z"),
    ("uchar", "red"),
    ("uchar", "green"),
    ("uchar", "blue"),
    ("uchar", "alpha"),
    ("uint", "id"),
    ("uchar", "emitter"),
    ("float", "vx"),
    ("float", "vy"),
    ("float", "vz"),
    ("float", "age"),
    ("float", "life"),
    ("float", "size"),
    ("float", "linear_red"),
    ("float", "linear_green"),
    ("float", "linear_blue"),
    ("float", "opacity"),
];

impl FileFormat {
    /// Extension of the names of files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Csv => "csv",
        }
    }
}

/// Writes the particles of a state that have an appearance, on the threads of `cpu`. The bytes do not depend on the
/// number of threads.
///
/// # Errors
/// `to` cannot be written to.
pub fn write(cpu: &Cpu, state: &State, look: &Look, format: FileFormat, to: &mut dyn Write) -> io::Result<()> {
    let seen = |particle: &&Particle| look.emitters.get(usize::from(particle.emitter)).is_some_and(Option::is_some);
    let count: usize =
        cpu.each(state.particles.chunks(PIECE).collect(), |piece: &[_]| piece.iter().filter(seen).count()).iter().sum();
    match format {
        FileFormat::Ply => to.write_all(header(count).as_bytes())?,
        FileFormat::Csv => writeln!(to, "{COLUMNS}")?,
    }
    for batch in state.particles.chunks(PIECE * PIECES) {
        let encoded = cpu.each(batch.chunks(PIECE).collect(), |piece: &[Particle]| {
            let mut bytes = Vec::new();
            for particle in piece {
                let Some(appearance) = Appearance::new(look, particle, state.time) else { continue };
                match format {
                    FileFormat::Ply => point(particle, &appearance, &mut bytes),
                    FileFormat::Csv => row(particle, &appearance, &mut bytes),
                }
            }
            bytes
        });
        encoded.iter().try_for_each(|bytes| to.write_all(bytes))?;
    }
    Ok(())
}

/// The header of a PLY file of so many points.
fn header(count: usize) -> String {
    let mut text =
        "ply\nformat binary_little_endian 1.0\ncomment FlowParticles: lengths in full-resolution pixels, y up, \
                    z towards the camera; pixels per frame; age and life in frames; size is a diameter\n"
            .to_owned();
    let _ = writeln!(text, "element vertex {count}");
    for (kind, name) in PROPERTIES {
        let _ = writeln!(text, "property {kind} {name}");
    }
    text.push_str("end_header\n");
    text
}

/// A linear value as a byte in sRGB.
fn display(linear: f64) -> u8 {
    let linear = if linear.is_nan() { 0.0 } else { linear.clamp(0.0, 1.0) };
    let encoded = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 };
    libm::round(encoded * 255.0) as u8
}

/// The numbers of a particle after its velocity.
fn numbers(appearance: &Appearance) -> [f32; 7] {
    let Appearance { age, life, diameter, opacity, colour: [red, green, blue], .. } = *appearance;
    [age, life, diameter, red, green, blue, opacity].map(|value| value as f32)
}

fn point(particle: &Particle, appearance: &Appearance, bytes: &mut Vec<u8>) {
    let floats = |bytes: &mut Vec<u8>, values: &[f32]| {
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    };
    floats(bytes, &particle.position);
    bytes.extend(appearance.colour.map(display));
    bytes.push(libm::round(appearance.opacity.clamp(0.0, 1.0) * 255.0) as u8);
    // Readers know integers of 32 bits.
    bytes.extend((particle.id as u32).to_le_bytes());
    bytes.push(particle.emitter + 1);
    floats(bytes, &particle.velocity);
    floats(bytes, &numbers(appearance));
}

fn row(particle: &Particle, appearance: &Appearance, bytes: &mut Vec<u8>) {
    let mut line = format!("{},{}", particle.id, particle.emitter + 1);
    for value in particle.position.into_iter().chain(particle.velocity).chain(numbers(appearance)) {
        let _ = write!(line, ",{value}");
    }
    line.push('\n');
    bytes.extend(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::particles::tests::crowd;

    fn written(threads: usize, format: FileFormat) -> Vec<u8> {
        let (mut state, mut look) = crowd();
        let particles = state.particles.iter().cycle().take(20_000).copied().collect();
        state.particles = std::sync::Arc::new(particles);
        look.emitters[3] = None;
        let mut bytes = Vec::new();
        write(&Cpu::new(threads), &state, &look, format, &mut bytes).expect("memory takes all");
        bytes
    }

    #[test]
    fn files_have_a_row_per_particle_and_the_same_bytes_on_any_threads() {
        for format in [FileFormat::Ply, FileFormat::Csv] {
            let truth = written(1, format);
            assert!([2, 3, 7].into_iter().all(|threads| written(threads, format) == truth), "{format:?}");
        }
        let table = String::from_utf8(written(2, FileFormat::Csv)).expect("text");
        let rows: Vec<Vec<f64>> = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|value| value.parse().expect("a number")).collect())
            .collect();
        assert_eq!(rows.len(), 15_200, "those of an emitter without a look are left out");
        assert!(rows.iter().all(|row| row.len() == COLUMNS.split(',').count()));
        let points = written(2, FileFormat::Ply);
        let end = points.windows(11).position(|bytes| bytes == b"end_header\n").expect("a header") + 11;
        let header = String::from_utf8(points[..end].to_vec()).expect("text");
        assert!(header.contains("element vertex 15200\n"), "{header}");
        let sizes = |kind: &str| if kind == "uchar" { 1 } else { 4 };
        let stride: usize = PROPERTIES.iter().map(|(kind, _)| sizes(kind)).sum();
        assert_eq!(points.len(), end + rows.len() * stride);
        for (point, row) in points[end..].chunks(stride).zip(&rows).step_by(997) {
            let mut at = 0;
            for (kind, name) in PROPERTIES {
                let bytes = &point[at..at + sizes(kind)];
                at += sizes(kind);
                let value = match kind {
                    "uchar" => f64::from(bytes[0]),
                    "uint" => f64::from(u32::from_le_bytes(bytes.try_into().expect("four"))),
                    _ => f64::from(f32::from_le_bytes(bytes.try_into().expect("four"))),
                };
                let column = name.strip_prefix("linear_").unwrap_or(if name == "opacity" { "alpha" } else { name });
                let place = COLUMNS.split(',').position(|other| other == column).expect("a column");
                match name {
                    "red" | "green" | "blue" => assert_eq!(value, f64::from(display(row[place])), "{name}"),
                    "alpha" => assert!((value / 255.0 - row[place]).abs() < 1.0 / 255.0),
                    _ => assert!((value - row[place]).abs() <= row[place].abs() * 1e-6, "{name}"),
                }
            }
        }
    }

    #[test]
    fn bytes_are_in_srgb() {
        assert_eq!([-1.0, 0.0, 0.002, 0.214, 1.0, 7.0, f64::NAN].map(display), [0, 0, 7, 127, 255, 255, 0]);
    }
}
