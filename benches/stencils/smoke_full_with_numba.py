"""The full step as compiled loops; what both steps have in common is in `smoke_with_numba`."""

import numpy
from numba import njit, prange

from .smoke_with_numba import FAST, HALF, QUARTER, ZERO, Numba, f, index, place, sample

ONE, TWO, EIGHTH = f(1), f(2), f(0.125)


class Full(Numba):
    kind = "full"

    def __init__(self, scene, constants):
        self.strength, self.keep = f(constants["confinement"]), f(constants["keep"])
        super().__init__(scene, constants)

    def reset(self):
        super().reset()
        u, v, dye = self.scene
        rows, columns = dye.shape[:2]
        self.curl = numpy.zeros((rows + 2, columns + 2), f)
        self.across, self.along, self.ahead_x, self.ahead_y = (numpy.zeros((rows, columns), f) for _ in range(4))
        self.forced_u, self.there_u, self.alternates_u = (numpy.zeros_like(u) for _ in range(3))
        self.there_v, self.alternates_v = numpy.zeros_like(v), numpy.zeros_like(v)

    def carry(self, u, v, dye, to_u, to_v, to_dye):
        turn(u, v, self.curl)
        confine(self.curl, self.across, self.along)
        force(u, v, dye, self.across, self.along, self.forced_u, self.forced, self.strength, self.lift)
        look(u, v, self.x, self.y, self.ahead_x, self.ahead_y)
        carry_u(self.forced_u, self.x, self.y, self.there_u)
        carry_v(self.forced, self.x, self.y, self.there_v)
        alternate(self.forced_u, self.alternates_u)
        alternate(self.forced, self.alternates_v)
        correct_u(self.forced_u, self.there_u, self.alternates_u, self.x, self.y, self.ahead_x, self.ahead_y, to_u)
        correct_v(self.forced, self.there_v, self.alternates_v, self.x, self.y, self.ahead_x, self.ahead_y, to_v)
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


@njit(parallel=True, **FAST)
def look(u, v, back_x, back_y, ahead_x, ahead_y):
    """Offsets from the cells to where they were, and to where they will be."""
    rows, columns = back_x.shape
    for j in prange(rows):
        for i in range(columns):
            x, y = QUARTER * (u[j, i] + u[j, i + 1]), QUARTER * (v[j, i] + v[j + 1, i])
            back_x[j, i] = -sample(u, f(i) - x + HALF, f(j) - y)
            back_y[j, i] = -sample(v, f(i) - x, f(j) - y + HALF)
            ahead_x[j, i] = sample(u, f(i) + x + HALF, f(j) + y)
            ahead_y[j, i] = sample(v, f(i) + x, f(j) + y + HALF)


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
def beyond(near, far):
    """On to a wall, as between the two cells before it."""
    return f(1.5) * near - HALF * far


@njit(parallel=True, **FAST)
def carry_u(u, x, y, to):
    rows, columns = x.shape
    for j in prange(rows):
        along, across = x[j], y[j]
        to[j, 0] = sample(u, beyond(along[0], along[1]), f(j) + beyond(across[0], across[1]))
        for i in range(1, columns):
            to[j, i] = sample(u, f(i) + between(along[i - 1], along[i]), f(j) + between(across[i - 1], across[i]))
        last, before = columns - 1, columns - 2
        offset = beyond(along[last], along[before])
        to[j, columns] = sample(u, f(columns) + offset, f(j) + beyond(across[last], across[before]))


@njit(parallel=True, **FAST)
def carry_v(v, x, y, to):
    rows, columns = x.shape
    for j in prange(rows + 1):
        for i in range(columns):
            if j == 0:
                along, across = beyond(x[0, i], x[1, i]), beyond(y[0, i], y[1, i])
            elif j == rows:
                along, across = beyond(x[j - 1, i], x[j - 2, i]), beyond(y[j - 1, i], y[j - 2, i])
            else:
                along, across = between(x[j - 1, i], x[j, i]), between(y[j - 1, i], y[j, i])
            to[j, i] = sample(v, f(i) + along, f(j) + across)


@njit(**FAST)
def alternating(a, b, c, d, e):
    """Half of what of the middle one of five values alternates with those beside it."""
    below, here, above = (b + b) - (a + c), (c + c) - (b + d), (d + d) - (c + e)
    up = max(min(here, min(-below, -above)), ZERO)
    down = min(max(here, max(-below, -above)), ZERO)
    return (up + down) * EIGHTH


@njit(parallel=True, **FAST)
def alternate(values, to):
    """Half of what of each value alternates with those beside it, along both axes."""
    rows, columns = values.shape
    for j in prange(rows):
        low, far_low, high, far_high = max(j - 1, 0), max(j - 2, 0), min(j + 1, rows - 1), min(j + 2, rows - 1)
        a, b, c, d, e = values[far_low], values[low], values[j], values[high], values[far_high]
        row = to[j]
        for i in range(columns):
            row[i] = alternating(a[i], b[i], c[i], d[i], e[i])
        a, b, d, e, inner = c[:-4], c[1:-3], c[3:-1], c[4:], row[2:-2]
        middle = c[2:-2]
        for i in range(columns - 4):
            inner[i] += alternating(a[i], b[i], middle[i], d[i], e[i])
        for i in (0, 1, columns - 2, columns - 1):
            left, far_left, right, far_right = max(i - 1, 0), max(i - 2, 0), min(i + 1, columns - 1), min(i + 2, columns - 1)
            row[i] += alternating(c[far_left], c[left], c[i], c[right], c[far_right])


@njit(**FAST)
def corrected(values, there, alternates, j, i, back_x, back_y, ahead_x, ahead_y):
    """Without half the error of there and back, and within what the look back is between."""
    rows, columns = values.shape
    stays = max(ONE - TWO * abs(back_x), ZERO) * max(ONE - TWO * abs(back_y), ZERO)
    again = sample(there, f(i) + ahead_x, f(j) + ahead_y)
    value = (there[j, i] - alternates[j, i] * stays) + HALF * (values[j, i] - again)
    x, _, right = lower(f(i) + back_x, columns)
    y, _, high = lower(f(j) + back_y, rows)
    a, b, c, d = values[y, x], values[y, right], values[high, x], values[high, right]
    return min(max(value, min(min(a, b), min(c, d))), max(max(a, b), max(c, d)))


@njit(parallel=True, **FAST)
def correct_u(u, there, alternates, x, y, ahead_x, ahead_y, to):
    rows, columns = x.shape
    for j in prange(rows):
        for i in range(1, columns):
            back = between(x[j, i - 1], x[j, i]), between(y[j, i - 1], y[j, i])
            ahead = between(ahead_x[j, i - 1], ahead_x[j, i]), between(ahead_y[j, i - 1], ahead_y[j, i])
            to[j, i] = corrected(u, there, alternates, j, i, *back, *ahead)


@njit(parallel=True, **FAST)
def correct_v(v, there, alternates, x, y, ahead_x, ahead_y, to):
    rows, columns = x.shape
    # A range from 1 on would not become vector code.
    for j in prange(rows):
        if j > 0:
            for i in range(columns):
                back = between(x[j - 1, i], x[j, i]), between(y[j - 1, i], y[j, i])
                ahead = between(ahead_x[j - 1, i], ahead_x[j, i]), between(ahead_y[j - 1, i], ahead_y[j, i])
                to[j, i] = corrected(v, there, alternates, j, i, *back, *ahead)


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
