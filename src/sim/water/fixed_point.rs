//! The fixed point: units, coefficients, and the products of a step.
//!
//! All rules are exact, so two devices that follow them give the same bits.

/// Greatest height of water, units.
pub const HEIGHT_MAX: i32 = 1 << 28;
/// Greatest flow per step, units.
pub const FLOW_MAX: i32 = (1 << 27) - 1;
/// Greatest half push, units.
pub const PUSH_MAX: i32 = 1 << 26;
/// Greatest pigment of a cell per channel, pigment units.
pub const PIGMENT_MAX: i32 = 1 << 30;
/// The share 1, as [`part`] takes it.
pub const WHOLE: u32 = 1 << 16;

/// Units per 1.0 of height: 2^(28 − ceil(log2(`max_height`))).
///
/// `max_height` is clamped to 2^−8 … 2^16 (NaN: 8), so that the wet limit, 2^−12 of it, is a whole unit.
pub fn units_per_height(max_height: f64) -> f64 {
    let range = if max_height.is_nan() { 8.0 } else { max_height.clamp(1.0 / 256.0, 65536.0) };
    let mut power = 1.0 / 256.0;
    let mut units = (1u64 << 36) as f64;
    while power < range {
        power *= 2.0;
        units *= 0.5;
    }
    units
}

/// A real number in units, clamped to `min ..= max`; `None` for NaN and infinities, which count as 0.
pub fn to_units(value: f64, units: f64, min: i32, max: i32) -> Option<i32> {
    value.is_finite().then(|| floor((value * units).clamp(f64::from(min), f64::from(max)) + 0.5))
}

/// The floor of a number in the range of `i32`. (`f64::floor` is a function call on machines without SSE 4.1.)
pub fn floor(value: f64) -> i32 {
    let cut = value as i32;
    cut - i32::from(f64::from(cut) > value)
}

/// Half a push in units, rounded with halves away from zero; `slope` is in height per cell. `None` for NaN and
/// infinities.
pub fn to_half_push(slope: f64, units: f64) -> Option<i32> {
    let limit = f64::from(PUSH_MAX);
    let half = (slope * units * 0.5).clamp(-limit, limit);
    let size = floor(half.abs() + 0.5);
    slope.is_finite().then_some(if half < 0.0 { -size } else { size })
}

/// A coefficient in [0, 1] as mantissa and shift: `mantissa` / 2^(16 + `shift`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coefficient {
    /// 0 to 65536.
    pub mantissa: u32,
    /// 0 to 31.
    pub shift: u32,
}

impl Coefficient {
    /// The coefficient 0.
    pub const ZERO: Coefficient = Coefficient { mantissa: 0, shift: 0 };

    /// The coefficient nearest to `value` (clamped to [0, 1]; NaN is 0).
    pub fn new(value: f64) -> Coefficient {
        let c = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        if c < 1.0 / (1u64 << 48) as f64 {
            return Coefficient::ZERO;
        }
        let mut shift = 0;
        while shift < 31 && c * (2u64 << shift) as f64 <= 1.0 {
            shift += 1;
        }
        let mantissa = libm::floor(c * 65536.0 * (1u64 << shift) as f64 + 0.5) as u32;
        Coefficient { mantissa, shift }
    }

    /// The exact value of the coefficient.
    pub fn value(self) -> f64 {
        f64::from(self.mantissa) / (1u64 << (16 + self.shift)) as f64
    }
}

/// The integer nearest to a·c, halves away from zero, for |a| < 2^31.
pub fn mul(a: i32, c: Coefficient) -> i32 {
    let n = u64::from(a.unsigned_abs());
    let size = ((n * u64::from(c.mantissa) + (1 << (15 + c.shift))) >> (16 + c.shift)) as i32;
    if a < 0 { -size } else { size }
}

/// [`mul`] in 32-bit arithmetic, as on a GPU, with the same bits.
pub fn mul_split(a: i32, c: Coefficient) -> i32 {
    let n = a.unsigned_abs();
    let half = if c.shift == 0 { 1 << 15 } else { 0 };
    let mut t = (n >> 16) * c.mantissa + (((n & 0xffff) * c.mantissa + half) >> 16);
    if c.shift > 0 {
        t = (t + (1 << (c.shift - 1))) >> c.shift;
    }
    if a < 0 { -(t as i32) } else { t as i32 }
}

/// The floor of n·r / 2^16, `r` ≤ 65536.
pub fn part(n: u32, r: u32) -> u32 {
    (n >> 16) * r + (((n & 0xffff) * r) >> 16)
}

/// q·r / 2^16 rounded towards zero, `r` ≤ 65536.
pub fn signed_part(q: i32, r: u32) -> i32 {
    let size = part(q.unsigned_abs(), r) as i32;
    if q < 0 { -size } else { size }
}

/// Outflow limit of a cell: the share, in parts of 65536, of its outflows `sum` that its `height` allows.
pub fn outflow_limit(height: i32, sum: i32) -> u32 {
    if sum <= height {
        return WHOLE;
    }
    let shift = bit_length(sum).saturating_sub(16);
    (((height >> shift) as u32) << 16) / ((sum >> shift) as u32 + 1)
}

/// Number of bits of a value ≥ 0.
pub fn bit_length(value: i32) -> u32 {
    32 - value.leading_zeros()
}

/// The part of a cell's `pigment` that leaves with an outflow of `out` > 0 from a `height` ≥ `out`.
pub fn pigment_share(pigment: i32, out: i32, height: i32) -> i32 {
    if out == height {
        return out.min(pigment);
    }
    let (hb, ob) = (bit_length(height), bit_length(out));
    let hs = if hb > 16 { ((height - 1) >> (hb - 16)) + 1 } else { height << (16 - hb) };
    let os = if ob > 16 { out >> (ob - 16) } else { out << (16 - ob) };
    let f = ((os as u32) << 15) / hs as u32;
    let m = pigment as u32;
    let t = ((m >> 15) * f + (((m & 0x7fff) * f) >> 15)) >> (hb - ob);
    out.min(t as i32)
}

/// A flow carried over a change of time step: q·p / 2^16, halves away from zero, held to the flow's range.
pub fn rescale(q: i32, p: u64) -> i32 {
    let size = (u64::from(q.unsigned_abs()).saturating_mul(p).saturating_add(1 << 15)) >> 16;
    let size = size.min(FLOW_MAX as u64) as i32;
    if q < 0 { -size } else { size }
}

/// Pigment that comes when water is raised from `before` to `target` > `before` by a source that brings `brings` for
/// all of `target`: the nearest unit.
pub fn raised(brings: i32, before: i32, target: i32) -> i32 {
    let (brings, whole) = (i64::from(brings), i64::from(target));
    ((2 * brings * i64::from(target - before) + whole) / (2 * whole)) as i32
}
