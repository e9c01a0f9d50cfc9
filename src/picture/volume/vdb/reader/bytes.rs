//! The bytes of a file in order.

use super::VdbError;

/// The bytes of a file from a position on.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// A whole file.
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// The position in the file.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The file from another position on.
    pub fn from(&self, at: usize) -> Result<Self, VdbError> {
        if at > self.all.len() { Err(VdbError::Short) } else { Ok(Self { at, ..*self }) }
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], VdbError> {
        let taken = self.all[self.at..].get(..count).ok_or(VdbError::Short)?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], VdbError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, VdbError> {
        Ok(self.array::<1>()?[0])
    }

    /// A natural number.
    pub fn u32(&mut self) -> Result<u32, VdbError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A whole number.
    pub fn i64(&mut self) -> Result<i64, VdbError> {
        Ok(i64::from_le_bytes(self.array()?))
    }

    /// A position in the file.
    pub fn position(&mut self) -> Result<usize, VdbError> {
        usize::try_from(self.i64()?).map_err(|_| VdbError::Damaged("positions of a grid"))
    }

    /// A real number.
    pub fn f32(&mut self) -> Result<f32, VdbError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    /// Real numbers.
    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], VdbError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = f64::from_le_bytes(self.array()?);
        }
        Ok(numbers)
    }

    /// Three indices.
    pub fn place(&mut self) -> Result<[i32; 3], VdbError> {
        let mut place = [0; 3];
        for at in &mut place {
            *at = self.u32()? as i32;
        }
        Ok(place)
    }

    /// A text with its length.
    pub fn text(&mut self) -> Result<String, VdbError> {
        let count = self.u32()? as usize;
        Ok(String::from_utf8_lossy(self.take(count)?).into_owned())
    }
}
