"""The full step in Taichi's own parallel loops."""

import taichi as ti

from .smoke_with_taichi import Taichi, field, sample


class Full(Taichi):
    kind = "full"

    def prepare(self, constants):
        self.curl, self.push, self.ahead = self.plane(), *(ti.Vector.field(2, ti.f32, self.size) for _ in range(2))
        self.forced_u, self.there_u, self.there_v = self.plane(0, 1), self.plane(0, 1), self.plane(1, 0)
        self.kernels = carrying(*self.size, constants)

    def carry(self, u, v, dye, to_u, to_v, to_dye):
        force, look, carry, correct = self.kernels
        force(u, v, dye, self.curl, self.push, self.forced_u, self.forced)
        look(u, v, self.back, self.ahead)
        carry(self.forced_u, self.forced, dye, self.back, self.there_u, self.there_v, to_dye)
        correct(
            self.forced_u, self.forced, self.there_u, self.there_v, self.back, self.ahead, to_u, to_v, self.divergence
        )


@ti.func
def held(q, last):
    """The value before a place on an axis, the place itself, and the value after it; that of an edge beyond the edge."""
    at = ti.math.clamp(q, 0.0, last)
    i = int(at)
    return i, at, ti.min(i + 1, last)


@ti.func
def turn(a, b, c):
    return (b + b) - (a + c)


@ti.func
def alternating(a, b, c, d, e):
    """Half of what of the middle one of five values alternates with those beside it."""
    below, here, above = turn(a, b, c), turn(b, c, d), turn(c, d, e)
    up = ti.max(ti.min(here, ti.min(-below, -above)), 0.0)
    down = ti.min(ti.max(here, ti.max(-below, -above)), 0.0)
    return (up + down) * 0.125


@ti.func
def corrected(values: field, there: field, j, i, back, ahead):
    """Without half the error of there and back, and within what the look back is between."""
    last_x, last_y = values.shape[1] - 1, values.shape[0] - 1
    value, here = there[j, i], values[j, i]
    stays = ti.max(1.0 - 2.0 * abs(back.x), 0.0) * ti.max(1.0 - 2.0 * abs(back.y), 0.0)
    if stays > 0.0:
        left, far_left = values[j, ti.max(i - 1, 0)], values[j, ti.max(i - 2, 0)]
        right, far_right = values[j, ti.min(i + 1, last_x)], values[j, ti.min(i + 2, last_x)]
        low, far_low = values[ti.max(j - 1, 0), i], values[ti.max(j - 2, 0), i]
        high, far_high = values[ti.min(j + 1, last_y), i], values[ti.min(j + 2, last_y), i]
        x, y = alternating(far_left, left, here, right, far_right), alternating(far_low, low, here, high, far_high)
        value -= (x + y) * stays
    value += 0.5 * (here - sample(there, i + ahead.x, j + ahead.y))
    x, _, right = held(i + back.x, last_x)
    y, _, high = held(j + back.y, last_y)
    a, b, c, d = values[y, x], values[y, right], values[high, x], values[high, right]
    return ti.math.clamp(value, ti.min(a, b, c, d), ti.max(a, b, c, d))


@ti.func
def weights(t):
    """What Catmull and Rom's cubic takes of four values."""
    a, d = ((1.0 - 0.5 * t) * t - 0.5) * t, (0.5 * t - 0.5) * (t * t)
    return ti.math.vec4(a, (1.5 * t - 2.5) * (t * t) + 1.0, ((2.0 - 1.5 * t) * t + 0.5) * t, d)


@ti.func
def cubic(dye: field, x, y):
    """Within the four values around the place."""
    last_x, last_y = dye.shape[1] - 1, dye.shape[0] - 1
    left, s, right = held(x, last_x)
    low, t, high = held(y, last_y)
    along, across = weights(s - left), weights(t - low)
    value = ti.math.vec4(0.0)
    for n in ti.static(range(4)):
        row = ti.math.clamp(low + (n - 1), 0, last_y)
        sums = dye[row, ti.max(left - 1, 0)] * along[0] + dye[row, left] * along[1]
        sums += dye[row, right] * along[2] + dye[row, ti.min(right + 1, last_x)] * along[3]
        value += sums * across[n]
    a, b, c, d = dye[low, left], dye[low, right], dye[high, left], dye[high, right]
    return ti.math.clamp(value, ti.min(a, b, c, d), ti.max(a, b, c, d))


