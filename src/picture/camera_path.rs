//! The path of a camera: a position, a rotation and a field of view by frame, as in a `.chan` file.
//!
//! A line of the file is `frame tx ty tz rx ry rz vfov`, degrees; without `vfov` it is the line of an axis. Lines that
//! begin with `#` are comments. Between lines, positions and fields of view are linear, and rotations turn evenly about
//! one axis (Shoemake 1985).

/// A camera at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position.
    pub translate: [f64; 3],
    /// Rotation about x, y and z, degrees.
    pub rotate: [f64; 3],
    /// Order of the rotations, as [`Camera::order`](super::camera::Camera::order).
    pub order: [usize; 3],
    /// Vertical field of view, degrees; `None` for an axis.
    pub field_of_view: Option<f64>,
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    frame: f64,
    translate: [f64; 3],
    rotate: [f64; 3],
    field_of_view: Option<f64>,
}

/// The path of a camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraPath {
    /// Keys by frame, each frame once.
    keys: Vec<Key>,
    /// Number of the first line that is none of a path, from 1, and of all such lines.
    unreadable: Option<(usize, usize)>,
}

/// Order of a pose between two keys.
const BETWEEN: [usize; 3] = [2, 0, 1];

/// Largest number of a path, which keeps all products finite.
const FAR: f64 = 1e12;

impl CameraPath {
    /// The path in a file. Of two lines of a frame, the later one counts. Other lines are left out.
    pub fn parse(text: &str) -> Self {
        let mut path = Self::default();
        for (place, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Key::parse(line) {
                Some(key) => path.keys.push(key),
                None => {
                    let (first, count) = path.unreadable.unwrap_or((place + 1, 0));
                    path.unreadable = Some((first, count + 1));
                }
            }
        }
        path.keys.reverse();
        path.keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        path.keys.dedup_by(|later, first| later.frame == first.frame);
        path
    }

    /// First and last frame; `None` without any.
    pub fn frames(&self) -> Option<[f64; 2]> {
        Some([self.keys.first()?.frame, self.keys.last()?.frame])
    }

    /// Number of the first line that could not be read, from 1, and of all such lines.
    pub fn unreadable(&self) -> Option<(usize, usize)> {
        self.unreadable
    }

    /// The pose at a time: before the first frame that of the first, after the last one that of the last. `order`:
    /// order of the rotations in the file.
    pub fn at(&self, time: f64, order: [usize; 3]) -> Option<Pose> {
        let next = self.keys.partition_point(|key| key.frame <= time);
        let before = self.keys.get(next.saturating_sub(1))?;
        let after = self.keys.get(next).unwrap_or(before);
        let pose =
            |key: &Key| Pose { translate: key.translate, rotate: key.rotate, order, field_of_view: key.field_of_view };
        let share = (time - before.frame) / (after.frame - before.frame);
        // Infinite or NaN where both are the same line.
        if !(share > 0.0 && share < 1.0) {
            return Some(pose(before));
        }
        let mix = |a: f64, b: f64| a + (b - a) * share;
        let [from, to] = [before, after].map(|key| quaternion(key.rotate, order));
        Some(Pose {
            translate: [0, 1, 2].map(|axis| mix(before.translate[axis], after.translate[axis])),
            rotate: angles(turned(from, to, share)),
            order: BETWEEN,
            field_of_view: match (before.field_of_view, after.field_of_view) {
                (Some(a), Some(b)) => Some(mix(a, b)),
                (a, _) => a,
            },
        })
    }
}

impl Key {
    fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let mut next = || numbers.next().map(|word| word.parse::<f64>().ok().filter(|number| number.abs() < FAR));
        let mut seven = [0.0; 7];
        for number in &mut seven {
            *number = next()??;
        }
        let [frame, tx, ty, tz, rx, ry, rz] = seven;
        let field_of_view = match next() {
            None => None,
            Some(Some(angle)) if angle > 0.0 && angle < 180.0 => Some(angle),
            Some(_) => return None,
        };
        Some(Self { frame, translate: [tx, ty, tz], rotate: [rx, ry, rz], field_of_view })
    }
}

/// A rotation as `[x, y, z, w]`.
type Quaternion = [f64; 4];

/// The rotation by `a` after that by `b`.
fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Rotations about the axes, in an order.
fn quaternion(degrees: [f64; 3], order: [usize; 3]) -> Quaternion {
    order.iter().fold([0.0, 0.0, 0.0, 1.0], |all, axis| {
        let half = degrees[*axis].to_radians() / 2.0;
        let mut about = [0.0, 0.0, 0.0, libm::cos(half)];
        about[*axis] = libm::sin(half);
        product(about, all)
    })
}

/// The rotation at a share of the shorter way from one to another.
fn turned(from: Quaternion, to: Quaternion, share: f64) -> Quaternion {
    let dot: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let (sign, cos) = if dot < 0.0 { (-1.0, -dot) } else { (1.0, dot) };
    let angle = libm::acos(cos.min(1.0));
    let sin = libm::sin(angle);
    let [a, b] = match sin > 1e-6 {
        true => [libm::sin((1.0 - share) * angle) / sin, libm::sin(share * angle) / sin],
        false => [1.0 - share, share],
    };
    let mixed: Quaternion = std::array::from_fn(|axis| a * from[axis] + b * sign * to[axis]);
    let length = libm::sqrt(mixed.iter().map(|part| part * part).sum());
    mixed.map(|part| part / length)
}

