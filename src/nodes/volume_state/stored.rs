//! A volume as the contents of a file: lists of numbers in rows of [`ROW`], long enough for the whole box.

use std::collections::BTreeMap;
use std::sync::Arc;

use flow_cache::{Blob, BlobRows, Header, Layer};

use super::frame_state::FrameState;
use super::sparse_packs::SparsePacks;
use crate::sim::diagnostics::{DIAGNOSTICS, Diagnostic as _};
use crate::sim::memory::Values;
use crate::sim::volume::fields::{Bounds, TILE};
use crate::sim::volume::state::{PACK, faces, whole};
use crate::sim::volume::{Diagnostics, MODEL_VERSION, State, Statistics};
use crate::timeline::disk::Stored;

/// Values of a row.
const ROW: usize = 1024;

/// Names of the velocities.
const VELOCITY: [&str; 3] = ["velocity.x", "velocity.y", "velocity.z"];

/// Names of the packs.
const SCALARS: [&str; 2] = ["scalars.low", "scalars.high"];
const GASES: [&str; 2] = ["gases.low", "gases.high"];
const TINTS: [&str; 2] = ["tints.low", "tints.high"];

/// The name and the version of the model of a node. The bits depend on the class of device; the CPU's has the bare name.
pub fn model(node: &str, class: &str) -> (String, u32) {
    let name = if class == "cpu" { node.to_owned() } else { format!("{node} {class}") };
    (name, MODEL_VERSION)
}

/// Whether files of a model have states of a node, of any class of device.
pub fn is_model(node: &str, name: &str) -> bool {
    ["cpu", "gpu"].iter().any(|class| model(node, class).0 == name)
}

/// The shape of the lists of a box of these cells, which have `detail`³ packs each.
pub fn shape(cells: [usize; 3], detail: usize) -> Vec<usize> {
    let packs = whole(cells).finer(detail).len();
    let longest = faces(cells).into_iter().fold(packs, usize::max);
    vec![ROW, longest.div_ceil(ROW).max(1)]
}

/// A list as a blob, whose rows have a border of one value.
fn blob<'a>(name: &'static str, count: usize, value: impl Fn(usize) -> f32 + Sync + Send + 'a) -> BlobRows<'a> {
    BlobRows::floats(name, move |row, out| {
        let Some(first) = row.checked_sub(1).map(|row| row * ROW) else { return };
        let last = (first + ROW).min(count);
        for (place, out) in (first..last).zip(&mut out[1..=ROW]) {
            *out = value(place);
        }
    })
}

/// A list of two halves of each pack as the bits of one float, which is never NaN for finite halves. Rows of tiles and
/// of the list are whole multiples of [`TILE`].
fn pairs<'a>(name: &'static str, packs: &'a SparsePacks, which: usize) -> BlobRows<'a> {
    BlobRows::floats(name, move |row, out| {
        let Some(first) = row.checked_sub(1).map(|row| row * ROW) else { return };
        let last = (first + ROW).min(packs.len());
        for (place, out) in (first..last).step_by(TILE).zip(out[1..=ROW].chunks_exact_mut(TILE)) {
            let row = packs.row(place).unwrap_or_default().as_chunks::<PACK>().0;
            for (out, pack) in out.iter_mut().zip(row) {
                *out = f32::from_bits(u32::from(pack[2 * which]) | u32::from(pack[2 * which + 1]) << 16);
            }
        }
    })
}

/// The first `count` values of a list of a file.
fn list<'a>(blob: &'a [f32], count: usize) -> Result<impl Iterator<Item = f32> + 'a, String> {
    if blob.len() / (ROW + 2) * ROW < count {
        return Err("it has too few values".to_owned());
    }
    Ok(blob.chunks_exact(ROW + 2).skip(1).flat_map(|row| &row[1..=ROW]).take(count).copied())
}

