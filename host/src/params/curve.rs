//! A value over time: numbers are interpolated linearly, all other values are stepped.

use super::Value;

/// A constant, or keys in the order of their times.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    constant: Value,
    keys: Vec<(f64, Value)>,
}

impl Curve {
    pub(crate) fn constant(value: Value) -> Self {
        Self { constant: value, keys: Vec::new() }
    }

    /// The keys, in the order of their times.
    #[must_use]
    pub fn keys(&self) -> &[(f64, Value)] {
        &self.keys
    }

    pub(crate) fn set_constant(&mut self, value: Value) {
        self.constant = value;
        self.keys.clear();
    }

    pub(crate) fn set_key(&mut self, time: f64, value: Value) {
        match self.keys.binary_search_by(|(t, _)| t.total_cmp(&time)) {
            Ok(at) => self.keys[at].1 = value,
            Err(at) => self.keys.insert(at, (time, value)),
        }
    }

    /// Removes the key at that time; the value of the last one stays.
    pub(crate) fn delete_key(&mut self, time: f64) -> bool {
        let Ok(at) = self.keys.binary_search_by(|(t, _)| t.total_cmp(&time)) else {
            return false;
        };
        let (_, value) = self.keys.remove(at);
        if self.keys.is_empty() {
            self.constant = value;
        }
        true
    }

    /// Removes all keys; the value at `time` stays.
    pub(crate) fn delete_all(&mut self, time: f64) {
        self.constant = self.at(time);
        self.keys.clear();
    }

    /// The value at a time; constant before the first key and after the last one.
    #[must_use]
    pub fn at(&self, time: f64) -> Value {
        let after = self.keys.partition_point(|(t, _)| *t <= time);
        let Some((start, before)) = after.checked_sub(1).map(|i| &self.keys[i]) else {
            return self.keys.first().map_or(&self.constant, |(_, value)| value).clone();
        };
        match (before, self.keys.get(after)) {
            (Value::Doubles(a), Some((end, Value::Doubles(b)))) => {
                let part = (time - start) / (end - start);
                Value::Doubles(a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect())
            }
            _ => before.clone(),
        }
    }

    /// The slope at a time; at a key, that of the segment after it. Zero for stepped curves.
    #[must_use]
    pub fn derivative(&self, time: f64) -> Vec<f64> {
        let after = self.keys.partition_point(|(t, _)| *t <= time);
        if let Some((start, Value::Doubles(a))) = after.checked_sub(1).map(|i| &self.keys[i])
            && let Some((end, Value::Doubles(b))) = self.keys.get(after)
        {
            return a.iter().zip(b).map(|(a, b)| (b - a) / (end - start)).collect();
        }
        vec![0.0; self.constant.numbers().len()]
    }

    /// The integral from one time to another.
    #[must_use]
    pub fn integral(&self, from: f64, to: f64) -> Vec<f64> {
        if to < from {
            return self.integral(to, from).into_iter().map(|v| -v).collect();
        }
        let mut edges = vec![from];
        edges.extend(self.keys.iter().map(|(t, _)| *t).filter(|t| *t > from && *t < to));
        edges.push(to);
        let mut sum = vec![0.0; self.constant.numbers().len()];
        for edge in edges.windows(2) {
            let length = edge[1] - edge[0];
            // A linear piece has the mean of its value in its middle; a stepped one, at any inner point.
            let middle = self.at(edge[0] + length / 2.0).numbers();
            for (sum, value) in sum.iter_mut().zip(middle) {
                *sum += value * length;
            }
        }
        sum
    }

    /// The key at a time (`direction` 0), the last before it (-1), the first after it (1).
    pub(crate) fn key_index(&self, time: f64, direction: i32) -> Option<usize> {
        match direction.signum() {
            0 => self.keys.iter().position(|(t, _)| *t == time),
            1 => self.keys.iter().position(|(t, _)| *t > time),
            _ => self.keys.iter().rposition(|(t, _)| *t < time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed(keys: &[(f64, f64)]) -> Curve {
        let mut curve = Curve::constant(7.0.into());
        for (time, value) in keys {
            curve.set_key(*time, (*value).into());
        }
        curve
    }

    #[test]
    fn numbers_interpolate_linearly_and_are_constant_outside_the_keys() {
        let curve = keyed(&[(20.0, 4.0), (10.0, 0.0)]);
        let read = |t| curve.at(t).numbers()[0];
        assert_eq!([read(0.0), read(10.0), read(12.5), read(20.0), read(99.0)], [0.0, 0.0, 1.0, 4.0, 4.0]);
        assert_eq!(curve.derivative(15.0), [0.4]);
        assert_eq!(curve.derivative(25.0), [0.0]);
        assert_eq!(curve.integral(0.0, 30.0), [60.0]);
        assert_eq!(curve.integral(30.0, 0.0), [-60.0]);
    }

    #[test]
    fn values_other_than_numbers_are_stepped() {
        let mut curve = Curve::constant(0.into());
        curve.set_key(1.0, 3.into());
        curve.set_key(5.0, 9.into());
        assert_eq!(curve.at(4.999), 3.into());
        assert_eq!(curve.at(5.0), 9.into());
        assert_eq!(curve.derivative(3.0), [0.0]);
        assert_eq!(curve.integral(1.0, 6.0), [21.0]);
    }

    #[test]
    fn deleting_the_last_key_keeps_its_value() {
        let mut curve = keyed(&[(10.0, 1.0), (20.0, 2.0)]);
        assert!(!curve.delete_key(15.0));
        assert!(curve.delete_key(10.0));
        assert!(curve.delete_key(20.0));
        assert_eq!(curve.at(0.0), 2.0.into());
        let mut curve = keyed(&[(10.0, 1.0), (20.0, 2.0)]);
        curve.delete_all(15.0);
        assert_eq!(curve.at(0.0), 1.5.into());
    }

    #[test]
    fn keys_are_found_before_at_and_after_a_time() {
        let curve = keyed(&[(10.0, 1.0), (20.0, 2.0)]);
        assert_eq!(curve.key_index(10.0, 0), Some(0));
        assert_eq!(curve.key_index(11.0, 0), None);
        assert_eq!(curve.key_index(10.0, 1), Some(1));
        assert_eq!(curve.key_index(20.0, -1), Some(0));
        assert_eq!(curve.key_index(10.0, -1), None);
    }
}