def carrying(rows, columns, constants):
    """All of a step on a grid but its pressure."""
    lift, strength, keep = (constants[name] for name in ("lift", "confinement", "keep"))

    @ti.kernel
    def force(u: field, v: field, dye: field, curl: field, push: field, to_u: field, to_v: field):
        for j, i in curl:
            left, right = ti.max(i - 1, 0), ti.min(i + 1, columns - 1)
            low, high = ti.max(j - 1, 0), ti.min(j + 1, rows - 1)
            up = (v[j, right] + v[j + 1, right]) - (v[j, left] + v[j + 1, left])
            curl[j, i] = 0.25 * (up - ((u[high, i] + u[high, i + 1]) - (u[low, i] + u[low, i + 1])))
        # The force of confinement on the cells, of strength 1.
        for j, i in push:
            left, right = ti.max(i - 1, 0), ti.min(i + 1, columns - 1)
            low, high = ti.max(j - 1, 0), ti.min(j + 1, rows - 1)
            x, y = 0.5 * (abs(curl[j, right]) - abs(curl[j, left])), 0.5 * (abs(curl[high, i]) - abs(curl[low, i]))
            length, size = ti.sqrt(x * x + y * y), abs(curl[j, i])
            share = ti.max(0.0, 1.0 - 2.0 * (length / (size + 1e-6))) / ((length + 0.02 * size) + 1e-6) * curl[j, i]
            push[j, i] = ti.math.vec2(y * share, -x * share)
        for j, i in to_u:
            if 0 < i < columns:
                to_u[j, i] = u[j, i] + strength * (0.5 * (push[j, i - 1].x + push[j, i].x))
        for j, i in to_v:
            if 0 < j < rows:
                rises = lift * 0.5 * (dye[j - 1, i][3] + dye[j, i][3])
                to_v[j, i] = v[j, i] + rises + strength * (0.5 * (push[j - 1, i].y + push[j, i].y))

    @ti.kernel
    def look(u: field, v: field, back: field, ahead: field):
        """Offsets from the cells to where they were, and to where they will be."""
        for j, i in back:
            x, y = 0.25 * (u[j, i] + u[j, i + 1]), 0.25 * (v[j, i] + v[j + 1, i])
            back[j, i] = -ti.math.vec2(sample(u, i - x + 0.5, j - y), sample(v, i - x, j - y + 0.5))
            ahead[j, i] = ti.math.vec2(sample(u, i + x + 0.5, j + y), sample(v, i + x, j + y + 0.5))

    @ti.kernel
    def carry(u: field, v: field, dye: field, back: field, to_u: field, to_v: field, to_dye: field):
        # On to a wall, offsets go as between the two cells before it.
        for j, i in to_u:
            offset = 0.5 * (back[j, ti.max(i - 1, 0)] + back[j, ti.min(i, columns - 1)])
            if i == 0:
                offset = 1.5 * back[j, 0] - 0.5 * back[j, 1]
            elif i == columns:
                offset = 1.5 * back[j, columns - 1] - 0.5 * back[j, columns - 2]
            to_u[j, i] = sample(u, i + offset.x, j + offset.y)
        for j, i in to_v:
            offset = 0.5 * (back[ti.max(j - 1, 0), i] + back[ti.min(j, rows - 1), i])
            if j == 0:
                offset = 1.5 * back[0, i] - 0.5 * back[1, i]
            elif j == rows:
                offset = 1.5 * back[rows - 1, i] - 0.5 * back[rows - 2, i]
            to_v[j, i] = sample(v, i + offset.x, j + offset.y)
        for j, i in to_dye:
            to_dye[j, i] = cubic(dye, i + back[j, i].x, j + back[j, i].y) * keep

    @ti.kernel
    def correct(
        u: field, v: field, there_u: field, there_v: field, back: field, ahead: field, to_u: field, to_v: field,
        divergence: field,
    ):
        for j, i in to_u:
            if 0 < i < columns:
                behind, before = 0.5 * (back[j, i - 1] + back[j, i]), 0.5 * (ahead[j, i - 1] + ahead[j, i])
                to_u[j, i] = corrected(u, there_u, j, i, behind, before)
        for j, i in to_v:
            if 0 < j < rows:
                behind, before = 0.5 * (back[j - 1, i] + back[j, i]), 0.5 * (ahead[j - 1, i] + ahead[j, i])
                to_v[j, i] = corrected(v, there_v, j, i, behind, before)
        for j, i in divergence:
            divergence[j, i] = (to_u[j, i + 1] - to_u[j, i]) + (to_v[j + 1, i] - to_v[j, i])

    return force, look, carry, correct