/// The volume of a file, in a box of these cells, which have `detail`³ packs each.
///
/// # Errors
/// The reason why the file is no state of a volume.
pub fn restore(
    header: &Header,
    blobs: Vec<Blob>,
    (cells, detail): ([usize; 3], usize),
) -> Result<(State, Diagnostics), String> {
    let number = |name: &str| header.numbers.get(name).copied().ok_or_else(|| format!("{name} is missing"));
    let blobs = blobs.into_iter().map(Blob::into_floats).collect::<Result<BTreeMap<_, _>, _>>()?;
    let blob = |name: &str| blobs.get(name).map(|blob| &blob[..]).ok_or_else(|| format!("{name} is missing"));
    let most = whole(cells);
    let mut bounds = Bounds::default();
    for axis in 0..3 {
        let low = usize::try_from(number(&format!("low{axis}"))?).map_err(|_| "the box is outside")?;
        let count = usize::try_from(number(&format!("cells{axis}"))?).map_err(|_| "the box is too large")?;
        let whole = low.is_multiple_of(TILE) && count.is_multiple_of(TILE) && count > 0;
        if !whole || low.saturating_add(count) > most.cells[axis] {
            return Err("its box is none of this simulation".to_owned());
        }
        (bounds.low[axis], bounds.cells[axis]) = (low as i32, count);
    }
    let counts = faces(bounds.cells);
    let mut velocity: [Arc<Values<f32>>; 3] = Default::default();
    for axis in 0..3 {
        let mut values = Values::zeros(counts[axis]);
        for (to, value) in values.iter_mut().zip(list(blob(VELOCITY[axis])?, counts[axis])?) {
            if !value.is_finite() {
                return Err("a velocity is not finite".to_owned());
            }
            *to = value;
        }
        velocity[axis] = Arc::new(values);
    }
    let packs = |names: [&str; 2]| -> Result<Arc<Values<u16>>, String> {
        let count = bounds.finer(detail).len();
        let mut packs: Values<u16> = Values::zeros(4 * count);
        for (which, name) in names.into_iter().enumerate() {
            let pairs = list(blob(name)?, count)?;
            for (pack, pair) in packs.as_chunks_mut::<4>().0.iter_mut().zip(pairs) {
                let bits = pair.to_bits();
                let halves = [bits as u16, (bits >> 16) as u16];
                if halves.iter().any(|half| *half >= INFINITE) {
                    return Err("a scalar is not finite".to_owned());
                }
                pack[2 * which..2 * which + 2].copy_from_slice(&halves);
            }
        }
        Ok(Arc::new(packs))
    };
    let optional = |names: [&str; 2]| blobs.contains_key(names[0]).then(|| packs(names)).transpose();
    let (scalars, gases, tints) = (packs(SCALARS)?, optional(GASES)?, optional(TINTS)?);
    let corner = |end: &str| -> Result<[i32; 3], String> {
        let mut corner = [0; 3];
        for (axis, at) in corner.iter_mut().enumerate() {
            *at = i32::try_from(number(&format!("{end}{axis}"))?).map_err(|_| "the smoke is outside")?;
        }
        Ok(corner)
    };
    let active = if number("active")? == 1 { Some([corner("first")?, corner("last")?]) } else { None };
    let speed = f32::from_bits(number("speed")? as u32);
    if !speed.is_finite() {
        return Err("its speed is not finite".to_owned());
    }
    let steps = number("steps")? as u32;
    let statistics = Statistics { active, speed };
    let volume = State { bounds, detail, steps, velocity, scalars, gases, tints, statistics };
    Ok((volume, Diagnostics::read(DIAGNOSTICS, &header.numbers)))
}

/// Bits of infinity as a half: those of finite halves of at least 0 are less.
const INFINITE: u16 = 0x7c00;

impl Stored for FrameState {
    fn header(&self) -> Header {
        let Self { bounds, steps, statistics, .. } = self;
        let mut numbers = BTreeMap::from([
            ("steps".to_owned(), u64::from(*steps)),
            ("speed".to_owned(), u64::from(statistics.speed.to_bits())),
            ("active".to_owned(), u64::from(statistics.active.is_some())),
        ]);
        let [first, last] = statistics.active.unwrap_or_default();
        for axis in 0..3 {
            let mut put = |name: &str, value: i64| numbers.insert(format!("{name}{axis}"), value.max(0) as u64);
            put("low", i64::from(bounds.low[axis]));
            put("cells", bounds.cells[axis] as i64);
            put("first", i64::from(first[axis]));
            put("last", i64::from(last[axis]));
        }
        self.diagnostics.write(DIAGNOSTICS, &mut numbers);
        Header { origin: vec![0.0; 2], cells_per_pixel: 1.0, numbers, ..Header::default() }
    }

    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {
        let Self { velocity, scalars, gases, tints, .. } = self;
        let mut blobs: Vec<BlobRows<'_>> =
            (0..3).map(|axis| blob(VELOCITY[axis], velocity[axis].len(), move |place| velocity[axis][place])).collect();
        for which in 0..2 {
            blobs.push(pairs(SCALARS[which], scalars, which));
            if let Some(gases) = gases {
                blobs.push(pairs(GASES[which], gases, which));
            }
            if let Some(tints) = tints {
                blobs.push(pairs(TINTS[which], tints, which));
            }
        }
        to(&blobs, &[]);
    }
}