/// Degrees about x, y and z that are the rotation in the order [`BETWEEN`].
fn angles([x, y, z, w]: Quaternion) -> [f64; 3] {
    // Elements of the matrix, by row and column.
    let tilt = -2.0 * (y * z - w * x);
    let [right_z, backward_z] = [2.0 * (x * z + w * y), 1.0 - 2.0 * (x * x + y * y)];
    let [up_x, up_y] = [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z)];
    let about_x = libm::asin(tilt.clamp(-1.0, 1.0));
    let [about_y, about_z] = if tilt.abs() < 1.0 - 1e-12 {
        [libm::atan2(right_z, backward_z), libm::atan2(up_x, up_y)]
    } else {
        // A camera that looks straight up or down turns about one axis by y and z.
        [libm::atan2(-2.0 * (x * z - w * y), 1.0 - 2.0 * (y * y + z * z)), 0.0]
    };
    [about_x, about_y, about_z].map(f64::to_degrees)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ZXY: [usize; 3] = [2, 0, 1];

    /// Images of the axes under rotations in an order, as the projection makes them.
    fn axes(degrees: [f64; 3], order: [usize; 3]) -> [[f64; 3]; 3] {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis: [f64; 3]| {
            order.iter().fold(axis, |mut axis, about| {
                let [a, b] = [(about + 1) % 3, (about + 2) % 3];
                let (sin, cos) = degrees[*about].to_radians().sin_cos();
                (axis[a], axis[b]) = (axis[a] * cos - axis[b] * sin, axis[a] * sin + axis[b] * cos);
                axis
            })
        })
    }

    fn differs(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> f64 {
        a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn frames_of_the_file_are_exact_and_others_between_or_held() {
        let path = CameraPath::parse("# frame tx\n2 0 0 10 0 350 0 40\n\n4\t2,0 8 0 10 0 50\n 6 2 0 8 0 10 0 50 9 9\n");
        assert_eq!((path.frames(), path.unreadable()), (Some([2.0, 6.0]), None));
        let at = |time| path.at(time, ZXY).expect("a pose");
        assert_eq!((at(2.0).translate, at(2.0).rotate), ([0.0, 0.0, 10.0], [0.0, 350.0, 0.0]));
        assert_eq!((at(-5.0), at(99.0)), (at(2.0), at(6.0)));
        let middle = at(3.0);
        assert_eq!((middle.translate, middle.field_of_view), ([1.0, 0.0, 9.0], Some(45.0)));
        // From 350 to 10 degrees it is 20, not 340.
        assert!(differs(axes(middle.rotate, middle.order), axes([0.0; 3], ZXY)) < 1e-12, "{middle:?}");
        let quarter = at(2.5);
        assert!(differs(axes(quarter.rotate, quarter.order), axes([0.0, 355.0, 0.0], ZXY)) < 1e-12, "{quarter:?}");
    }

    #[test]
    fn lines_that_are_no_camera_are_left_out_and_counted() {
        let text = "Nuke\n1 0 0 0 0 0 0 30\n2 0 0 nan 0 0 0 30\n3 0 0 0 0 0\n4 1 1 1 1 1 1 200\n5 0 0 0 0 0 0 x\n\
                    1 7 0 0 0 0 0 30\n9 0 0 0 0 0 inf 3\n";
        let path = CameraPath::parse(text);
        assert_eq!((path.frames(), path.unreadable()), (Some([1.0, 1.0]), Some((1, 6))));
        assert_eq!(path.at(1.0, ZXY).expect("a pose").translate[0], 7.0, "the later of two lines");
        assert_eq!(CameraPath::parse("").at(1.0, ZXY), None);
        let axis = CameraPath::parse("1 0 0 0 0 0 0");
        assert_eq!(axis.at(1.0, ZXY).expect("a pose").field_of_view, None);
    }

    proptest! {
        #[test]
        fn angles_are_the_rotation(x in -200.0..200.0_f64, y in -200.0..200.0_f64, z in -200.0..200.0_f64, straight: bool) {
            let x = if straight { 90.0 } else { x };
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let degrees = [x, y, z];
                let found = angles(quaternion(degrees, order));
                prop_assert!(differs(axes(found, BETWEEN), axes(degrees, order)) < 1e-6, "{degrees:?} {order:?} {found:?}");
            }
        }

        #[test]
        fn any_text_gives_finite_poses(lines in prop::collection::vec(
            prop_oneof![
                ".{0,40}",
                prop::collection::vec(any::<f64>(), 0..10).prop_map(|numbers| format!("{numbers:?}").replace(['[', ']'], " ")),
                prop::collection::vec(-400.0..400.0_f64, 7..9).prop_map(|numbers| format!("{numbers:?}").replace(['[', ']'], " ")),
            ],
            0..30,
        ), time in any::<f64>()) {
            let path = CameraPath::parse(&lines.join("\n"));
            for time in [time, -1.0, 0.5, 100.25] {
                if let Some(pose) = path.at(time, ZXY) {
                    let all = pose.translate.into_iter().chain(pose.rotate).chain(pose.field_of_view);
                    prop_assert!(all.into_iter().all(f64::is_finite), "{pose:?}");
                }
            }
            prop_assert_eq!(path.at(1.0, ZXY).is_some(), path.frames().is_some());
        }
    }
}
