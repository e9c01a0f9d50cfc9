"""The full step as compiled loops; `smoke_with_numba` has the parts shared by both steps."""

import numpy
from numba import njit, prange

from .smoke_with_numba import FAST, HALF, QUARTER, ZERO, Numba, f, index, look_back

ONE, TWO, SIXTH = f(1), f(2), f(1 / 6)


class Full(Numba):
    kind = "full"

    def __init__(self, scene, constants):
        self.strength, self.keep = f(constants["confinement"]), f(constants["keep"])
        super().__init__(scene, constants)

    def reset(self):
        super().reset()
        u, _, dye = self.scene
        rows, columns = dye.shape[:2]
        self.curl = numpy.zeros((rows + 2, columns + 2), f)
        self.across, self.along = (numpy.zeros((rows, columns), f) for _ in range(2))
        self.forced_u = numpy.zeros_like(u)

    def carry(self, u, v, dye, to_u, to_v, to_dye):
        turn(u, v, self.curl)
        confine(self.curl, self.across, self.along)
        force(u, v, dye, self.across, self.along, self.forced_u, self.forced, self.strength, self.lift)
        look_back(u, v, self.x, self.y)
        carry_u(self.forced_u, self.x, self.y, to_u)
        carry_v(self.forced, self.x, self.y, to_v)
        carry_dye(dye, self.x, self.y, to_dye, self.keep)


@njit(parallel=True, **FAST)
def turn(u, v, to):
    """Vorticity of the cells, with a ring."""
    rows, columns = u.shape[0], v.shape[1]
    for j in prange(rows):
        slow, fast, low, high = u[max(j - 1, 0)], u[min(j + 1, rows - 1)], v[j], v[j + 1]
        row = to[j + 1, 1:-1]
        for i in range(1, columns - 1):
            up = (low[i + 1] + high[i + 1]) - (low[i - 1] + high[i - 1])
            row[i] = QUARTER * (up - ((fast[i] + fast[i + 1]) - (slow[i] + slow[i + 1])))
        for i in (0, columns - 1):
            left, right = max(i - 1, 0), min(i + 1, columns - 1)
            up = (low[right] + high[right]) - (low[left] + high[left])
            row[i] = QUARTER * (up - ((fast[i] + fast[i + 1]) - (slow[i] + slow[i + 1])))
        to[j + 1, 0], to[j + 1, columns + 1] = row[0], row[columns - 1]
    to[0], to[rows + 1] = to[1], to[rows]


@njit(parallel=True, **FAST)
def confine(curl, to_x, to_y):
    """The force of confinement on the cells, of strength 1."""
    rows, columns = to_x.shape
    for j in prange(rows):
        here, left, right = curl[j + 1, 1:-1], curl[j + 1, :-2], curl[j + 1, 2:]
        below, above = curl[j, 1:-1], curl[j + 2, 1:-1]
        along, across = to_x[j], to_y[j]
        for i in range(columns):
            x, y = HALF * (abs(right[i]) - abs(left[i])), HALF * (abs(above[i]) - abs(below[i]))
            length, size = numpy.sqrt(x * x + y * y), abs(here[i])
            share = max(ZERO, ONE - TWO * (length / (size + f(1e-6))))
            share = share / ((length + f(0.02) * size) + f(1e-6)) * here[i]
            along[i], across[i] = y * share, -x * share


@njit(parallel=True, **FAST)
def force(u, v, dye, across, along, to_u, to_v, strength, lift):
    rows, columns, _ = dye.shape
    for j in prange(rows):
        row, push, to = u[j], across[j], to_u[j]
        for i in range(1, columns):
            to[i] = row[i] + strength * (HALF * (push[i - 1] + push[i]))
        if j > 0:
            row, below, above, to = v[j], along[j - 1], along[j], to_v[j]
            for i in range(columns):
                rises = lift * HALF * (dye[j - 1, i, 3] + dye[j, i, 3])
                to[i] = row[i] + rises + strength * (HALF * (below[i] + above[i]))


@njit(**FAST)
def lower(q, values):
    """The value before a place on an axis, the place itself, and the value after it; that of an edge beyond the edge."""
    q = min(max(q, ZERO), f(values - 1))
    i = index(q)
    return i, q, min(i + index(1), index(values - 1))


@njit(**FAST)
def between(one, other):
    return HALF * (one + other)


@njit(**FAST)
def lagrange(t):
    """What Lagrange's cubic takes of four values."""
    inner, outer = t * (ONE - t), (ONE + t) * (TWO - t)
    low, high = inner * (TWO - t), inner * (ONE + t)
    return low * -SIXTH, outer * (ONE - t) * HALF, outer * t * HALF, high * -SIXTH


@njit(**FAST)
def around(q, values):
    """The four indices around a sample position on an axis, those of an edge beyond the edge, and their cubic weights."""
    i, q, right = lower(q, values)
    left, far = index(max(int(i) - 1, 0)), min(right + index(1), index(values - 1))
    return (left, i, right, far), lagrange(q - f(i))


@njit(**FAST)
def cubic_face(values, x, y):
    columns, along = around(x, values.shape[1])
    rows, across = around(y, values.shape[0])
    low = across[0] * joined(values[rows[0]], columns, along) + across[1] * joined(values[rows[1]], columns, along)
    return low + (across[2] * joined(values[rows[2]], columns, along) + across[3] * joined(values[rows[3]], columns, along))


@njit(**FAST)
def joined(row, columns, shares):
    low = shares[0] * row[columns[0]] + shares[1] * row[columns[1]]
    return low + (shares[2] * row[columns[2]] + shares[3] * row[columns[3]])


@njit(parallel=True, **FAST)
def carry_u(u, x, y, to):
    rows, columns = x.shape
    for j in prange(rows):
        along, across = x[j], y[j]
        for i in range(1, columns):
            to[j, i] = cubic_face(u, f(i) + between(along[i - 1], along[i]), f(j) + between(across[i - 1], across[i]))


@njit(parallel=True, **FAST)
def carry_v(v, x, y, to):
    rows, columns = x.shape
    # A range from 1 on would not become vector code.
    for j in prange(rows):
        if j > 0:
            for i in range(columns):
                to[j, i] = cubic_face(v, f(i) + between(x[j - 1, i], x[j, i]), f(j) + between(y[j - 1, i], y[j, i]))


@njit(**FAST)
def weights(t):
    """What Catmull and Rom's cubic takes of four values."""
    a, d = ((ONE - HALF * t) * t - HALF) * t, (HALF * t - HALF) * (t * t)
    return a, (f(1.5) * t - f(2.5)) * (t * t) + ONE, ((TWO - f(1.5) * t) * t + HALF) * t, d


@njit(**FAST)
def cubic(dye, c, rows, columns, along, across):
    """Of a channel, within the four values around the place."""
    w, x, y, z = columns
    p, q, r, s = along
    low, high = dye[rows[1]], dye[rows[2]]
    least = min(min(low[x, c], low[y, c]), min(high[x, c], high[y, c]))
    most = max(max(low[x, c], low[y, c]), max(high[x, c], high[y, c]))
    value = across[0] * mixed(dye[rows[0]], c, columns, along) + across[1] * mixed(low, c, columns, along)
    value += across[2] * mixed(high, c, columns, along) + across[3] * mixed(dye[rows[3]], c, columns, along)
    return min(max(value, least), most)


@njit(**FAST)
def mixed(row, c, columns, shares):
    low = shares[0] * row[columns[0], c] + shares[1] * row[columns[1], c]
    return low + (shares[2] * row[columns[2], c] + shares[3] * row[columns[3], c])


@njit(parallel=True, **FAST)
def carry_dye(dye, x, y, to, keep):
    rows, columns, _ = dye.shape
    for j in prange(rows):
        for i in range(columns):
            left, s, right = lower(f(i) + x[j, i], columns)
            low, t, high = lower(f(j) + y[j, i], rows)
            far_left, far_right = index(max(int(left) - 1, 0)), min(right + index(1), index(columns - 1))
            far_low, far_high = index(max(int(low) - 1, 0)), min(high + index(1), index(rows - 1))
            at = (far_low, low, high, far_high), (far_left, left, right, far_right)
            along, across = weights(s - f(left)), weights(t - f(low))
            for c in range(4):
                to[j, i, c] = keep * cubic(dye, c, *at, along, across)
